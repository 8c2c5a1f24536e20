import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { indented, yaml } from '#support/language/raw.ts';

const HEAD = yaml`
  cubes:
    - name: orders
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: status, sql: status, type: string}
        - {name: created_at, sql: created_at, type: time}
`;

const inBlock = (sql: string): string => `|\n${indented(10, sql)}`;

/** A model with one piece of SQL, as the SQL of a cube or of a member of a kind. */
const MODELS: Readonly<Record<string, (sql: string) => string>> = {
  cube: (sql) => `${HEAD}    sql: ${inBlock(sql)}\n`,
  dimension: (sql) => `${HEAD}      - name: x\n        type: string\n        sql: ${inBlock(sql)}\n    sql_table: t\n`,
  segment: (sql) => `${HEAD}    sql_table: t\n    segments:\n      - name: x\n        sql: ${inBlock(sql)}\n`,
  sum: (sql) => measure('sum', sql),
  formula: (sql) => measure('number', sql),
};

function measure(type: string, sql: string): string {
  const others =
    '      - {name: count, type: count}\n      - {name: revenue, type: sum, sql: amount}\n      - name: x\n';
  return `${HEAD}    sql_table: t\n    measures:\n${others}        type: ${type}\n        sql: ${inBlock(sql)}\n`;
}

const reported = (kind: string, sql: string, database?: string): readonly string[] =>
  problemsOf({ 'm.yml': MODELS[kind]?.(sql) ?? '' }, database).map(
    ({ code, text }) => `${code}: ${text.split('\n')[0]}`,
  );

/** The members, or the cube, in which SQL of a kind can stand. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  row: ['dimension', 'segment'],
  aggregate: ['formula'],
  query: ['cube'],
};

const linesOf = (name: string): readonly string[] =>
  readFileSync(new URL(`../../fixtures/language/${name}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));

const SOUND = linesOf('sound-sql.txt').map((line) => {
  const [, database = '', kind = '', sql = ''] = /^(\S+) (\S+) (.+)$/.exec(line) ?? [];
  return { database, kind, sql };
});

const MISTAKEN = linesOf('mistaken-sql.txt').map((line) => {
  const [, kind = '', marked = '', sql = ''] = /^(\S+) (\S+) (.+)$/.exec(line) ?? [];
  return { kind, marked, sql };
});

describe('SQL of many databases', () => {
  it.each(SOUND)('means nothing wrong for $database: $sql', ({ kind, sql }) => {
    expect(PLACES[kind]?.flatMap((place) => reported(place, sql))).toEqual([]);
  });

  it.each([
    // Paths, operators, casts and names.
    '{CUBE}.payload:customer.name[0]::string',
    "({CUBE}.payload #>> '$.a') || ({CUBE}.payload -> 'b' ->> 'c')",
    "{CUBE}.tags @> ARRAY['a'] AND {CUBE}.tags ?| array['b']",
    '{CUBE}.`from` || `p.d.t`.`select`',
    "{CUBE}.[Sum (EUR)] + [Customer's name]",
    "{CUBE}.arr[OFFSET(0)] || arr['max'][1:2]",
    'größe + {CUBE}.名前',
    // Texts and comments.
    "q'[it's (]' || x",
    "'''it's''' || x",
    "$$it's ($$ || $tag$ ' $tag$",
    "# it's a comment (\n{CUBE}.a",
    "// it's a comment (\n{CUBE}.a",
    'a--1',
    // Aggregates that are computed for each row.
    'SUM(x) FILTER (WHERE y) OVER (PARTITION BY z)',
    'max(x) keep (dense_rank first order by y) over (partition by z)',
    'FIRST_VALUE(a) IGNORE NULLS OVER w',
    '(SELECT SUM(v) FROM UNNEST({CUBE}.arr) AS v)',
    '(FROM t SELECT max(v))',
    "arrayReduce('sum', arr) + list_sum(arr) + array_max(arr)",
    'and(a = 1, or(b = 2, c = 3))',
    'CASE WHEN a THEN CASE b WHEN 1 THEN 2 END END',
  ])('means nothing wrong as a dimension and as a segment: %s', (sql) => {
    expect([...reported('dimension', sql), ...reported('segment', sql)]).toEqual([]);
  });

  it.each([
    'SUM({CUBE}.payload:amount::number)',
    'APPROX_QUANTILES({CUBE}.a, 100)[OFFSET(50)]',
    'quantileExact(0.5)({CUBE}.a) / uniqMerge({CUBE}.b)',
    '(ARRAY_AGG({CUBE}.a ORDER BY {CUBE}.b DESC))[1]',
    "LISTAGG({CUBE}.a, ',') WITHIN GROUP (ORDER BY {CUBE}.b)",
    'MAX({CUBE}.a) KEEP (DENSE_RANK LAST ORDER BY {CUBE}.b)',
    'HLL_COUNT.MERGE({CUBE}.a)',
    '{revenue} / SUM({revenue}) OVER (PARTITION BY {created_at.day})',
    'COUNT(*) FILTER (WHERE {CUBE}.a IN (SELECT x FROM y))',
    '1.0 * 2',
    'CURRENT_DATE',
  ])('means nothing wrong as a formula: %s', (sql) => {
    expect(reported('formula', sql)).toEqual([]);
  });

  it.each([
    'SELECT * FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1',
    'SELECT * FROM t, LATERAL FLATTEN(input => t.a) f',
    'SELECT $1:a::string FROM @stage/path/file.json',
    "SELECT * FROM t -- it's all (\nWHERE a",
    "SELECT a # it's\nFROM t // it's\n",
    'SELECT * FROM [dbo].[Order (x)]',
    'SELECT 1 AS "it\'s", x AS is',
    'FROM t',
  ])('means nothing wrong as the query of a cube: %s', (sql) => {
    expect(reported('cube', sql)).toEqual([]);
  });
});

describe('a mistake in SQL', () => {
  it.each([
    ['sum', 'jsonb_agg({CUBE}.a)', 'nested-aggregate: jsonb_agg'],
    ['sum', 'MAX_BY(a, b)', 'nested-aggregate: MAX_BY'],
    ['dimension', 'max(größe)', 'aggregate-of-row: max'],
    ['formula', 'revenue / count', 'missing-aggregate: revenue'],
    ['formula', 't.amount * 2', 'missing-aggregate: t'],
    ['formula', '{created_at.day}', 'missing-aggregate: {created_at.day}'],
    ['dimension', "'a", "incomplete-sql: '"],
    ['dimension', '/* a', 'incomplete-sql: /'],
    ['dimension', 'CASE WHEN a THEN b', 'incomplete-sql: CASE'],
    ['dimension', 'WHEN a THEN b END', 'incomplete-sql: WHEN'],
    ['segment', 'a AND OR b', 'incomplete-sql: OR'],
    ['segment', '{CUBE}.a IS', 'incomplete-sql: IS'],
    ['segment', '{CUBE}.a NOT IN', 'incomplete-sql: IN'],
    ['cube', 'SELECT a FROM t GROUP BY', 'incomplete-sql: BY'],
    ['dimension', 'CONCAT({CUBE}.a {status})', 'incomplete-sql: {status}'],
    ['segment', '{status} {CUBE}.a = 1', 'incomplete-sql: {CUBE}'],
  ])('is reported in a %s: %s', (kind, sql, problem) => {
    expect(reported(kind, sql)).toEqual([problem]);
  });
});

describe('SQL in a script', () => {
  const inScript = (kind: string, sql: string): readonly string[] => {
    const text = `\`${sql.replaceAll('`', '\\`').replaceAll(/\{(CUBE|count)\}/g, '${$1}')}\``;
    const members =
      kind === 'query'
        ? `sql: ${text}`
        : kind === 'row'
          ? `sql_table: 't', segments: { x: { sql: ${text} } }`
          : `sql_table: 't', measures: { count: { type: 'count' }, x: { type: 'number', sql: ${text} } }`;
    return problemsOf({ 'm.js': `cube('a', { ${members} });\n` }).map(({ code, text: marked }) => `${code}: ${marked}`);
  };

  it.each(SOUND.filter(({ sql }) => !sql.includes('`') && !/\$\d/.test(sql)))(
    'means nothing wrong for $database: $sql',
    ({ kind, sql }) => {
      expect(inScript(kind, sql)).toEqual([]);
    },
  );

  it.each(MISTAKEN)('is reported at $marked: $sql', ({ kind, marked, sql }) => {
    expect(inScript(kind, sql)).toEqual([`incomplete-sql: ${marked}`]);
  });
});

describe('SQL with a value too few or a word too many', () => {
  it.each(MISTAKEN)('is reported at $marked: $sql', ({ kind, marked, sql }) => {
    const places = PLACES[kind] ?? [];
    expect(places.flatMap((place) => reported(place, sql))).toEqual(places.map(() => `incomplete-sql: ${marked}`));
  });
});

describe('a comma behind the last item of a list', () => {
  const COMMA = ['incomplete-sql: ,'];

  it.each([
    ['cube', 'SELECT a, FROM t'],
    ['cube', 'SELECT a, b,\nFROM t\nWHERE c'],
    ['cube', 'SELECT * FROM (SELECT a, FROM t) AS x'],
    ['cube', 'SELECT * FROM t, u, WHERE a'],
    ['cube', 'SELECT a FROM t GROUP BY a, ORDER BY 1'],
    ['cube', 'SELECT a FROM t GROUP BY a,'],
    ['cube', 'WITH x AS (SELECT 1, UNION SELECT 2) SELECT * FROM x'],
    ['segment', '{CUBE}.a IN (1, 2,)'],
    ['dimension', 'my_function({CUBE}.a,)'],
  ])('is reported in a %s where the database refuses it, and nowhere else: %s', (kind, sql) => {
    for (const database of ['postgres', 'mysql', 'mssql', 'oracle', 'sqlite', 'trino'])
      expect(reported(kind, sql, database)).toEqual(COMMA);
    for (const database of ['duckdb', 'bigquery', 'clickhouse', 'snowflake', 'one that nobody knows', undefined])
      expect(reported(kind, sql, database)).toEqual([]);
  });

  it('is reported among the arguments of a function wherever the database does not accept it there', () => {
    expect(reported('dimension', 'COALESCE(a, b,)')).toEqual(COMMA);
    expect(reported('dimension', 'COALESCE(a, b,)', 'snowflake')).toEqual(COMMA);
    expect(reported('dimension', 'COALESCE(a, b,)', 'duckdb')).toEqual([]);
    expect(reported('dimension', 's.round(a,)')).toEqual([]);
  });

  it('is not judged in a cube that can be in another database', () => {
    const text = (more: string): string => `cubes:\n  - name: a\n    sql: SELECT x, FROM t\n${more}`;
    expect(problemsOf({ 'm.yml': text('') }, 'postgres')).toHaveLength(1);
    expect(problemsOf({ 'm.yml': text('    data_source: lake\n') }, 'postgres')).toEqual([]);
  });

  it.each(
    SOUND.filter(({ database }) => ['postgres', 'mysql', 'mssql', 'oracle', 'sqlite', 'trino'].includes(database)),
  )('is not seen in SQL of $database without one: $sql', ({ database, kind, sql }) => {
    expect(PLACES[kind]?.flatMap((place) => reported(place, sql, database))).toEqual([]);
  });
});

describe('the condition of a join', () => {
  const joined = (condition: string, name = 'users', more = ''): string => yaml`
    cubes:
      - name: orders
        sql_table: orders
        joins: [{name: ${name}, relationship: many_to_one, sql: ${condition}}]
        dimensions:
          - {name: id, sql: id, type: number, primary_key: true}
          - {name: user_id, sql: user_id, type: number}
          - {name: other, sql: "{${name}.id}", type: number}
          - {name: same, sql: "{other}", type: number}
      - name: ${name}
        sql_table: public.people
        ${more}
        dimensions: [{name: id, sql: id, type: number, primary_key: true}]
  `;
  const codes = (text: string): readonly string[] => problemsOf({ 'm.yml': text }).map(({ code }) => code);

  it.each([
    ['"{other} = {CUBE}.x"', 'users', ''],
    ['"{CUBE.same} = {CUBE.user_id}"', 'users', ''],
    ['"{CUBE}.x = u2.id"', 'users', 'sql_alias: u2'],
    ['"{CUBE}.x = order_items.id"', 'OrderItems', ''],
    ['"{CUBE}.x = [users].id"', 'users', ''],
    [`'{CUBE}.x = \`users\`.id::text'`, 'users', ''],
  ])('may name the other cube in another way: %s', (condition, name, more) => {
    expect(codes(joined(condition, name, more))).toEqual([]);
  });

  it.each(['"{CUBE.user_id} = {CUBE}.x"', '"{CUBE}.x = people.id"', '"{CUBE}.users = 1"'])(
    'is reported without it: %s',
    (condition) => {
      expect(codes(joined(condition))).toEqual(['join-without-target']);
    },
  );
});
