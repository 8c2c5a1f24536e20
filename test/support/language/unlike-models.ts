import { jinja, js, yaml } from './raw.ts';

/** Models that are written in unusual ways, each in one text (see `filesIn`). Every name in them can be looked up and renamed. */
export const UNLIKE_MODELS: Readonly<Record<string, string>> = {
  'in braces on one line': yaml`
    # file: a.yml
    cubes: [{name: orders, sql_table: t, joins: [{name: users, relationship: many_to_one, sql: "{CUBE}.u = {users.id}"}], dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: status, sql: "{CUBE}.status", type: string}, {name: at, sql: at, type: time, granularities: [{name: fortnight, interval: 2 weeks, origin: "2020-01-01"}]}], measures: [{name: count, type: count, drill_members: [id, status, users.city]}, {name: done, type: count, filters: [{sql: "{status} = 'done'"}]}], pre_aggregations: [{name: main, measures: [count, done], dimensions: [status], time_dimension: at, granularity: fortnight}]}, {name: users, sql_table: u, dimensions: [{name: id, sql: id, type: number, primary_key: true}, {name: city, sql: city, type: string}]}]
    views: [{name: v, cubes: [{join_path: orders, includes: [count, {name: status, alias: state}]}, {join_path: orders.users, prefix: true, includes: '*'}], folders: [{name: f, includes: [count, state, users_city]}]}]
  `,
  'names and SQL in block texts': yaml`
    # file: a.yml
    cubes:
      - name: >- # folded
          orders
        sql: |2-
            SELECT * FROM {users.sql()}
        dimensions:
          - name: |-
              id
            sql: >-
              {CUBE}.id
            type: number
            primary_key: true
          - name: status
            sql: |+
              CASE WHEN {CUBE.id} > 1
                THEN {id}

              END

            type: string
        joins:
          - name: |-
              users
            relationship: many_to_one
            sql: >
              {CUBE}.u =
              {users.id} AND {CUBE.status} = {users.city}
      - name: users
        sql_table: u
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: city, sql: city, type: string}
    views:
      - name: v
        cubes:
          - join_path: >-
              orders.users
            prefix: true
            includes:
              - |-
                city
              - name: >-
                  id
                alias: |-
                  key
        folders:
          - name: f
            includes:
              - |-
                users_city
              - users_key
  `,
  'quotes everywhere': yaml`
    # file: a.yml
    'cubes':
      - "name": 'orders'
        'sql_table': "t"
        "joins":
          - 'name': "users"
            relationship: 'many_to_one'
            sql: '{CUBE}.u = {users.id} AND ''x'' = {status}'
        "dimensions":
          - ? "name"
            : 'status'
            sql: "\"a\" || {id} || '\u0041' || {CUBE.id}"
            type: "string"
          - {"name":"id","sql":"id","type":number,"primary_key":true}
        measures:
          - {"name": "n", "type": "number", "sql": "MAX({id}) /\
               MAX({CUBE.id})"}
      - {"name": "users", "sql_table": "u", "dimensions": [{"name": "id", "sql": "id", "type": "number", "primary_key": true}]}
    views:
      - name: "v"
        cubes: [{"join_path": "orders", includes: ["id", {"name": "status", "alias": "st"}, 'n']}, {'join_path': 'orders.users', prefix: true, includes: ['id']}]
        folders: [{"name": "f", "includes": ["st", "users_id"]}]
  `,
  'letters of other languages before each name': yaml`
    # file: a.yml
    cubes:
      - {title: "😀😀 ü", name: orders, sql_table: "tä", description: 日本語 𝒳, dimensions: [{title: 𝒳𝒴, name: id, sql: "'😀' || {CUBE}.id", type: number, primary_key: true}, {name: s, sql: "'𝒳' || {id} || '😀' || {CUBE.id}", type: string}], measures: [{description: "👩‍👩‍👧", name: count, type: count, drill_members: [id, s]}]}
    views:
      - name: "v" # 😀
        cubes:
          - {"join_path": "orders", includes: [{name: s, title: 😀, alias: t}, id]}
        meta: {😀: [𝒳, {a: 😀}]}
  `,
  'one name in many cubes, and twice in one': yaml`
    # file: a.yml
    cubes:
      - name: orders
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: id, sql: id2, type: number}
        measures:
          - {name: count, type: count}
          - {name: n, type: number, sql: "{count} + MAX({id})"}
      - name: count
        sql_table: t
        measures:
          - {name: count, type: count}
          - {name: m, type: number, sql: "{CUBE.count} + {count.count}"}
    # file: b.yml
    views:
      - name: v
        cubes:
          - {join_path: orders, includes: [count, n]}
          - {join_path: count, prefix: true, includes: [count, m]}
        folders: [{name: f, includes: [count, count_count, count_m]}]
  `,
  'views and cubes that extend others over files': yaml`
    # file: a.yml
    cubes:
      - name: base
        sql_table: t
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: at, sql: at, type: time, granularities: [{name: w2, interval: 2 weeks, origin: "2020-01-01"}]}
        measures:
          - {name: count, type: count}
    # file: b.yml
    cubes:
      - name: middle
        extends: base
        measures:
          - {name: count, type: count, title: x}
          - {name: twice, type: number, sql: "{count} * 2 + {CUBE.count}"}
        joins:
          - {name: other, relationship: one_to_many, sql: "{CUBE.id} = {other.id}"}
    # file: c.yml
    cubes:
      - name: leaf
        extends: middle
        segments:
          - {name: s, sql: "{id} > 1 AND {CUBE.at.w2} = 1 AND {at.w2}"}
        pre_aggregations:
          - {name: p, measures: [count, twice], time_dimension: at, granularity: w2}
      - name: other
        sql_table: o
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
        measures:
          - {name: count, type: count}
    # file: v.yml
    views:
      - name: v0
        cubes:
          - {join_path: leaf, includes: [count, {name: twice, alias: doubled}, id]}
        folders: [{name: f, includes: [count, doubled]}]
    # file: w.yml
    views:
      - name: v1
        extends: v0
        cubes:
          - {join_path: leaf.other, prefix: true, alias: o, includes: [{name: count, alias: c}]}
        folders:
          - {name: g, includes: [o_c, doubled, id]}
        default_filters:
          - {member: doubled, operator: set}
  `,
  'a script with getters, spreads and text that looks like code': js`
    // file: a.js
    // 😀 A comment with cube('x', {}) and \${CUBE}.
    const shared = { key: { sql: 'id', type: 'number', primaryKey: true } };
    const page = '<div>{cube}</div>';
    cube(\`orders\`, {
      sql_table: 't',
      title: \`😀 \${1 + 1}\`,
      joins: {
        users: { relationship: 'many_to_one', sql: \`\${CUBE}.u = \${users.id} AND \${orders.id} = \${CUBE.id}\` },
      },
      dimensions: {
        'status': { sql: () => \`\${CUBE.part} || '😀' || \${part}\`, type: 'string' },
        "part": { sql: 'x', type: \`string\` },
        id: { sql: 'id', type: 'number', primaryKey: true },
        /* c */ at /* d */: { sql: \`at\`, type: 'time' },
      },
      measures: {
        count: { type: 'count', drillMembers: [id, part, users.town] },
        n: { type: 'number', sql: \`\${count} + \${CUBE['count']} + \${CUBE.count}\` },
      },
      preAggregations: {
        main: { measures: [CUBE.count], dimensions: [orders.part], timeDimension: CUBE.at, granularity: 'day' },
      },
    });
    cube('users', {
      sql: \`SELECT * FROM \${orders.sql()}\`,
      dimensions: { ...shared, id: { sql: 'id', type: 'number' }, town: { sql: \`\${CUBE}.town\`, type: 'string' } },
    });
    view('v', {
      cubes: [
        { joinPath: orders, includes: ['count', { name: 'part', alias: 'st' }] },
        { joinPath: orders.users, prefix: true, includes: '*', excludes: ['id'] },
      ],
      folders: [{ name: 'f', includes: ['st', 'users_town'] }],
    });
    cube('derived', { extends: orders, measures: { k: { type: 'number', sql: \`\${count} + \${n}\` } } });
  `,
  'a template with macros, loops and computed keys': jinja`
    # file: m/macros.jinja
    {% macro dim(name, kind='string') -%}
    - name: {{ name | safe }}
            sql: "{CUBE}.{{ name | safe }}"
            type: {{ kind | safe }}
    {%- endmacro %}
    # file: a.yml.jinja
    {%- from "m/macros.jinja" import dim %}
    {%- set kinds = ['a', 'b'] %}
    cubes:
      - name: orders
        {{ 'sql_table' | safe }}: t {# 😀 #}
        dimensions:
          {{ dim('id', 'number') }}
          - {name: status, sql: "{id}", type: string}
        measures:
          - name: count
            type: count
          {%- for k in kinds %}
          - name: {{ k | safe }}_count
            type: count
            filters: [{sql: "{status} = '{{ k | safe }}'"}]
          {%- endfor %}
          - name: both
            type: number
            sql: "{a_count} + {b_count} + {count}"
    {%- for k in kinds %}
      - name: cube_{{ k | safe }}
        extends: orders
        measures:
          - {name: own, type: number, sql: "{count}"}
    {%- endfor %}
    # file: v.yml
    views:
      - name: v
        cubes:
          - {join_path: cube_a, includes: [own, a_count, status]}
          - {join_path: orders, prefix: true, includes: [both, count]}
  `,
};

/** Models that are broken or half written. */
export const HALF_MODELS: Readonly<Record<string, string>> = {
  'a half-written cube': [
    '# file: a.yml',
    'cubes:',
    '  - name: orders',
    '    measures:',
    '      - name: n',
    '        sql: "{count} + {CUBE.',
    '      - name: k',
    '        sql: {',
    '    dimensions:',
    '      - name:',
    '      - ',
    '   joins:',
    '  - name',
    '  -',
    '  - name: |',
    '  - name: "',
    '',
  ].join('\n'),
  'several documents': '# file: a.yml\n---\ncubes:\n  - name: a\n    sql_table: t\n---\nviews:\n  - name: v\n...\n',
  'a half-written script': [
    '// file: a.js',
    "cube('orders', {",
    '  sql: `select ${',
    "  measures: { count: { type: 'count' , n: { sql: `${count` } },",
    "cube('b', { sql_table: 't', measures: { k: { type: 'number', sql: `${CUBE.j} ${j}` }, j: { type: 'count' } } });",
    '',
  ].join('\n'),
  'a half-written template':
    '# file: a.yml\ncubes:\n  - name: {{ a\n    {% for x in\n    measures: [{name: "{{ x }}_n", sql: "{b}"}]\n',
};

/** Writes each file of a model with other line breaks, or with a byte order mark. */
export const FILE_STYLES: Readonly<Record<string, (text: string) => string>> = {
  'as it is': (text) => text,
  'with Windows line breaks and a byte order mark': (text) =>
    text
      .split(/^((?:#|\/\/) file: \S+\n)/m)
      .map((piece, at) => (at % 2 === 0 && piece !== '' ? `\uFEFF${piece.replaceAll('\n', '\r\n')}` : piece))
      .join(''),
};
