import { globSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cursorAt } from '#model/cursor/cursor.ts';
import { relatedProblems, textProblems } from '#model/checks/check.ts';
import { editFile } from '#model/edit.ts';
import { type ModelFile, parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { textIn } from '#model/locate.ts';
import { symbolsOf } from '#model/symbols.ts';
import { indexOf } from '#support/language/problems.ts';
import { yaml } from '#support/language/raw.ts';

const corpora = globSync(
  'test/fixtures/corpora/{ix-eda-llm,vanilla-components,embeddable_starter_basics,cube-fixtures}/**/*.{yml,yaml,jinja,js}',
)
  .filter((path) => !path.includes('cubejs-backend-native/benchmarks'))
  .map((path) => [path, readFileSync(path, 'utf8')] as const)
  .filter(([, text]) => text.length < 4000);
/** Files of several items, where editing one must leave the others alone. */
const long = corpora
  .slice(0, 12)
  .map(
    ([path, text], at) =>
      [
        path.replace(/\.js$/, '.yml'),
        path.endsWith('.js')
          ? ''
          : `${text.trimEnd()}\n${text.replace(/^cubes:.*\n/, '').replaceAll('name: ', `name: x${at}_`)}`,
      ] as const,
  )
  .filter(([, text]) => text !== '');

const piece = fc.constantFrom(
  'a',
  ' ',
  '\n',
  '  ',
  '- ',
  ': ',
  '{',
  '}',
  '{{ x }}',
  '{%',
  '"',
  "'",
  '#',
  'cubes:\n',
  'views:\n',
  '\n  - name: z\n',
  '<<<<<<< a\n',
  '\t',
  '[',
  ']',
  ',',
  '|',
  '\r\n',
  '\r',
  yaml`
    "a
    - b
    c"
  `,
  "' #\n",
  '---\n',
  'name: b',
  '{CUBE.id}',
  'extends: orders',
);
const edit = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), remove: fc.nat(12), insert: piece });

function shape(file: ModelFile): unknown {
  return {
    parts: file.chunks.map(({ start, sectionStart, lead, chunk }) => [
      start,
      sectionStart,
      lead,
      chunk.kind,
      chunk.section,
      chunk.templated,
      chunk.problems,
      chunk.entities.map(({ kind, nameNode, node }) => [kind, nameNode?.value, node.start, node.end]),
    ]),
    problems: file.problems,
    conflicted: file.conflicted,
    verbatim: file.verbatim,
  };
}

describe('editing', () => {
  // @shows incremental
  it('gives what parsing from scratch gives', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...long, ...corpora),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        ([path, source], edits) => {
          let file = parseFile(path, source);
          for (const { at, remove, insert } of edits) {
            const start = Math.floor(at * file.text.length);
            const end = Math.min(file.text.length, start + remove);
            const text = file.text.slice(0, start) + insert + file.text.slice(end);
            file = editFile(file, text, [{ start, end, text: insert }]);
            expect(shape(file)).toEqual(shape(parseFile(path, text)));
          }
        },
      ),
      { numRuns: 400, seed: 42 },
    );
  });

  it('gives the same for several changes at once', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...long, ...corpora),
        fc.array(edit, { minLength: 2, maxLength: 4 }),
        ([path, source], edits) => {
          const file = parseFile(path, source);
          let text = source;
          const changes = edits.map(({ at, remove, insert }) => {
            const start = Math.floor(at * text.length);
            const end = Math.min(text.length, start + remove);
            text = text.slice(0, start) + insert + text.slice(end);
            return { start, end, text: insert };
          });
          const edited = editFile(file, text, changes);
          expect([edited.text, shape(edited)]).toEqual([text, shape(parseFile(path, text))]);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('returns any piece of the text after an edit', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...long, ...corpora),
        edit,
        fc.nat(5_000),
        fc.nat(5_000),
        ([path, source], { at, remove, insert }, from, size) => {
          const start = Math.floor(at * source.length);
          const end = Math.min(source.length, start + remove);
          const text = source.slice(0, start) + insert + source.slice(end);
          const edited = editFile(parseFile(path, source), text, [{ start, end, text: insert }]);
          expect(textIn(edited, from, from + size)).toBe(text.slice(from, from + size));
        },
      ),
      { numRuns: 300 },
    );
  });

  it('parses only the last item of a section when it is edited', () => {
    const source = yaml`
      cubes:
        - name: a
          sql: x
        - name: b
          sql: y

      views:
        - name: v
          description: z
    `;
    const at = source.indexOf('sql: y') + 5;
    const text = `${source.slice(0, at)}yy${source.slice(at)}`;
    const before = parseFile('a.yml', source);
    const after = editFile(before, text, [{ start: at, end: at, text: 'yy' }]);
    const isKept = after.chunks.map(({ chunk }) => before.chunks.some((other) => other.chunk === chunk));
    expect(isKept).toEqual([true, false, true]);
    expect(shape(after)).toEqual(shape(parseFile('a.yml', text)));
  });

  // @shows cancellation
  it('parses only the item that it touches', () => {
    const [path, text] = [
      'a.yml',
      yaml`
        cubes:
          - name: a
            sql: x
          - name: b
            sql: y
          - name: c
            sql: z
      `,
    ];
    const before = parseFile(path, text);
    const at = text.indexOf('sql: y') + 5;
    const after = editFile(before, `${text.slice(0, at)}y${text.slice(at)}`, [{ start: at, end: at, text: 'y' }]);
    expect(after.chunks.map(({ chunk }, index) => chunk === before.chunks[index]?.chunk)).toEqual([true, false, true]);
  });

  // @shows incremental
  it('finds the same problems as checking from scratch', () => {
    const names = ['ix-eda-llm'];
    const files = Object.fromEntries(
      corpora.filter(([path]) => names.some((name) => path.includes(name)) && path.endsWith('.yml')),
    );
    const paths = Object.keys(files);
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(...paths), edit), { minLength: 1, maxLength: 4 }), (edits) => {
        const index = indexOf(files);
        check(index);
        for (const [path, { at, remove, insert }] of edits) {
          const before = index.file(path);
          if (!before) throw new Error(path);
          const start = Math.floor(at * before.text.length);
          const end = Math.min(before.text.length, start + remove);
          const text = before.text.slice(0, start) + insert + before.text.slice(end);
          index.set(editFile(before, text, [{ start, end, text: insert }]));
          const fresh = indexOf(Object.fromEntries([...index.files()].map((file) => [file.path, file.text])));
          expect(check(index)).toEqual(check(fresh));
        }
      }),
      { numRuns: 40, seed: 3 },
    );
  });
});

function check(index: ModelIndex): string[] {
  return [...index.files()].flatMap((file) =>
    [...textProblems(file), ...file.chunks.flatMap((placed) => relatedProblems(placed, index, file))].map(
      ({ problem, start, end, severity }) =>
        `${file.path} ${start}-${end} ${severity} ${problem.code} ${problem.message}`,
    ),
  );
}

describe('broken input', () => {
  // @shows broken-input, never-throws
  it('never throws, whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom(...corpora), fc.array(edit, { maxLength: 8 }), ([path, source], edits) => {
        let text = source;
        for (const { at, remove, insert } of edits) {
          const start = Math.floor(at * text.length);
          text = text.slice(0, start) + insert + text.slice(start + remove);
        }
        const index = new ModelIndex();
        const file = parseFile(path, text);
        index.set(file);
        for (const { chunk } of file.chunks) for (const symbol of symbolsOf(chunk)) index.membersOf(symbol);
        check(index);
        const offset = Math.floor((edits[0]?.at ?? 0) * text.length);
        expect(['key', 'value']).toContain(cursorAt(text, offset).kind);
      }),
      { numRuns: 600, seed: 11 },
    );
  });

  // @shows broken-input
  it('calls a merge conflict one problem and analyses our side', () => {
    const text = yaml`
      cubes:
        - name: a
      <<<<<<< ours
          sql_table: one
      =======
          sql_table: two
          sql: x
      >>>>>>> theirs
          measures:
            - {name: m, type: count}
    `;
    const file = parseFile('a.yml', text);
    expect(textProblems(file).map(({ problem }) => problem.code)).toEqual(['conflict-marker']);
    expect(file.chunks.flatMap(({ chunk }) => chunk.entities).length).toBe(1);
  });

  it('calls a binary file one problem', () => {
    expect(textProblems(parseFile('a.yml', 'ab\0cd')).map(({ problem }) => problem.message)).toEqual([
      'This is a binary file, not a model.',
    ]);
  });

  // @shows broken-input
  it('names tabs, unclosed quotes and unquoted braces', () => {
    const codes = (text: string): string[] => textProblems(parseFile('a.yml', text)).map(({ problem }) => problem.code);
    expect(codes('cubes:\n  - name: a\n\tsql: x\n')).toMatchInlineSnapshot(`
      [
        "tab-indent",
      ]
    `);
    expect(
      codes(yaml`
        cubes:
          - name: a
            sql: {CUBE}.x
      `),
    ).toMatchInlineSnapshot(`
      [
        "unquoted-braces",
      ]
    `);
  });
});
