import { describe, expect, it } from 'vitest';
import { nearestName } from '#model/suggest.ts';
import { jinja, python } from '#support/language/raw.ts';
import { ROOT, Session } from '#support/language/session.ts';
import { completionItems, completions, definitions, hovered } from '#support/language/show.ts';

const PYTHON = python`
  # file: globals.py
  template = TemplateContext()
  @template.function('load_tables')
  def load(schema):
      """All tables of a schema."""
  @template.filter('safe_name')
  def safe(value): return value
`;

/** A template beside the globals. */
const template = (text: string): string => jinja`
  ${PYTHON}
  # file: a.yml.jinja
  ${text}
`;

describe('completion in a template', () => {
  it('offers names of globals.py in an expression', () => {
    expect(completions(template('{{ $0 }}'))).toMatchInlineSnapshot(
      `COMPILE_CONTEXT, env_var, load_tables, range, namespace, dict, true, false, none, not`,
    );
  });

  it.each([
    '{{ lo$0',
    '{%- for t in $0 %}',
    jinja`
      cubes:
        - name: {{ load_tables($0) }}`,
  ])('offers the same in %s', (text) => {
    expect(completions(template(text))).toEqual(completions(template('{{ $0 }}')));
  });

  it('offers nothing directly behind a value', () => {
    expect(completions(template("{{ load_tables('a')$0 }}")).drawn).toBe('nothing');
  });

  // @shows templates
  it('offers filters behind a bar', () => {
    expect(completions(template('{{ x | sa$0 }}'))).toMatchInlineSnapshot(`
      safe_name, safe, default, items, join, lower, upper, replace, length, trim, first, last, list, map,
      abs, attr, batch, bool, capitalize, chain, count, d, dictsort, e, escape, float, format, groupby,
      indent, int, keys, lines, max, min, pprint, reject, rejectattr, reverse, round, select, selectattr,
      slice, sort, split, string, sum, title, tojson, unique, urlencode, values, zip
    `);
  });

  it('offers macros of the file', () => {
    const text = '{% macro dim(name) %}{% endmacro %}{{ d$0 }}';
    expect(completions(template(text))).toMatchInlineSnapshot(
      `COMPILE_CONTEXT, dim, env_var, load_tables, range, namespace, dict, true, false, none, not`,
    );
  });

  it('offers nothing behind a dot', () => {
    expect(completions(template('{{ x.$0 }}'))).toMatchInlineSnapshot(`nothing`);
  });

  it('offers keys outside of expressions', () => {
    const text = jinja`
      {% set x = 1 %}
      cubes:
        - name: a
          sql_table: t
          d$0
    `;
    expect(completions(template(text))).toMatchInlineSnapshot(`
      joins, dimensions, measures, segments, hierarchies, pre_aggregations, extends, title, description,
      meta, public, sql_alias, data_source, refresh_key, access_policy, calendar
    `);
  });
});

describe('a name of globals.py', () => {
  const call = template('{% for t in load_ta$0bles() %}{% endfor %}');

  // @shows templates
  it('has a hover with its parameters and its docstring', () => {
    expect(hovered(call)).toMatchInlineSnapshot(`
      **load_tables** · function of templates

      \`load_tables(schema)\`

      All tables of a schema.

      Defined in globals.py
    `);
  });

  it('leads to where it is registered', () => {
    expect(definitions(call)).toMatchInlineSnapshot(`globals.py:2 load_tables`);
  });

  it('stops being a problem once globals.py has it', async () => {
    const session = await Session.start({ 'a.yml.jinja': '{{ fresh() }}\n' });
    const uri = `${ROOT}/a.yml.jinja`;
    expect((await session.diagnosticsOf(uri, undefined)).map(({ code }) => code)).toEqual(['unknown-reference']);
    session.files.set(`${ROOT}/globals.py`, "c = TemplateContext()\nc.add_function('fresh', 1)\n");
    const cleared = session.cleared(uri);
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${ROOT}/globals.py`, type: 1 }],
    });
    expect(await cleared).toEqual([]);
    session.dispose();
  });

  // @shows templates (server)
  it('counts as soon as globals.py has it', async () => {
    const session = await Session.start({ 'globals.py': 'c = TemplateContext()\n', 'a.yml.jinja': 'x: {{ y }}\n' });
    const uri = await session.open('a.yml.jinja');
    const ask = async (): Promise<string[]> => {
      const list = await session.request<{ items: { label: string }[] }>('textDocument/completion', uri, {
        position: { line: 0, character: 6 },
      });
      return list.items.map(({ label }) => label);
    };
    const before = await ask();
    session.files.set(`${ROOT}/globals.py`, "c = TemplateContext()\nc.add_variable('fresh', 1)\n");
    await session.client.sendNotification('workspace/didChangeWatchedFiles', {
      changes: [{ uri: `${ROOT}/globals.py`, type: 2 }],
    });
    const after = await ask();
    expect(after.filter((label) => label !== 'fresh')).toEqual(before);
    expect(after.filter((label) => !before.includes(label))).toEqual(['fresh']);
    session.dispose();
  });
});

describe('formatting a file with templates', () => {
  // @shows formatting (server), templates
  it('changes nothing that a template writes and says why, once', async () => {
    const session = await Session.start({});
    const said: string[] = [];
    session.client.onNotification('window/showMessage', ({ message }: { readonly message: string }) => {
      said.push(message);
    });
    const options = { options: { tabSize: 2, insertSpaces: true } };
    const format = async (path: string, text: string) =>
      session.request('textDocument/formatting', await session.open(path, text), options);
    const model = (name: string): string => `cubes:\n  - name:   ${name}\n    sql_table: t\n`;
    expect(await format('plain.yml', model('a'))).toHaveLength(1);
    expect(said).toEqual([]);
    expect(await format('one.yml', model('{{ "a" }}'))).toEqual([]);
    expect(await format('two.yml', model('{{ "b" }}'))).toEqual([]);
    expect(said).toEqual([
      'Only cubes and views without templates are formatted in this file: elsewhere, spaces and line breaks can belong to what a template writes.',
    ]);
    session.dispose();
  });
});

describe('a member whose name a template computes in part', () => {
  const text = (sql: string): string =>
    `${PYTHON}\n# file: a.yml.jinja\n${jinja`
      cubes:
        - name: a
          sql_table: t
          measures:
            {% for k in load_tables('x') %}
            - name: {{ k }}_count
              type: count
              sql: {{ k }}
            {% endfor %}
            - name: ratio
              sql: "${sql}"
              type: number
    `}`;

  it('is not offered, because its name cannot be written', () => {
    const labels = completionItems(text('{$0}')).map(({ label }) => label);
    expect(labels).toMatchInlineSnapshot(`
      [
        "CUBE",
        "FILTER_PARAMS",
        "FILTER_GROUP",
        "SECURITY_CONTEXT",
        "SQL_UTILS",
        "COMPILE_CONTEXT",
        "a",
      ]
    `);
  });

  it('is not suggested', () => {
    expect(nearestName('_coun', ['\uE000_count', 'total'])).toBeUndefined();
  });

  it('is shown with an ellipsis', () => {
    expect(hovered(text('1').replace('k }}_count', 'k }}_co$0unt'))).toMatchInlineSnapshot(`
      **a.…_count** · measure · count

      \`\`\`sql
      …
      \`\`\`

      0 uses

      Defined in a.yml.jinja
    `);
  });
});
