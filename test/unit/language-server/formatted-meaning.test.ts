import { array, assert, constantFrom, nat, property, record, tuple } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Lexer, parseAllDocuments } from 'yaml';
import { format } from '#language-server/ide/format.ts';
import { ownModels } from '#support/language/injected/models.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { fixture } from '#support/language/model.ts';
import { filesIn, yaml } from '#support/language/raw.ts';
import { applied } from '#support/language/show.ts';
import { TEMPLATED_MODELS } from '#support/language/templated-models.ts';

/** What models of other people hardly have: texts in blocks of every kind, anchors, merges, letters of other languages. */
const ODD: readonly string[] = [
  'cubes:\n  - name: a # c\n    sql: |+\n      SELECT 1  \n\n\n      FROM t\n\n\n    title: "x"\n',
  yaml`
    cubes:
      - name: a
        sql: >-
          SELECT 1
            , 2


          FROM t
        description: |
          # no comment
          -   dash
          key:   value
  `,
  yaml`
    cubes:
      - &base
        name:   a
        sql_table:   t
      - <<: *base
        name:  b
  `,
  yaml`
    cubes:
      - name:   größe
        title:   "日本語   text"
        description:   'it''s   fine'
        meta: {a:   1, b:  [1,   2]}
  `,
  yaml`
    cubes:
      - name:  a
        description: one
          two


          three
        title: "one


          two"
  `,
  yaml`
    cubes:
      -   name:   a   # why
          sql_table:   t
  `,
  yaml`
    # first



    cubes:   # all



      # of it
      - name: a


        # inside
        sql_table: t


    # last
  `,
];

/** Texts with spaces and blank lines that belong to values, beside lines that are untidy. */
const KEPT_SPACES: readonly string[] = [
  'cubes:\n  - name:   a\n    title: 日本語　x　\n    sql_table:   t\u2003\n',
  'cubes:\n  - name:   a\n    sql:   x\u00a0   \n    title: "b"\n',
  'cubes:\n  - name:   a\n    title:   x\n    sql: |+\n      SELECT 1\n\n\n\n',
  'cubes:\r\n  - name:   a\r\n    title: >+\r\n      x\r\n\r\n\r\n',
  '\uFEFF---\ncubes:\n  - name:   a\n    meta:   {a: [1,\n       2]}\n...\n',
];

const texts: readonly string[] = [
  ...ODD,
  ...[...ownModels().values()].flatMap((model) =>
    Object.entries(model).flatMap(([path, text]) =>
      /\.ya?ml$/.test(path) && !/\{[{%#]|[}%#]\}/.test(text) && text.length < 6000 ? [text] : [],
    ),
  ),
];

const formatted = (text: string): string => {
  const { opened } = fixture(`# file: m.yml\n${text}`);
  return applied(opened, format(opened));
};

/** What a strict parser reads: the values of each document, or that there is an error. */
function valuesOf(text: string): unknown {
  const documents = parseAllDocuments(text, { strict: true, merge: true, uniqueKeys: true });
  if (!Array.isArray(documents) || documents.some(({ errors }) => errors.length > 0)) return 'error';
  return documents.map((document): unknown => document.toJS());
}

function commentsOf(text: string): readonly string[] {
  return [...new Lexer().lex(text)].filter((token) => token.startsWith('#')).map((comment) => comment.trimEnd());
}

/** Ways to make a line untidy. Some break the text around it: those are not formatted. */
const UNTIDY: Readonly<Record<string, (line: string) => string>> = {
  'spaces at the end': (line) => `${line}   `,
  'a tab at the end': (line) => `${line}\t`,
  'spaces behind a key': (line) => line.replace(/^(\s*(?:- )?\w+:) (?=\S)/, '$1    '),
  'spaces behind a dash': (line) => line.replace(/^(\s*-) (?=\S)/, '$1   '),
  'blank lines': (line) => `${line}\n\n\n`,
  'a comment at the end': (line) => `${line}   # why`,
  'a comment line': (line) => `${line}\n      #   a comment  `,
  deeper: (line) => `  ${line}`,
  'a carriage return': (line) => `${line}\r`,
};

const changes = array(record({ at: nat(400), how: constantFrom(...Object.keys(UNTIDY)) }), { maxLength: 6 });

describe('a formatted file', () => {
  // @shows formatting
  it('has the values and the comments that it had, for a strict parser', () => {
    let edited = 0;
    assert(
      property(tuple(constantFrom(...texts), changes), ([text, untidy]) => {
        const lines = text.split('\n');
        for (const { at, how } of untidy) {
          const line = at % lines.length;
          lines[line] = UNTIDY[how]?.(lines[line] ?? '') ?? '';
        }
        const before = lines.join('\n');
        const after = formatted(before);
        if (after === before) return;
        edited++;
        expect(valuesOf(after)).toEqual(valuesOf(before));
        expect(commentsOf(after)).toEqual(commentsOf(before));
        // A second time changes nothing.
        expect(formatted(after)).toBe(after);
      }),
      { numRuns: 400, seed: 7 },
    );
    expect(edited).toBeGreaterThan(100);
  });

  it.each(KEPT_SPACES)('is tidied around spaces of its values: %j', (text) => {
    const after = formatted(text);
    expect(after).toContain('name: a');
    expect(valuesOf(after)).toEqual(valuesOf(text));
    expect(valuesOf(text)).not.toBe('error');
    expect(formatted(after)).toBe(after);
  });

  it.each(ODD.map((text) => [text]))('has the values that it had: %j', (text) => {
    expect(valuesOf(text)).not.toBe('error');
    const after = formatted(text);
    expect(valuesOf(after)).toEqual(valuesOf(text));
    expect(commentsOf(after)).toEqual(commentsOf(text));
  });

  it('is judged by the engine as before', async () => {
    const engine = await matrixEngine();
    const untidy = (text: string): string =>
      text.replaceAll(/^(\s*(?:- )?\w+:) (?=[^\s|>])/gm, '$1   ').replaceAll('\n', '\n\n');
    let edited = 0;
    for (const model of ownModels().values()) {
      const files = (change: (text: string) => string) =>
        Object.entries(model).map(([fileName, content]) => ({
          fileName,
          content: /\.ya?ml$/.test(fileName) ? change(content) : content,
        }));
      const [before, after] = [files(untidy), files((text) => formatted(untidy(text)))];
      if (before.every(({ content }, at) => content === after[at]?.content)) continue;
      edited++;
      expect(await engine.compile(after)).toEqual(await engine.compile(before));
    }
    expect(edited).toBeGreaterThan(10);
  });

  it('has the value behind a tab that it had', () => {
    const text = 'cubes:\n  - name: a\n    sql:\t"x"\t\n';
    expect(valuesOf(formatted(text))).toEqual(valuesOf(text));
  });
});

describe('a formatted file with carriage returns', () => {
  const text = 'cubes:\r\n  - name:   a   \r\n    sql: |\r\n      SELECT   1\r\n\r\n\r\n\r\n    title:  x\r\n\r\n';

  it('keeps its line breaks', () => {
    const after = formatted(text);
    expect(after).toBe('cubes:\r\n  - name: a\r\n    sql: |\r\n      SELECT   1\r\n\r\n    title: x\r\n');
    expect(valuesOf(after)).toEqual(valuesOf(text));
  });

  it('is left alone when it is tidy', () => {
    expect(format(fixture(`# file: m.yml\n${formatted(text)}`).opened)).toEqual([]);
  });

  it('keeps them in a cube beside a template', () => {
    const beside = 'cubes:\r\n  - name:   a\r\n    sql_table:  t\r\n  - name: {{ b }}\r\n';
    expect(formatted(beside)).toBe(beside.replace(':   a', ': a').replace(':  t', ': t'));
  });
});

describe('a formatted file with templates', () => {
  const plain = '  - name:   a   \n    sql_table:  t\n\n\n    title: "x"   \n';
  const tidy = '  - name: a\n    sql_table: t\n\n    title: "x"\n';

  it.each([
    ['a cube beside one with an expression', `cubes:\n${plain}  - name:   {{ b }}  \n    sql_table:   t\n`],
    [
      'a cube behind a loop',
      `cubes:\n{% for n in [1] %}\n  - name:  b{{ n }}  \n{% endfor %}\n\n${plain}\n\n\nviews: []\n`,
    ],
    ['a cube behind an assignment', `{% set x = 1 %}   \ncubes:\n${plain}`],
  ])('is tidy in %s, and as it was elsewhere', (_, text) => {
    const after = formatted(text);
    expect(after).toContain(tidy);
    expect(after.replace(tidy, '')).toBe(text.replace(plain, ''));
    expect(formatted(after)).toBe(after);
  });

  it.each([
    ['in a loop', `cubes:\n{% for n in [1] %}\n${plain}{% endfor %}\n`],
    ['behind a line that a template writes', `cubes:\n  - name: b\n    {{ rest }}\n${plain}`],
    ['with a comment of a template', `cubes:\n${plain}{# c #}\n`],
    ['of a macro', `{% macro m() %}\ncubes:\n${plain}{% endmacro %}\ncubes: []\n`],
    ['in raw text', `{% raw %}\ncubes:\n${plain}{% endraw %}\n`],
    ['below an expression', `cubes:\n{{ more }}\n${plain}`],
  ])('leaves a cube as it was %s', (_, text) => {
    expect(formatted(text)).toBe(text);
  });

  // @shows formatting
  it('compiles as it did', async () => {
    const engine = await matrixEngine();
    let edited = 0;
    for (const text of Object.values(TEMPLATED_MODELS)) {
      const model = [...filesIn(text)].map(([fileName, content]) => ({
        fileName,
        content: content.replace(/^cubes:\n(?= {2}- )/m, `cubes:\n${plain.replace('name:   a', 'name:   plain_cube')}`),
      }));
      const tidied = model.map(({ fileName, content }) => ({ fileName, content: formatted(content) }));
      if (JSON.stringify(tidied) === JSON.stringify(model)) continue;
      edited++;
      const messages = async (files: typeof model): Promise<readonly string[]> =>
        (await engine.compile(files)).map(({ message }) => message);
      expect(await messages(tidied)).toEqual(await messages(model));
    }
    expect(edited).toBeGreaterThanOrEqual(3);
  });
});
