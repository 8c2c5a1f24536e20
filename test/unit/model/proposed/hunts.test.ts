import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { lineChanges } from '#base/merge-lines.ts';
import { parseFile } from '#model/file.ts';
import { inventoryOf, missingIn } from '#model/proposed/inventory.ts';
import { classifyBlocks } from '#model/proposed/classify-blocks.ts';
import { scriptModels } from '#support/proposals/script-models.ts';
import { type YamlModel, yamlModels } from '#support/proposals/yaml-models.ts';
import { js, yaml } from '#support/language/raw.ts';

const RUNS = Number(process.env['HUNT'] ?? 120);
interface Tally {
  change: number;
  draft: number;
  quote: number;
}
const tally = (): Tally => ({ change: 0, draft: 0, quote: 0 });

/** Whether a text says that something of the file is lost. */
function lost(path: string, before: string, after: string): readonly string[] {
  return missingIn(inventoryOf(parseFile(path, before)), inventoryOf(parseFile(path, after))).map(({ label }) => label);
}

describe('a piece of YAML in a model that was written by hand', () => {
  type Form = (cube: string, item: string) => string;
  const forms = {
    item: (_, item) => item,
    section: (_, item) => yaml`
      measures:
        ${item}
    `,
    elided: (_, item) => yaml`
      measures:
        # ... existing measures
        ${item}
    `,
    cube: (cube, item) => yaml`
      - name: ${cube}
        # ...
        measures:
          ${item}
    `,
    file: (cube, item) => yaml`
      cubes:
        - name: ${cube}
          measures:
            ${item}
    `,
  } as const satisfies Record<string, Form>;
  const addition = fc.constantFrom(
    yaml`
      - name: fresh_one
        sql: "{CUBE}.fresh"
        type: sum
    `,
    yaml`
      - name: fresh_one
        description: >
          Two lines,
          with a # sign.
        type: count
    `,
    yaml`
      - name: fresh_one
        sql: fresh
        type: number
        meta: { a: [1, "b: c"] }
    `,
    yaml`
      # Why it is there.
      - name: fresh_one
        type: count
    `,
  );
  const counted = tally();

  it('comes in without touching anything else, or does not count as a change', () => {
    fc.assert(
      fc.property(yamlModels, fc.constantFrom(...Object.keys(forms)), addition, fc.nat(), (model, form, item, at) => {
        const cube = model.cubes[at % model.cubes.length]?.name ?? '';
        const text = forms[form as keyof typeof forms](cube, item);
        const classified = classifyBlocks('model/a.yml', model.text, [
          { language: 'yaml', above: `Add this to the cube ${cube}:`, text },
        ]);
        counted[classified.kind] += 1;
        if (classified.kind !== 'change') return;
        expect(lineChanges(model.text, classified.text).filter(({ start, end }) => start !== end)).toEqual([]);
        expect(lost('model/a.yml', model.text, classified.text)).toEqual([]);
        const [before, after] = [measuresIn(model.text), measuresIn(classified.text)];
        const [added] = (parse(item) as readonly unknown[]) ?? [];
        for (const [name, list] of before) {
          const now = after.get(name) ?? [];
          expect(now.filter((each) => nameOf(each) !== 'fresh_one')).toEqual(list);
          expect(now.filter((each) => nameOf(each) === 'fresh_one')).toEqual(name === cube ? [added] : []);
        }
        expect(withoutMeasures(classified.text)).toEqual(withoutMeasures(model.text));
      }),
      { numRuns: RUNS },
    );
    // Most of them are placed: a test that everything is a draft would prove nothing.
    expect(counted.change).toBeGreaterThan(RUNS * 0.6);
  });

  it('changes the member that it names, and no line of another', () => {
    const changes = tally();
    fc.assert(
      fc.property(
        yamlModels,
        fc.nat(),
        fc.nat(),
        fc.constantFrom('item', 'section', 'cube', 'file'),
        (model, a, b, form) => {
          const cube = model.cubes[a % model.cubes.length];
          const member = cube?.measures[b % cube.measures.length];
          if (!cube || !member) return;
          const item = yaml`
            - name: ${member.name}
              sql: "{CUBE}.other"
              type: min
          `;
          const classified = classifyBlocks('model/a.yml', model.text, [
            { language: 'yaml', above: '', text: forms[form](cube.name, item) },
          ]);
          changes[classified.kind] += 1;
          if (classified.kind !== 'change') return;
          expect(lost('model/a.yml', model.text, classified.text)).toEqual([]);
          const [from, to] = linesOf(model, member.name);
          for (const { start, end } of lineChanges(model.text, classified.text)) {
            expect(start).toBeGreaterThanOrEqual(from);
            expect(end).toBeLessThanOrEqual(to);
          }
          const now = measuresIn(classified.text)
            .get(cube.name)
            ?.find((each) => nameOf(each) === member.name);
          expect(now).toMatchObject({ name: member.name, sql: '{CUBE}.other', type: 'min' });
          const others = (text: string): unknown =>
            [...measuresIn(text)].map(([name, list]) => [name, list.filter((each) => nameOf(each) !== member.name)]);
          expect(others(classified.text)).toEqual(others(model.text));
          expect(withoutMeasures(classified.text)).toEqual(withoutMeasures(model.text));
        },
      ),
      { numRuns: RUNS },
    );
    expect(changes.change).toBeGreaterThan(RUNS * 0.6);
  });

  it('becomes a new cube beside the others, which stay as they are', () => {
    const changes = tally();
    const piece = yaml`
      cubes:
        - name: brand_new
          sql_table: t
          dimensions:
            - name: id
              sql: id
              type: number
    `;
    fc.assert(
      fc.property(yamlModels, fc.boolean(), (model, bare) => {
        const text = bare ? piece.replace(/^cubes:\n/, '').replaceAll(/^ {2}/gm, '') : piece;
        const classified = classifyBlocks('model/a.yml', model.text, [{ language: 'yaml', above: '', text }]);
        changes[classified.kind] += 1;
        if (classified.kind !== 'change') return;
        expect(lineChanges(model.text, classified.text).filter(({ start, end }) => start !== end)).toEqual([]);
        expect(lost('model/a.yml', model.text, classified.text)).toEqual([]);
        expect([...measuresIn(classified.text).keys()]).toEqual([...measuresIn(model.text).keys(), 'brand_new']);
      }),
      { numRuns: RUNS / 2 },
    );
    expect(changes.change).toBeGreaterThan(RUNS * 0.3);
  });
});

describe('a file that begins with more than its cubes', () => {
  const heads = [
    '---\n',
    yaml`
      %YAML 1.2
      ---
    `,
    '\uFEFF',
    '{% set unit = "eur" %}\n',
    '{%- macro col(n) -%}{{ n }}{%- endmacro -%}\n',
  ];
  const pieces: Readonly<Record<string, (base: string, cube: string, at: number) => string>> = {
    'the whole file with a view': (base, cube) =>
      `${base.trimEnd()}\n\n${yaml`
        views:
          - name: all
            cubes:
              - join_path: ${cube}
                includes: "*"
      `}`,
    'two sections': (_, cube) =>
      yaml`
        - name: ${cube}
          measures:
            - name: fresh
              type: count
          dimensions:
            - name: more
              sql: x
              type: string
      `,
    'a section that the cube does not have': () => yaml`
      segments:
        - name: open
          sql: "{CUBE}.a = 1"
    `,
    'tabs in front': () => '\tmeasures:\n\t- name: fresh\n\t  sql: fresh\n\t  type: sum\n',
    'a patch': (base, _, at) => {
      const lines = base.split('\n');
      const line = Math.max(1, at % lines.length);
      const [before, after] = [lines.slice(line - 1, line), lines.slice(line, line + 1)];
      const kept = (some: readonly string[]): string => some.map((text) => ` ${text}\n`).join('');
      return `@@ -${line},2 +${line},3 @@\n${kept(before)}+# Added by a patch.\n${kept(after)}`;
    },
  };

  it.each(Object.keys(pieces))('keeps its lines when a piece is added: %s', (kind) => {
    const counted = tally();
    fc.assert(
      fc.property(yamlModels, fc.constantFrom(...heads), fc.nat(), (model, head, at) => {
        const base = head + model.text;
        const path = head.startsWith('{%') ? 'model/a.yml.jinja' : 'model/a.yml';
        const cube = model.cubes[at % model.cubes.length]?.name ?? '';
        const text = pieces[kind]?.(base, cube, at) ?? '';
        const language = kind === 'a patch' ? 'diff' : 'yaml';
        const classified = classifyBlocks(path, base, [{ language, above: `In the cube ${cube}:`, text }]);
        counted[classified.kind] += 1;
        if (classified.kind !== 'change') return;
        expect(lineChanges(base, classified.text).filter(({ start, end }) => start !== end)).toEqual([]);
        expect(lost(path, base, classified.text)).toEqual([]);
      }),
      { numRuns: RUNS / 4 },
    );
    expect(counted.change).toBeGreaterThan(RUNS * 0.15);
  });
});

type Item = Readonly<Record<string, unknown>>;
type Root = { readonly cubes: readonly (Item & { readonly measures?: readonly Item[] })[] };

/** Read by another parser than ours. */
function read(text: string): Root {
  return parse(text) as Root;
}

function measuresIn(text: string): ReadonlyMap<string, readonly Item[]> {
  return new Map(read(text).cubes.map(({ name, measures = [] }) => [String(name), measures]));
}

function withoutMeasures(text: string): unknown {
  return read(text)
    .cubes.filter(({ name }) => name !== 'brand_new')
    .map((cube) => Object.entries(cube).filter(([key]) => key !== 'measures'));
}

function nameOf(item: unknown): unknown {
  return (item as Item)['name'];
}

/** The lines of a member, up to the next one or the end of its list. */
function linesOf({ text }: YamlModel, name: string): readonly [number, number] {
  const lines = text.split('\n');
  const from = lines.findIndex((line) => line.includes('-') && new RegExp(`name"?: ["']?${name}\\b`).test(line));
  const dash = lines[from]?.indexOf('-') ?? 0;
  const next = lines.findIndex((line, at) => at > from && line.trim() !== '' && line.search(/\S/) <= dash);
  return [from, next === -1 ? lines.length : next];
}

describe('a piece of JavaScript in a model that was written by hand', () => {
  const members = [
    js`
      fresh_one: {
        sql: \`\${CUBE}.fresh\`,
        type: \`sum\`,
      },
    `,
    'fresh_one: { type: `count` }',
    'fresh_one: {\n\tsql: () => `a }`,\n\ttype: `sum`\n}\n',
    js`
      // Why it is there.
      fresh_one: {
        type: \`count\`,
      }
    `,
  ];
  const forms = {
    item: (_: string, member: string) => member,
    section: (_: string, member: string) => js`
      measures: {
      ${member}
      }`,
    cube: (cube: string, member: string) => js`
      cube(\`${cube}\`, {
        // ...
        measures: {
          ${member}
        },
      });`,
  } as const;

  it('comes in without touching anything else, or does not count as a change', () => {
    const counted = tally();
    fc.assert(
      fc.property(
        scriptModels,
        fc.constantFrom(...Object.keys(forms)),
        fc.constantFrom(...members),
        fc.nat(),
        (model, form, member, at) => {
          const cube = model.cubes[at % model.cubes.length]?.name ?? '';
          const text = forms[form as keyof typeof forms](cube, member);
          const classified = classifyBlocks('model/a.js', model.text, [
            { language: 'javascript', above: `Add this measure to the cube ${cube}:`, text },
          ]);
          counted[classified.kind] += 1;
          if (classified.kind !== 'change') return;
          expect(lost('model/a.js', model.text, classified.text)).toEqual([]);
          // At most a comma is added to a line that was there.
          for (const { start, end, lines } of lineChanges(model.text, classified.text)) {
            const before = model.text.split('\n').slice(start, end);
            expect(lines.slice(0, before.length).map(withoutComma)).toEqual(before.map(withoutComma));
          }
          const [was, is] = [evaluated(model.text), evaluated(classified.text)];
          expect(is.get(cube)).toHaveProperty(['measures', 'fresh_one']);
          delete is.get(cube)?.measures?.['fresh_one'];
          expect(shown(is)).toEqual(shown(was));
        },
      ),
      { numRuns: RUNS },
    );
    expect(counted.change).toBeGreaterThan(RUNS * 0.6);
  });
});

/** A line without the comma in front of its comment or its end. */
function withoutComma(line: string): string {
  return line.replace(/\n$/, '').replace(/,?(\s*(?:\/\/.*|\/\*.*\*\/\s*)?)$/, '$1');
}

type Definition = { measures?: Record<string, unknown> } & Record<string, unknown>;

/** What a script defines when it runs. */
function evaluated(text: string): Map<string, Definition> {
  const found = new Map<string, Definition>();
  // oxlint-disable-next-line no-implied-eval -- the scripts are made by this test
  const run = new Function('cube', 'CUBE', 'module', text);
  run((name: string, definition: Definition) => found.set(name, definition), 'CUBE', {});
  return found;
}

function shown(found: ReadonlyMap<string, Definition>): string {
  return JSON.stringify([...found], (_, value: unknown) => (typeof value === 'function' ? String(value) : value));
}
