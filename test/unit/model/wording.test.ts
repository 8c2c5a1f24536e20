import { describe, expect, it } from 'vitest';
import { problemsIn } from '#language-server/ide/diagnostics.ts';
import { describeType } from '#language-server/ide/words.ts';
import { keySummary } from '#language-server/ide/hover.ts';
import { language } from '#model/language/language.ts';
import { nounOf } from '#model/language/types.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { mutants } from '#support/language/matrix/mutants.ts';
import { fixture } from '#support/language/model.ts';
import { yaml } from '#support/language/raw.ts';
import { actionsIn, renameRefusal } from '#support/language/show.ts';
import { HALF_MODELS, UNLIKE_MODELS } from '#support/language/unlike-models.ts';

/** Faults of a sentence that is put together. What it repeats of a file stands in backticks or quotes, and is not looked at. */
const FAULTS: Readonly<Record<string, RegExp>> = {
  'a wrong article': /\b[Aa] (?:[aeio]|u(?!ni|s)|hour|SQL\b)|\b[Aa]n (?![aeioIX]|hour|SQL\b|u(?!ni|s))/,
  'no noun behind an article': /\b(?:[Aa]n?|the) [.:,?]/,
  'spaces side by side': /\S {2,}\S/,
  'empty quotes': /``|“”|''|""/,
  'a value that is none': /\bundefined\b|\bNaN\b|\[object/,
  'a wrong plural': /\b1 [a-z]+s\b|\b(?!1\b)\d+ (?:use|row|member|measure|dimension|segment)\b|[^aeiou]ys\b|xs\b/,
  'a name of the source': /\b(?:preAggregation|viewGroup|joinPath|memberLevel|rollingInterval|[a-z]+Symbol)\b/,
  'two ends': /[.?!:]{2,}(?<!\.\.\.)$|[a-z] ?[.?] [.?]/,
  'no large letter': /^[a-z]/,
};

/** Returns the faults of a text. */
function faultsOf(text: string): readonly string[] {
  const own = text.replaceAll(/`[^`\n]+`|“[^”\n]+”|"\*"/g, 'X').replaceAll(/→ \S+/g, '→ X');
  return Object.entries(FAULTS).flatMap(([name, pattern]) => (pattern.test(own) ? [`${name}: ${text}`] : []));
}

const texts = new Set<string>();

/** Notes every text about a model that a user can read. */
function note(text: string): void {
  const model = fixture(text);
  for (const { path } of [...model.index.files()]) {
    const opened = model.file(path.replace('memory:///model/', ''));
    for (const { problem } of problemsIn(opened)) {
      texts.add(problem.message);
      for (const related of problem.related ?? []) texts.add(related.message);
      if (problem.fix) texts.add(problem.fix.title);
    }
  }
  for (const { title } of actionsIn(model)) texts.add(title);
}

/** Names that begin with vowels, digits and letters of other languages, are plural, long or empty, or have backticks. */
const NAMES = [
  'orders',
  'hour',
  'index',
  'unit',
  '_x',
  '8orders',
  'größe',
  'Überblick',
  '日本',
  'address',
  'a`b',
  'x'.repeat(300),
  '""',
  'a.b',
  '{id}',
  '5',
  'true',
];

/** A model in which a name stands wherever a name, a reference or a value can. */
const withName = (name: string): string => yaml`
  # file: a.yml
  cubes:
    - name: ${name}
      sql_table: t
      extends: ${name}x
      joins:
        - {name: ${name}, relationship: ${name}, sql: "{${name}.id}"}
      dimensions:
        - {name: ${name}, sql: "{${name}.${name}}", type: ${name}, format: ${name}}
        - {name: at, sql: at, type: time, granularities: [{name: ${name}, interval: ${name}}]}
      measures:
        - {name: ${name}, type: count, drill_members: [${name}z], public: ${name}}
        - {name: other, type: sum, sql: "{nothing} + {CUBE.${name}q}", rolling_window: {trailing: ${name}}}
      hierarchies: [{name: h, levels: [${name}, other]}]
      pre_aggregations:
        - {name: ${name}, measures: [at], dimensions: [other], time_dimension: ${name}, granularity: ${name}}
        - {name: main, measures: [other], time_dimension: at, granularity: fortnight, refresh_key: {every: ${name}, timezone: ${name}}}
    - name: second
      sql_table: t
      ${name}: 1
      segments: [{name: h, sql: "{h}"}]
      dimensions: [{name: h, sql: x, type: string, currency: ${name}}]
  views:
    - name: second
      cubes:
        - {join_path: ${name}, includes: [${name}, {name: nothing, alias: ${name}}]}
      folders: [{name: f, includes: [${name}]}]
  view_groups:
    - {name: g, includes: [${name}]}
`;

describe('every text about a model', () => {
  it('is a sentence, whatever the names in it are', async () => {
    for (const name of NAMES) note(withName(name));
    for (const text of [...Object.values(UNLIKE_MODELS), ...Object.values(HALF_MODELS)]) note(text);
    const engine = await matrixEngine();
    const all = [...mutants(engine.describeSchemas())];
    for (const [at, mutant] of all.entries()) if (at % 331 === 0) note(`# file: m.yml\n${mutant.text()}`);
    for (const { doc, keys, ...shape } of Object.values(language)) {
      texts.add(doc);
      for (const [key, info] of Object.entries(keys)) {
        texts.add(info.doc);
        texts.add(`Takes ${describeType(info.type)}.`);
        expect(keySummary(key, nounOf(shape), info)).not.toMatch(/undefined|\[object/);
      }
    }
    expect([...texts].flatMap(faultsOf)).toEqual([]);
    expect(texts.size).toBeGreaterThan(500);
  });

  it('says in words what else has a name', () => {
    const model = (name: string): string => yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions: [{name: i$0d, sql: id, type: number}]
          hierarchies: [{name: index, levels: [id]}]
          pre_aggregations: [{name: main, dimensions: [id]}]
      view_groups: [{name: ${name}, includes: []}, {name: sales, includes: []}]
    `;
    expect(renameRefusal(model('g'), 'main').drawn).toBe('“a” already has a pre-aggregation called “main”.');
    expect(renameRefusal(model('g').replace('$0', '').replace('name: g', 'name: g$0'), 'sales').drawn).toBe(
      'A view group is already called “sales”.',
    );
    expect(faultsOf('A index has no key `x`.')).toHaveLength(1);
    expect(faultsOf('`` is not a name.')).toHaveLength(1);
    expect(faultsOf('This is a list of hierarchys.')).toHaveLength(1);
  });
});
