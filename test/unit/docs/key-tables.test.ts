import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { language } from '#model/language/language.ts';
import { operator } from '#model/language/shared-keys.ts';
import type { Choice, Key, ShapeName, Type } from '#model/language/types.ts';
import { root } from '../../tools/run.ts';

const page = readFileSync(join(root, 'docs/model-language.md'), 'utf8');

/** The shapes whose keys have tables of their own, with the headings of these. */
const tables: Readonly<Partial<Record<ShapeName, readonly string[]>>> = {
  cube: ['Cubes'],
  join: ['Joins'],
  dimension: ['Dimensions'],
  granularity: ['Granularities'],
  measure: ['Measures', 'Multi-stage measures'],
  segment: ['Segments'],
  hierarchy: ['Hierarchies'],
  view: ['Views'],
  viewGroup: ['View groups'],
  preAggregation: ['Pre-aggregations'],
  policy: ['Access policies'],
};
/** The shapes that are described in a row or a table of another kind. */
const elsewhere: ReadonlySet<ShapeName> = new Set(['cubeRefreshKey', 'preAggregationRefreshKey', 'stageCondition']);

interface Row {
  readonly names: readonly string[];
  readonly bold: readonly string[];
  readonly value: string;
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(\w+)(?:: [^`]*)?`/g)].map(([, name = '']) => name);
const boldIn = (text: string): readonly string[] => [...text.matchAll(/\*\*`(\w+)`\*\*/g)].map(([, name = '']) => name);

/** Returns the text below a heading, up to the next one. */
function sectionOf(heading: string, text: string): string {
  return new RegExp(`^#+ ${heading}\\n([^]*?)(?=^#|(?![^]))`, 'm').exec(text)?.[1] ?? '';
}

function rowsOf(section: string): readonly Row[] {
  return [...section.matchAll(/^\| (.*?) \| (.*) \|$/gm)]
    .map(([, key = '', value = '']) => ({ names: namesIn(key), bold: boldIn(key), value }))
    .filter(({ names }) => names.length > 0);
}

/** Returns the choices and the inner keys that a row must name for a value of a type, and those keys that must be bold. */
function described(
  type: Type,
  seen: ReadonlySet<string> = new Set(),
): { readonly names: readonly string[]; readonly bold: readonly string[] } {
  if (type.is === 'list') return described(type.of, seen);
  if (type.is === 'either') return joined(type.of.map((each) => described(each, seen)));
  if (type.is === 'text') return { names: choicesOf(type.choices), bold: [] };
  if ((type.is !== 'map' && type.is !== 'members') || seen.has(type.shape)) return { names: [], bold: [] };
  if (type.shape in tables || elsewhere.has(type.shape)) return { names: [], bold: [] };
  const keys = offered(language[type.shape].keys);
  const inner = joined(keys.map(([, key]) => described(key.type, new Set([...seen, type.shape]))));
  return {
    names: [...keys.map(([name]) => name), ...inner.names],
    bold: [...keys.flatMap(([name, { required }]) => (required ? [name] : [])), ...inner.bold],
  };
}

const joined = (all: readonly ReturnType<typeof described>[]): ReturnType<typeof described> => ({
  names: all.flatMap(({ names }) => names),
  bold: all.flatMap(({ bold }) => bold),
});

/** Returns the choices that are offered. Operators have a list of their own, and `*` is not a word. */
function choicesOf(choices: readonly Choice[] = []): readonly string[] {
  if (choices.some(({ value }) => value === 'notEquals')) return [];
  return choices.flatMap(({ value, hidden, deprecated }) =>
    hidden || deprecated !== undefined || value === '*' ? [] : [value],
  );
}

const offered = (keys: Readonly<Record<string, Key>>): readonly (readonly [string, Key])[] =>
  Object.entries(keys).filter(([, { hidden, deprecated }]) => !hidden && !deprecated);

/** Returns the default that the text of a key names, if it is a value. */
const defaultOf = ({ doc }: Key): string | undefined => /Default: `(\w+)`/.exec(doc)?.[1];

/** Returns what is wrong with the tables of a shape on a page. */
function wrongIn(shape: ShapeName, text: string): readonly string[] {
  const sections = (tables[shape] ?? []).map((heading) => sectionOf(heading, text)).join('\n');
  const rows = rowsOf(sections);
  const keys = language[shape].keys;
  const listed = rows.flatMap(({ names }) => names);
  return [
    ...listed.filter((name) => !Object.hasOwn(keys, name)).map((name) => `has no ${name}`),
    ...listed.filter((name, at) => listed.indexOf(name) !== at).map((name) => `lists ${name} twice`),
    ...offered(keys).flatMap(([name, key]) => {
      const row = rows.find(({ names }) => names.includes(name));
      return row ? wrongInRow(name, key, row) : [`lacks ${name}`];
    }),
    ...Object.entries(keys)
      .filter(([name, { deprecated }]) => deprecated && !namesIn(text).includes(name))
      .map(([name]) => `lacks the old name ${name}`),
  ];
}

function wrongInRow(name: string, key: Key, { bold, value }: Row): readonly string[] {
  const wrong =
    bold.includes(name) === (key.required === true) ? [] : [`${name} is ${key.required ? '' : 'not '}required`];
  if (/^as for|see \[/.test(value)) return wrong;
  const inside = described(key.type);
  const fallback = defaultOf(key);
  return [
    ...wrong,
    ...inside.names.filter((each) => !namesIn(value).includes(each)).map((each) => `${name} lacks ${each}`),
    ...inside.bold.filter((each) => !boldIn(value).includes(each)).map((each) => `${name}.${each} is required`),
    ...boldIn(value)
      .filter((each) => !inside.bold.includes(each))
      .map((each) => `${name}.${each} is not required`),
    ...(fallback === undefined || new RegExp(`\\(\`?${fallback}\\b`).test(value)
      ? []
      : [`the default of ${name} is ${fallback}`]),
  ];
}

/** Returns the operators of the page that the language does not have, and the other way round. */
function wrongOperators(text: string): readonly string[] {
  const listed = namesIn(/^Operators: [^]*?(?= All except)/m.exec(text)?.[0] ?? '');
  const known = operator.is === 'text' ? (operator.choices ?? []).map(({ value }) => value) : [];
  return [...listed.filter((each) => !known.includes(each)), ...known.filter((each) => !listed.includes(each))];
}

/** Returns the keys of refresh keys that their table lacks or invents. */
function wrongRefreshKeys(text: string): readonly string[] {
  const rows = [...sectionOf('Refresh keys', text).matchAll(/^\| ([a-z-]+) \| (.*) \|$/gm)];
  return (['cubeRefreshKey', 'preAggregationRefreshKey'] as const).flatMap((shape, at) => {
    const listed = namesIn(rows[at + 1]?.[2] ?? '');
    const known = Object.keys(language[shape].keys);
    return [
      ...known.filter((each) => !listed.includes(each)).map((each) => `${shape} lacks ${each}`),
      ...listed.filter((each) => !known.includes(each)).map((each) => `${shape} has no ${each}`),
    ];
  });
}

describe('the tables of keys', () => {
  it.each(Object.keys(tables) as ShapeName[])('have the keys, values and defaults of the language: %s', (shape) => {
    expect(wrongIn(shape, page)).toEqual([]);
  });

  it('have the keys of refresh keys, and every operator', () => {
    expect(wrongRefreshKeys(page)).toEqual([]);
    expect(wrongOperators(page)).toEqual([]);
  });

  it.each<readonly [string, string, ShapeName, readonly string[]]>([
    ['| `order` | `asc`, `desc` |', '', 'dimension', ['lacks order']],
    ['| `order` | `asc`,', '| `order` |', 'dimension', ['order lacks asc']],
    [
      '| `suggest_filter_values` | true or false (true) |',
      '| `suggest_filter_values` | true or false |',
      'dimension',
      ['the default of suggest_filter_values is true'],
    ],
    ['| **`relationship`** |', '| `relationship` |', 'join', ['relationship is required']],
    ['`params` (list of **`key`**', '`params` (list of `key`', 'dimension', ['links.key is required']],
    ['`icon`', '**`icon`**', 'dimension', ['links.icon is not required']],
    ['`view_groups` | names', '`view_sets` | names', 'view', ['has no view_sets', 'lacks view_groups']],
    ['| `grain` |', '| `grain`, `filter` |', 'measure', ['lists filter twice']],
    ['and `visible` are', 'are', 'measure', ['lacks the old name visible']],
  ])('would be found wrong: %s → %s', (right, wrong, shape, found) => {
    expect(page).toContain(right);
    expect(wrongIn(shape, page.replace(right, wrong))).toEqual(found);
  });

  it('would be found wrong without a refresh key or an operator', () => {
    expect(wrongRefreshKeys(page.replace('`immutable: true`', ''))).toEqual(['cubeRefreshKey lacks immutable']);
    expect(wrongOperators(page.replace('`gte`, ', ''))).toEqual(['gte']);
  });
});
