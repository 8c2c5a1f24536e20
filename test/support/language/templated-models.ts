import { readFileSync, writeFileSync } from 'node:fs';
import { jinja } from './raw.ts';

/** Valid models whose templates need nothing from the platform, each with all features of templates. */
export const TEMPLATED_MODELS: Readonly<Record<string, string>> = {
  'loops over lists and mappings': jinja`
    # file: cubes/events.yml.jinja
    {%- set kinds = { "click": "clicks", "view": "views", "buy": "purchases" } %}
    cubes:
      {%- for kind, table in kinds | items %}
      - name: {{ kind | safe }}_events
        sql_table: {{ table | safe }}
        joins:
          - name: users
            sql: "{CUBE}.user_id = {users.id}"
            relationship: many_to_one
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          - name: happened_at
            sql: happened_at
            type: time
        measures:
          - name: count
            type: count
          - name: {{ kind | safe }}_users
            sql: "{users.id}"
            type: count_distinct
        {%- if kind == 'click' %}
        segments:
          - name: recent
            sql: "{CUBE.happened_at} > now()"
        {%- endif %}
      {%- endfor %}
    # file: cubes/users.yml
    cubes:
      - name: users
        sql_table: users
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          - name: country
            sql: country
            type: string
        measures:
          - name: count
            type: count
            drill_members: [id, country]
    # file: views/activity.yml
    views:
      - name: activity
        cubes:
          - join_path: click_events
            includes: [count, click_users, recent]
          - join_path: click_events.users
            includes: [country]
          - join_path: view_events
            includes: [happened_at]
    `,
  'macros with arguments in a file of their own': jinja`
    # file: macros/fields.jinja
    {% macro total(name, of=name) -%}
    - name: total_{{ name | safe }}
            sql: "{CUBE.{{ name | safe }}}"
            type: sum
    {%- endmacro %}
    {% macro amount(name) -%}
    - name: {{ name }}
            sql: {{ name | safe }}_amount
            type: number
    {%- endmacro %}
    # file: cubes/invoices.yml.jinja
    {%- from "macros/fields.jinja" import total, amount %}
    cubes:
      - name: invoices
        sql_table: invoices
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          - name: issued_at
            sql: issued_at
            type: time
          {{ amount('net') }}
          {{ amount('tax') }}
        measures:
          {{ total('net') }}
          {{ total('tax') }}
          - name: gross
            sql: "{total_net} + {total_tax}"
            type: number
        pre_aggregations:
          - name: monthly
            measures: [total_net, total_tax]
            time_dimension: issued_at
            granularity: month
    # file: views/billing.yml
    views:
      - name: billing
        cubes:
          - join_path: invoices
            includes:
              - total_net
              - gross
              - name: issued_at
                alias: issued
    `,
  'conditions and variables': jinja`
    # file: cubes/orders.yml.jinja
    {%- set with_cost = true %}
    {%- set statuses = ['new', 'paid', 'sent'] %}
    {%- set prefix = 'orders' %}
    cubes:
      - name: {{ prefix | safe }}_base
        sql_table: orders
        dimensions:
          - name: id
            sql: id
            type: number
            primary_key: true
          - name: status
            sql: status
            type: string
        measures:
          {%- for status in statuses %}
          - name: {{ status | safe }}_count
            type: count
            filters:
              - sql: "{CUBE.status} = '{{ status | safe }}'"
          {%- endfor %}
          {%- if with_cost %}
          - name: cost
            sql: cost
            type: sum
          {%- else %}
          - name: free
            type: count
          {%- endif %}
          - name: share
            sql: "{paid_count} / {new_count}"
            type: number
      - name: {{ prefix | safe }}_archive
        extends: {{ prefix | safe }}_base
        sql_table: archive
        measures:
          - name: unpaid
            sql: "{CUBE.new_count} - {CUBE.paid_count} + {cost}"
            type: number
    `,
};

/** For the models above: expressions that read from the platform, as replacements of literals. */
export const UNKNOWN_PIECES: Readonly<Record<string, readonly (readonly [from: string, to: string])[]>> = {
  'loops over lists and mappings': [
    ['sql_table: {{ table | safe }}', "sql_table: {{ env_var('SCHEMA') }}.{{ table | safe }}"],
  ],
  'macros with arguments in a file of their own': [
    ['sql_table: invoices', "sql_table: {{ env_var('SCHEMA') }}.invoices"],
  ],
  'conditions and variables': [['{%- if with_cost %}', "{%- if env_var('COST') == 'yes' or with_cost %}"]],
};

/** Words whose change is usually a mistake: names in references, keys and their values, and the source of names in templates. */
const WORDS = [
  /(?<=\{(?:CUBE\.|users\.)?)[a-z_]+(?=\})/g,
  /(?<=\b(?:extends|join_path|time_dimension|granularity|relationship|type): )[a-z_]+/g,
  /(?<=\b(?:includes|measures|drill_members): \[)[a-z_]+/g,
  /(?<=^\s+- )[a-z_]+$/gm,
  /(?<=^\s+(?:- )?)(?:sql|type|name|relationship|includes|cubes|sql_table|primary_key|measures)(?=:)/gm,
  /(?<=')[a-z]+(?=')/g,
  /(?<=")[a-z]+(?=":)/g,
];

/** A templated model with one word changed. */
export interface Mistake {
  readonly text: string;
  /** The changed line, with its number in the text of all files. */
  readonly line: string;
  /** The engine's recorded verdict; `undefined` if it was never judged. */
  readonly accepted: boolean | undefined;
}

const VERDICTS = 'test/fixtures/language/templated-mistakes.json';
const recorded = JSON.parse(readFileSync(VERDICTS, 'utf8')) as Readonly<
  Record<string, Readonly<Record<string, boolean>>>
>;

/** Returns a model with each of its words changed in turn, with the engine's recorded verdict. */
export function mistakesIn(name: string): readonly Mistake[] {
  const model = TEMPLATED_MODELS[name] ?? '';
  const words = new Map<number, string>();
  for (const pattern of WORDS) for (const match of model.matchAll(pattern)) words.set(match.index, match[0]);
  return [...words].map(([at, word]) => {
    const text = `${model.slice(0, at)}${word}zq${model.slice(at + word.length)}`;
    const start = text.lastIndexOf('\n', at) + 1;
    const number = text.slice(0, start).split('\n').length;
    const line = `${number}: ${text.slice(start, text.indexOf('\n', at)).trim()}`;
    return { text, line, accepted: recorded[name]?.[line] };
  });
}

/** Records the engine's verdicts on the mistakes in a model. */
export function recordVerdicts(name: string, verdicts: Readonly<Record<string, boolean>>): void {
  const all = JSON.parse(readFileSync(VERDICTS, 'utf8')) as Record<string, unknown>;
  writeFileSync(VERDICTS, `${JSON.stringify({ ...all, [name]: verdicts }, undefined, 1)}\n`);
}
