import { describe, expect, it } from 'vitest';
import type { CompletionList } from 'vscode-languageserver';
import { parseAllDocuments } from 'yaml';
import { format } from '#language-server/ide/format.ts';
import type { Drawn } from '#support/language/drawn.ts';
import { fixture } from '#support/language/model.ts';
import { filesIn, jinja, js, prose, python, yaml } from '#support/language/raw.ts';
import { renderedFixture } from '#support/language/rendered.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { applied, completions, problems, textAfter } from '#support/language/show.ts';

describe('Fix all problems', () => {
  const fixed = (text: string): Drawn => ({ drawn: textAfter(text, 'Fix all problems') });

  it('does not give two values one key', () => {
    expect(
      fixed(yaml`
        cubes:
          - name: a
            sql_table: t
            titel: A
            tilte: B
            measurs: []
      `),
    ).toMatchInlineSnapshot(`
      cubes:
        - name: a
          sql_table: t
          titel: A
          tilte: B
          measures: []
    `);
    expect(
      fixed(yaml`
        cubes:
          - name: a
            sql_table: t
            titel: A
            title: B
            measurs: []
      `),
    ).toMatchInlineSnapshot(`
      cubes:
        - name: a
          sql_table: t
          titel: A
          title: B
          measures: []
    `);
    expect(
      fixed(yaml`
        cubes:
          - name: a
            sql_table: t
            Title: A
            titel: B
            measurs: []
      `),
    ).toMatchInlineSnapshot(`
      cubes:
        - name: a
          sql_table: t
          Title: A
          titel: B
          measures: []
    `);
  });

  it('does not give two values one key in a script and in braces', () => {
    expect(
      fixed(js`
        // file: a.js
        cube('a', { sql_table: 't', titel: 'A', tilte: 'B', measurs: {} });
      `),
    ).toMatchInlineSnapshot(`cube('a', { sql_table: 't', titel: 'A', tilte: 'B', measures: {} });`);
    expect(
      fixed(yaml`
        cubes: [{name: a, sql_table: t, titel: A, tilte: B, measurs: []}]
      `),
    ).toMatchInlineSnapshot(`cubes: [{name: a, sql_table: t, titel: A, tilte: B, measures: []}]`);
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
    expect(fixed(text)).toEqual({ drawn: text.replace('titel', 'title') });
  });
});

describe('a template that cannot be rendered', () => {
  /** Draws the problems of a template, and of a plain cube beside it that has one. */
  const drawnBeside = (template: string): string => {
    const files = jinja`
      # file: b.yml.jinja
      ${template}
      # file: a.yml
      cubes:
        - name: a
          sql_table: t
          dimensions: [{name: id, sql: id, type: number, primary_key: true}]
      views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
    `;
    return problems(renderedFixture(files)).drawn;
  };
  const ofTheCube = prose`
    a.yml
    5 views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
                                                          ~~~~~~~ error unknown-reference: \`a\` has no member \`nothing\`.
  `;

  it.each([
    '{{ nothing() }}',
    '{# {% for x in y %} #}',
    '{% macro x() %}{% endmacro %}',
    jinja`
      cubes:
        - name: {{ undefined_name }}
          sql_table: t
    `,
  ])('without a problem of its own hides no mistake in a plain cube beside it: %s', (template) => {
    expect(drawnBeside(template)).toBe(ofTheCube.trimEnd());
  });

  it('with a problem of its own hides none, either', () => {
    const unclosed = jinja`
      {% for x in [1] %}
      cubes: []
    `;
    expect({ drawn: drawnBeside(unclosed) }).toMatchInlineSnapshot(`
      a.yml
      5 views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
                                                            ~~~~~~~ error unknown-reference: \`a\` has no member \`nothing\`.
      b.yml.jinja
      1 {% for x in [1] %}
        ~~~~~~~~~~~~~~~~~~ error jinja-syntax: {% for %} is never closed: add {% endfor %}.
    `);
    expect({ drawn: drawnBeside('{% include "none.jinja" %}') }).toMatchInlineSnapshot(`
      a.yml
      5 views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
                                                            ~~~~~~~ error unknown-reference: \`a\` has no member \`nothing\`.
      b.yml.jinja
      1 {% include "none.jinja" %}
                    ~~~~~~~~~~ error unknown-reference: The model has no file \`none.jinja\`: templates are named by their paths from the model's folder.
    `);
    expect({ drawn: drawnBeside('{% raw %}{{ x }}{% endraw %}') }).toMatchInlineSnapshot(`
      a.yml
      5 views: [{name: v, cubes: [{join_path: a, includes: [nothing]}]}]
                                                            ~~~~~~~ error unknown-reference: \`a\` has no member \`nothing\`.
      b.yml.jinja
      1 {% raw %}{{ x }}{% endraw %}
                  ~~~~~ error unknown-section: \`{ x }\` is not a section of a model file. Only \`cubes\`, \`views\`, \`view_groups\` are allowed at the top.
    `);
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
    yaml`
      cubes:
        - name:   a
          title:${'\u00A0'} x
    `,
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
  const offered = (text: string): string =>
    completions(jinja`
      # file: a.yml.jinja
      ${text}
    `).drawn;

  it.each([
    ['{% for a in [1] %}{% for b in [2] %}{{ $0 }}', 'a, b, COMPILE_CONTEXT, env_var, loop'],
    ['{% for k, v in {}.items() %}{{ $0 }}', 'k, v, COMPILE_CONTEXT, env_var, loop'],
    ['{% macro m(p) %}{{ $0 }}{% endmacro %}', 'p, COMPILE_CONTEXT, env_var, m, caller'],
    ['{% macro m(p) %}{% endmacro %}{% call $0 %}', 'COMPILE_CONTEXT, env_var, m'],
    ['{% set x %}a{% endset %}{{ $0 }}', 'x, COMPILE_CONTEXT, env_var'],
    [
      jinja`
        cubes:
          - name: a
            sql: |
              {% for x in [1] %}{{ $0 }}
      `,
      'x, COMPILE_CONTEXT, env_var, loop',
    ],
  ])('is the names that are in scope: %s', (text, names) => {
    expect(offered(text).replaceAll('\n', ' ')).toBe(`${names}, range, namespace, dict, true, false, none, not`);
  });

  it('is the names of a loop, filters, tests and tags', () => {
    const drawn = (text: string): Drawn => ({ drawn: offered(text) });
    expect(drawn('{% for a in [1] %}{% for b in [2] %}{{ loop.$0 }}')).toMatchInlineSnapshot(`
      index, index0, first, last, length, revindex, revindex0, cycle, depth, depth0, previtem, nextitem,
      changed
    `);
    expect(drawn('{% filter $0 %}')).toMatchInlineSnapshot(`
      safe, default, items, join, lower, upper, replace, length, trim, first, last, list, map, abs, attr,
      batch, bool, capitalize, chain, count, d, dictsort, e, escape, float, format, groupby, indent, int,
      keys, lines, max, min, pprint, reject, rejectattr, reverse, round, select, selectattr, slice, sort,
      split, string, sum, title, tojson, unique, urlencode, values, zip
    `);
    expect(drawn('{% if x is $0 %}')).toMatchInlineSnapshot(`
      defined, none, undefined, string, number, startingwith, endingwith, in, boolean, containing,
      divisibleby, eq, even, false, ge, gt, integer, iterable, le, lower, lt, mapping, ne, odd, sequence,
      true, upper
    `);
    expect(drawn('{% if a %}{% el$0')).toMatchInlineSnapshot(
      `endif, for, if, elif, else, set, macro, from, import, include, call, filter, with, do, endset`,
    );
    expect(offered('{%- set x = [1] -%}{{ x | jo$0 }}')).toBe(offered('{% filter $0 %}'));
    expect(offered('{% if x is not $0 %}')).toBe(offered('{% if x is $0 %}'));
  });
});

describe('a model in an editor that names none', () => {
  const cube = (name: string): string => yaml`
    cubes:
      - name: ${name}
        sql_table: t
  `;
  const macro = (name: string): string => jinja`
    {% macro ${name}() %}{% endmacro %}
  `;
  const inShop = (files: string): Readonly<Record<string, string>> =>
    Object.fromEntries([...filesIn(files)].map(([path, text]) => [`shop/${path}`, text]));
  const open = (files: string): Promise<Session> =>
    Session.start(inShop(files), { roots: undefined }, [`${ROOT}/shop`]);
  const messagesOf = async (session: Session, uri: string, version = 1): Promise<readonly unknown[]> =>
    (await session.diagnosticsOf(uri, version)).map(({ message }) => message);
  /** The problems of the first file. */
  const messagesIn = async (files: string): Promise<readonly unknown[]> => {
    const session = await open(files);
    const [path = ''] = filesIn(files).keys();
    const found = await messagesOf(session, await session.open(`shop/${path}`));
    session.dispose();
    return found;
  };

  it.each([
    ['macros in a file of YAML', 'model', 'shared/m.yml'],
    ['macros beside the cubes', 'model', 'cubes/m.jinja'],
    ['a folder that is called schema', 'schema', 'm.jinja'],
  ])('imports %s', async (_, folder, path) => {
    const files = jinja`
      # file: ${folder}/cubes/a.yml
      {%- from "${path}" import x %}
      {{ x() }}
      ${cube('a')}
      # file: ${folder}/cubes/b.yml
      ${cube('b')}
      # file: ${folder}/${path}
      ${macro('x')}
    `;
    expect(await messagesIn(files)).toEqual([]);
  });

  const changed = (session: Session, uri: string, text: string): Promise<void> =>
    session.client.sendNotification('textDocument/didChange', {
      textDocument: { uri, version: 2 },
      contentChanges: [{ text }],
    });

  it('finds the file of macros that a template comes to name, and knows its macros as they are edited', async () => {
    const session = await open(jinja`
      # file: model/cubes/a.yml
      ${cube('a')}
      # file: model/m.jinja
      ${macro('x')}
    `);
    const uri = await session.open('shop/model/cubes/a.yml');
    const importing = jinja`
      {% from "m.jinja" import x %}
      ${cube('a')}
    `;
    await changed(session, uri, importing);
    await expect.poll(() => messagesOf(session, uri, 2)).toEqual([]);
    const position = { line: 0, character: importing.indexOf('x %}') };
    const offered = async (): Promise<readonly string[]> => {
      const { items } = await session.request<CompletionList>('textDocument/completion', uri, { position });
      return items.map(({ label }) => label);
    };
    expect(await offered()).toEqual(['x']);
    const macros = await session.open('shop/model/m.jinja');
    await changed(session, macros, macro('y'));
    await expect.poll(offered).toEqual(['y']);
    session.dispose();
  });

  it('includes lines that are not a model of their own', async () => {
    const files = jinja`
      # file: model/cubes/a.yml
      ${cube('a')}
          dimensions:
      {% include "shared/ids.yml" %}
      # file: model/shared/ids.yml
            - {name: id, sql: id, type: number}
    `;
    expect(await messagesIn(files)).toEqual([]);
  });

  it('has the names of its own globals.py beside another model', async () => {
    const globals = (name: string): string => python`
      template = TemplateContext()
      @template.function('${name}')
      def f():
          return 1
    `;
    const files = jinja`
      # file: a/model/cubes/a.yml
      ${cube('a')}
          title: "{{ one() }}"
          description: "{{ two() }}"
      # file: a/model/globals.py
      ${globals('one')}
      # file: b/model/cubes/b.yml
      ${cube('b')}
      # file: b/model/globals.py
      ${globals('two')}
    `;
    expect(await messagesIn(files)).toEqual([
      'Templates have no function `two`: neither the engine nor this file nor `globals.py` defines it.',
    ]);
  });
});
