import { describe, expect, it } from 'vitest';
import { parseAllDocuments } from 'yaml';
import { format } from '#language-server/ide/format.ts';
import { fixture } from '#support/language/model.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { renderedFixture } from '#support/language/rendered.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { applied, completions, problems, textAfter } from '#support/language/show.ts';

describe('Fix all problems', () => {
  const fixed = (text: string): string => textAfter(text, 'Fix all problems');

  it('does not give two values one key', () => {
    for (const pairs of ['titel: A\n    tilte: B', 'titel: A\n    title: B', 'Title: A\n    titel: B']) {
      const after = fixed(`cubes:\n  - name: a\n    sql_table: t\n    ${pairs}\n    measurs: []\n`);
      expect(after).toContain('measures: []');
      expect(after.match(/^ {4}title:/gm)?.length ?? 0).toBeLessThan(2);
    }
  });

  it('does not give two values one key in a script and in braces', () => {
    const script = js`
      // file: a.js
      cube('a', { sql_table: 't', titel: 'A', tilte: 'B', measurs: {} });
    `;
    expect(fixed(script).match(/\btitle:/g)?.length ?? 0).toBeLessThan(2);
    expect(
      fixed('cubes: [{name: a, sql_table: t, titel: A, tilte: B, measurs: []}]\n').match(/\btitle:/g)?.length ?? 0,
    ).toBeLessThan(2);
  });

  it('changes one reference to one name, and leaves two equally near ones alone', () => {
    const text = yaml`
      cubes:
        - name: a
          sql_table: t
          dimensions:
            - {name: city1, sql: a, type: string}
            - {name: city2, sql: a, type: string}
          measures:
            - {name: m, type: sum, sql: "{city}", titel: x}
    `;
    expect(fixed(text)).toBe(text.replace('titel', 'title'));
  });
});

describe('a template that cannot be rendered', () => {
  const beside = (template: string): string => jinja`
    # file: b.yml.jinja
    ${template}
    # file: a.yml
    cubes:
      - name: a
        sql_table: t
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
    views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
  `;

  it.each([
    '{% for x in [1] %}\ncubes: []',
    '{{ nothing() }}',
    '{% include "none.jinja" %}',
    '{% raw %}{{ x }}{% endraw %}',
    '{# {% for x in y %} #}',
    '{% macro x() %}{% endmacro %}',
    'cubes:\n  - name: {{ undefined_name }}\n    sql_table: t',
  ])('hides no mistake in a plain cube beside it: %s', (template) => {
    const drawn = problems(renderedFixture(beside(template))).drawn;
    expect(drawn).toContain('`a` has no member `nothing`');
  });
});

describe('a formatted file of other kinds', () => {
  it.each([
    yaml`
      cubes:
        - name:   a
          sql: |2
              SELECT 1
             FROM t
    `,
    yaml`
      cubes:
        - name:   a
          title: !!str   5
    `,
    yaml`
      ---
      cubes:
        - name:   a
      ...
    `,
    yaml`
      cubes:
        - name:   a
          title: "a  \
            b"
    `,
    yaml`
      cubes:
        - name:   a
          ? title
          :   x
    `,
    yaml`
      cubes:
        - name:   a
          meta: {a:   [1,
            2],   b: "c   d"}
    `,
    'cubes:\n  - name:   a\n    title:\u00a0 x\n',
    yaml`
      cubes:
        - name:   a
          title: 'a

            b'
    `,
    yaml`
      cubes:
        - name:   a
          meta:
          -   - 1
              - 2
          -  x
    `,
    yaml`
      cubes:
        - name:   &a   b
          title:   *a
    `,
    yaml`
      cubes:
        - name:   a
          title: a   # b   c
          description: a#b   c
    `,
    yaml`
      cubes:
        -
          name:   a



          sql_table:   t
        -
          name:  b
    `,
  ])('has the values that it had: %j', (text) => {
    const { opened } = fixture(`# file: m.yml\n${text}`);
    const values = (written: string): unknown =>
      parseAllDocuments(written, { strict: true, merge: true }).map((document) => [
        document.errors.length,
        document.toJS() as unknown,
      ]);
    const after = applied(opened, format(opened));
    expect(values(after)).toEqual(values(text));
  });
});

describe('help in a template in unusual positions', () => {
  it.each([
    ['{%- set x = [1] -%}{{ x | jo$0 }}', /\bjoin\b/],
    ['{% filter $0 %}', /\bupper\b/],
    ['{% if x is $0 %}', /\bdefined\b/],
    ['{% if x is not $0 %}', /\bdefined\b/],
    ['{% for a in [1] %}{% for b in [2] %}{{ loop.$0 }}', /\bindex\b/],
    ['{% for a in [1] %}{% for b in [2] %}{{ $0 }}', /\ba\b.*\bb\b/s],
    ['{% for k, v in {}.items() %}{{ $0 }}', /\bk\b.*\bv\b/s],
    ['{% macro m(p) %}{{ $0 }}{% endmacro %}', /\bp\b/],
    ['{% macro m(p) %}{% endmacro %}{% call $0 %}', /\bm\b/],
    ['{% set x %}a{% endset %}{{ $0 }}', /\bx\b/],
    ['{% if a %}{% el$0', /\belse\b/],
    ['cubes:\n  - name: a\n    sql: |\n      {% for x in [1] %}{{ $0 }}', /\bx\b/],
  ])('is offered: %s', (text, offered) => {
    expect(completions(`# file: a.yml.jinja\n${text}\n`).drawn).toMatch(offered);
  });
});

describe('a model in an editor that names none', () => {
  const CUBE = '  - name: a\n    sql_table: t\n';
  const errorsIn = async (files: Readonly<Record<string, string>>, path: string): Promise<readonly unknown[]> => {
    const shop = Object.fromEntries(Object.entries(files).map(([name, text]) => [`shop/${name}`, text]));
    const session = await Session.start(shop, { roots: undefined }, [`${ROOT}/shop`]);
    const found = await session.diagnosticsOf(await session.open(`shop/${path}`), 1);
    session.dispose();
    return found.map(({ message }) => message);
  };

  it.each([
    ['macros in a file of YAML', { 'model/shared/m.yml': '{% macro x() %}{% endmacro %}\n' }, 'shared/m.yml'],
    ['macros beside the cubes', { 'model/cubes/m.jinja': '{% macro x() %}{% endmacro %}\n' }, 'cubes/m.jinja'],
    ['a folder that is called schema', { 'schema/m.jinja': '{% macro x() %}{% endmacro %}\n' }, 'm.jinja'],
  ])('imports %s', async (_, macros, path) => {
    const folder = Object.keys(macros)[0]?.split('/')[0] ?? '';
    const cubes = `{%- from "${path}" import x %}\n{{ x() }}\ncubes:\n${CUBE}`;
    const at = `${folder}/cubes/a.yml`;
    expect(
      await errorsIn({ ...macros, [at]: cubes, [`${folder}/cubes/b.yml`]: `cubes:\n${CUBE.replace('a', 'b')}` }, at),
    ).toEqual([]);
  });

  const changed = (session: Session, uri: string, text: string): Promise<void> =>
    session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    });

  it('imports macros that a template comes to name, and knows them as they are edited', async () => {
    const files = {
      'shop/model/cubes/a.yml': `cubes:\n${CUBE}`,
      'shop/model/m.jinja': '{% macro x() %}{% endmacro %}\n',
    };
    const session = await Session.start(files, { roots: undefined }, [`${ROOT}/shop`]);
    const uri = await session.open('shop/model/cubes/a.yml');
    await changed(session, uri, `{% from "m.jinja" import y %}\ncubes:\n${CUBE}`);
    const codes = async (version: number): Promise<unknown> =>
      (await session.diagnosticsOf(uri, version)).map(({ message }) => message);
    await expect.poll(() => codes(2)).toEqual([expect.stringContaining('y')]);
    const macros = await session.open('shop/model/m.jinja');
    await changed(session, macros, '{% macro y() %}{% endmacro %}\n');
    await expect.poll(() => codes(2)).toEqual([]);
    session.dispose();
  });

  it('includes lines that are not a model of their own', async () => {
    const files = {
      'model/cubes/a.yml': `cubes:\n${CUBE}    dimensions:\n{% include "shared/ids.yml" %}\n`,
      'model/shared/ids.yml': '      - {name: id, sql: id, type: number}\n',
    };
    expect(await errorsIn(files, 'model/cubes/a.yml')).toEqual([]);
  });

  it('has the names of its own globals.py beside another model', async () => {
    const python = (name: string): string =>
      `template = TemplateContext()\n@template.function('${name}')\ndef f():\n    return 1\n`;
    const files = {
      'a/model/globals.py': python('one'),
      'a/model/cubes/a.yml': `cubes:\n${CUBE}    title: "{{ one() }}"\n    description: "{{ two() }}"\n`,
      'b/model/globals.py': python('two'),
      'b/model/cubes/b.yml': `cubes:\n${CUBE}`,
    };
    expect(await errorsIn(files, 'a/model/cubes/a.yml')).toEqual([expect.stringContaining('two')]);
  });
});
