import type { CompletionItem } from 'vscode-languageserver';
import { describe, expect, it } from 'vitest';
import { signatureHelp } from '#language-server/ide/hints.ts';
import { type Cut, cutsOf } from '#support/language/cut-words.ts';
import { fixture } from '#support/language/model.ts';
import { jinja, js, yaml } from '#support/language/raw.ts';
import { completionItems, completions } from '#support/language/show.ts';

/** Sound models; each word between `‹` and `›` is cut back, and its completion must restore the text. */
const SOUND: Readonly<Record<string, string>> = {
  'YAML in several styles': yaml`
    # file: a.yml
    cubes:
        -   name: orders
            sql: SELECT * FROM orders WHERE {‹FILTER_PARAMS›.‹orders›.‹id›.filter('id')}
            ‹joins›:
                -   name: ‹users›
                    ‹relationship›: '‹many_to_one›'
                    sql: |
                        {CUBE}.user_id
                          = {‹users›.‹id›}
            dimensions:
                -   {name: id, sql: id, ‹type›: ‹number›, ‹primary_key›: ‹true›}
                -   name: status
                    sql: "{CUBE}.status"
                    type: "‹string›"
                -   name: city
                    type: string
                    sql: "{users.‹city›}"
                -   {name: at, sql: at, type: time}
            measures:
                -   {name: count, type: count, ‹drill_members›: [‹id›, "‹status›", ‹users›.‹city›]}
                -   {name: share, sql: "{‹total›} / {CUBE.‹count›}", type: ‹number›}
                -   name: total
                    type: sum
                    sql: >-
                        {CUBE}.amount
                    ‹filters›:
                        -   ‹sql›: "{‹status›} = 'paid'"
            hierarchies:
                -   name: h
                    levels:
                        -   ‹city›
                        -   "{CUBE}.‹status›"
            pre_aggregations:
                -   name: main
                    measures: [CUBE.‹count›, ‹total›]
                    dimensions: [‹orders›.‹status›]
                    time_dimension: ‹at›
                    granularity: ‹day›
    # file: b.yml
    cubes:
    - name: users
      sql_table: users
      ‹dimensions›:
      - name: id
        sql: id
        type: number
        primary_key: true
      - name: city
        sql: city
        type: string
    views:
      - name: sales
        cubes:
          - join_path: ‹orders›
            includes:
              - ‹status›
              - name: ‹total›
                alias: turnover
          - join_path: orders.‹users›
            prefix: true
            ‹includes›: ['‹city›']
        folders:
          - name: f
            includes: [‹turnover›, ‹users_city›]
  `,
  'scripts whose members functions make': js`
    // file: a.js
    const common = { status: { sql: 'status', type: 'string' } };
    const time = (name) => ({ sql: name, type: 'time' });
    cube('orders', {
      sql: ${'`SELECT * FROM orders WHERE ${‹FILTER_PARAMS›.‹orders›.‹id›.filter("id")} AND x IN (SELECT x FROM ${‹users›.‹sql()›})`'},
      joins: { users: { ‹relationship›: '‹many_to_one›', sql: ${'`${CUBE}.user_id = ${‹users›.‹id›}`'} } },
      dimensions: {
        ...common,
        id: { sql: 'id', ‹type›: '‹number›', ‹primaryKey›: true },
        createdAt: time('created_at'),
        city: { sql: ${'`${‹users›.‹city›}`'}, type: 'string' },
      },
      measures: {
        count: { type: 'count', ‹drillMembers›: [‹id›, ‹status›, users.‹city›] },
        buyers: { type: '‹countDistinct›', sql: ${'`${CUBE.‹status›}`'} },
      },
      ‹preAggregations›: {
        main: { measures: [CUBE.‹count›], dimensions: [CUBE.‹status›], ‹timeDimension›: CUBE.‹createdAt›, granularity: '‹day›' },
      },
    });
    cube('users', {
      sql_table: 'users',
      dimensions: { id: { sql: 'id', type: 'number', primaryKey: true }, city: { sql: 'city', type: 'string' } },
    });
    view('sales', { cubes: [{ joinPath: ‹orders›, includes: ['‹status›', '‹count›'] }] });
  `,
  templates: jinja`
    # file: macros/m.jinja
    {%- macro money(name, of='amount') %}
          - {name: {{ name | ‹lower› }}, sql: "{{ of }}", type: sum}
    {%- ‹endmacro› %}
    # file: a.yml.jinja
    {%- ‹from› "‹macros/m.jinja›" ‹import› ‹money› -%}
    {%- import "macros/m.jinja" ‹as› lib %}
    {%- set ns = ‹namespace›(found=‹false›) %}
    {%- set kinds = {'a': 'string', 'b': 'number'} %}
    cubes:
      - name: orders
        sql_table: orders
        dimensions:
        {%- ‹for› name, kind in ‹kinds› | ‹items› %}
          {%- if ‹loop›.‹first› and ‹name› is ‹defined› %}
          - {name: {{ ‹name› }}, sql: x, type: {{ ‹kind› }}}
          {%- ‹endif› %}
          {%- set ns.‹found› = true %}
        {%- ‹endfor› %}
        measures:
          {{ ‹money›('a', ‹of›='b') }}
          {{ lib.‹money›('c') }}
  `,
};

/** Returns the items that an editor shows for the typed part of a word, in its order. */
function shown(text: string): readonly CompletionItem[] {
  const { opened, offset } = fixture(text);
  return completionItems(text).filter(({ textEdit, filterText, label }) => {
    const start = textEdit && ('range' in textEdit ? textEdit.range : textEdit.insert).start;
    const typed = start ? opened.file.text.slice(opened.positions.offsetAt(start), offset) : '';
    return (filterText ?? label).toLowerCase().startsWith(typed.toLowerCase());
  });
}

function accepted(text: string, { textEdit }: CompletionItem): string {
  const { opened } = fixture(text);
  const range = textEdit && ('range' in textEdit ? textEdit.range : textEdit.replace);
  if (!textEdit || !range) return text;
  const [start, end] = [opened.positions.offsetAt(range.start), opened.positions.offsetAt(range.end)];
  return opened.file.text.slice(0, start) + textEdit.newText + opened.file.text.slice(end);
}

/** Returns the text of the file that holds the cursor. */
function fileOf(cut: Cut): string {
  const at = cut.text.indexOf('$0');
  const { opened } = fixture(`${cut.sound.slice(0, at)}$0${cut.sound.slice(at)}`);
  return opened.file.text;
}

describe('a word of a sound model that is cut back', () => {
  it.each(Object.entries(SOUND))('is restored by one of the first ten completions: %s', (_, marked) => {
    const missed: string[] = [];
    for (const cut of cutsOf(marked)) {
      const item = shown(cut.text)
        .slice(0, 10)
        .find((each) => accepted(cut.text, each) === fileOf(cut));
      if (!item) missed.push(`${cut.what} ← ${cut.word}`);
    }
    expect(missed).toEqual([]);
  });
});

describe('completion of a new key', () => {
  it.each([
    ['    dimensions:\n      - {name: b, sql: b, type: number}\n', '    measures:\n      - '],
    ['    dimensions:\n    - {name: b, sql: b, type: number}\n', '    measures:\n    - '],
    ['    dimensions:\n        -   {name: b, sql: b, type: number}\n', '    measures:\n        -   '],
  ])('indents a list as the file does: %j', (lists, expected) => {
    const text = `# file: a.yml\ncubes:\n  - name: a\n    sql_table: t\n${lists}    me$0\n`;
    const item = shown(text).find(({ label }) => label === 'measures');
    // Editors indent further lines as the first one.
    const written = item?.textEdit?.newText.replaceAll('\n', '\n    ');
    expect(`    ${written ?? ''}`).toBe(expected);
  });
});

describe('completion in a tag of a template', () => {
  const offered = (tag: string): string =>
    completions(`# file: a.yml.jinja\n{% macro m(a, b=1) %}{% endmacro %}${tag}`).drawn;

  it.each([
    ['{% for x $0 %}', 'in'],
    ['{% import "x.jinja" $0 %}', 'as'],
    ['{% for $0', 'nothing'],
    ['{% macro $0', 'nothing'],
    ['{% macro n(a, $0', 'nothing'],
    ['{% import "x.jinja" as $0', 'nothing'],
    ['{{ 1 $0 }}', 'if, else, and, or, is, in, not'],
  ])('offers the words that can follow, and nothing for a new name: %s', (tag, expected) => {
    expect(offered(tag)).toBe(expected);
  });

  it('closes no block that is not open', () => {
    expect(offered('{% $0 %}')).not.toMatch(/end(?!set)|el/);
    expect(offered('{% if 1 %}{% $0 %}')).toMatch(/^endif, for, if, elif, else/);
  });

  it('offers the parameters that a call has not given yet', () => {
    expect(offered('{{ m($0) }}')).toMatch(/^a, b, /);
    expect(offered('{{ m(1, $0) }}')).toMatch(/^b, /);
    expect(offered('{{ m(b=2, $0) }}')).toMatch(/^a, /);
  });
});

describe('signature help', () => {
  const shownFor = (call: string): string | undefined => {
    const { opened, offset } = fixture(jinja`
      # file: lib.jinja
      {% macro money(name, of='a, b', kinds=[1, 2]) %}{% endmacro %}
      # file: globals.py
      template = TemplateContext()
      @template.function('load')
      def load(table, limit=10):
        return table
      # file: a.yml.jinja
      {% import "lib.jinja" as lib %}{% from "lib.jinja" import money as m %}
      title: "{{ ${call}"
    `);
    const help = signatureHelp(opened, offset);
    const signature = help?.signatures[0];
    return signature && `${signature.label} · ${String(signature.parameters?.[help.activeParameter ?? -1]?.label)}`;
  };

  // @shows signature-help
  it.each([
    ['lib.money($0', "lib.money(name, of='a, b', kinds=[1, 2]) · name"],
    ["m('a', $0) }}", "m(name, of='a, b', kinds=[1, 2]) · of='a, b'"],
    ['m([1, 2], f(1, 2), $0) }}', "m(name, of='a, b', kinds=[1, 2]) · kinds=[1, 2]"],
    ["m('a, (', kinds=$0) }}", "m(name, of='a, b', kinds=[1, 2]) · kinds=[1, 2]"],
    ["load('a' | lower, $0) }}", 'load(table, limit=10) · limit=10'],
    ["m('a')$0 }}", undefined],
    ['unknown($0) }}', undefined],
  ])('shows the parameters of macros and functions in a template: %s', (call, expected) => {
    expect(shownFor(call)).toBe(expected);
  });
});
