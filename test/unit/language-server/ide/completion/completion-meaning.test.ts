import { describe, expect, it } from 'vitest';
import { yaml } from '#support/language/raw.ts';
import { completions } from '#support/language/show.ts';

/** A cube with a member of each kind, a cube beside it, and what is being written. */
const model = (rest: string): string => yaml`
  cubes:
    - name: users
      sql_table: users
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
    - name: orders
      sql_table: orders
      dimensions:
        - {name: id, sql: id, type: number, primary_key: true}
        - {name: created_at, sql: created_at, type: time}
      segments:
        - {name: paid, sql: paid}
      ${rest}
`;
const measure = (sql: string, type = 'sum'): string =>
  model(`measures:\n  - {name: count, type: count}\n  - name: m\n    type: ${type}\n    sql: ${sql}`);

describe('completion in SQL over several lines', () => {
  const MEMBERS = 'created_at, id, count, paid';

  // @shows completion-of-members
  it.each([
    ['a block that keeps its lines', '|\n      SUM({CUBE.$0})'],
    ['a block that folds its lines', '>\n      SUM(\n        {CUBE.$0}\n      )'],
    ['a block that is stripped', '|-\n      SUM(\n\n      {CUBE.$0})'],
    [
      'a block with lines that look like keys',
      yaml`
        |
              a: b
              {CUBE.$0}`,
    ],
    ['double quotes', '"SUM(\n      {CUBE.$0})"'],
    ['single quotes', "'SUM(\n      {CUBE.$0})'"],
    ['no quotes', 'SUM(\n      {CUBE.$0})'],
    ['no quotes, three lines and an empty one', 'SUM(\n\n      a +\n     {CUBE.$0})'],
  ])('offers members in %s', (_, sql) => {
    expect(completions(measure(sql)).drawn).toBe(MEMBERS);
  });

  it('offers the filters of the query', () => {
    expect(completions(measure('|\n      {FILTER_PARAMS.$0}')).drawn).toBe('orders, users');
  });

  it('offers keys below a text that ended', () => {
    const text = model(yaml`
      measures:
        - name: m
          sql: |
            SUM(x)
          $0`);
    expect(completions(text).drawn).toMatch(/^type, filters, title/);
  });

  it.each([
    ['at the column of its key', 'SUM(x)\n    $0', /^type, filters, title/],
    ['after a comment', 'SUM(x) # all\n      {CUBE.$0}', /^nothing$/],
    ['after a comment on a line', 'SUM(x\n      # all\n      {CUBE.$0}', /^nothing$/],
    ['below another key', 'SUM(x)\n    title: Sum\n      {CUBE.$0}', /^nothing$/],
  ])('offers no SQL where a text without quotes ended: %s', (_, sql, offered) => {
    const text = model(`measures:\n  - name: count\n    sql: ${sql}`);
    expect(completions(text).drawn).toMatch(offered);
  });
});

describe('completion by meaning', () => {
  it('offers dimensions first where a measure aggregates rows, and measures first in a formula', () => {
    expect(completions(measure('"{$0}"')).drawn).toMatch(/^CUBE, created_at, id, count, paid, /);
    expect(completions(measure('"{$0}"', 'number')).drawn).toMatch(/^CUBE, count, created_at, id, paid, /);
  });

  it('never offers a measure inside itself', () => {
    expect(completions(measure('"{$0}"')).drawn).not.toMatch(/\bm\b/);
  });

  it('offers times only for a time dimension', () => {
    const text = model(yaml`
      pre_aggregations:
        - name: p
          time_dimension: $0`);
    expect(completions(text).drawn).toBe('created_at, CUBE, orders');
  });

  it('offers the user in a condition of a policy', () => {
    const text = model(yaml`
      access_policy:
        - group: a
          conditions:
            - if: "{ $0 }"`);
    expect(completions(text).drawn).toBe('securityContext, userAttributes, groups');
  });

  it('offers the target of a join and columns of rows in its condition', () => {
    const text = model(yaml`
      joins:
        - name: users
          relationship: many_to_one
          sql: "{$0}"`);
    expect(completions(text).drawn).toMatch(/^CUBE, users, created_at, id, FILTER_PARAMS/);
  });

  it('offers formats for the type that is written', () => {
    const format = (type: string): string =>
      completions(
        model(yaml`
          measures:
            - name: m
              type: ${type}
              format: $0`),
      ).drawn;
    expect(format('sum')).toMatch(/^percent, currency, number, id, abbr, accounting, /);
    expect(
      completions(yaml`
        cubes:
          - name: a
            sql_table: t
            dimensions:
              - name: at
                type: time
                format: $0
      `).drawn,
    ).toMatch(/^%Y-%m-%d, /);
  });

  it('offers a view what views show', () => {
    expect(
      completions(yaml`
        views:
          - name: v
            $0`).drawn,
    ).toMatch(/^extends, cubes, folders, (?!.*(?:joins|pre_aggregations|measures))/s);
  });

  it('offers times only in each of several time dimensions', () => {
    const text = model(yaml`
      pre_aggregations:
        - name: p
          time_dimensions:
            - dimension: $0`);
    expect(completions(text).drawn).toBe('created_at, CUBE, orders');
  });
});

describe('completion by meaning in a script', () => {
  const script = (measure: string, rest = ''): string => `// file: m.js
    cube('users', { sql_table: 'users', dimensions: { id: { sql: 'id', type: 'number', primaryKey: true } } });
    cube('orders', {
      sql_table: 'orders',
      dimensions: { id: { sql: 'id', type: 'number', primaryKey: true }, created_at: { sql: 'c', type: 'time' } },
      segments: { paid: { sql: 'paid' } },
      measures: { count: { type: 'count' }, ${measure} },
      ${rest}
    });
  `;
  const offered = (measure: string, rest?: string): string => completions(script(measure, rest)).drawn;

  it.each([
    ['before its type', 'm: { sql: `${$0}`, type: "sum" }'],
    ['behind its type', "m: { type: 'sum', title: 'a, b: {', sql: `SUM(${$0})` }"],
    ['in capital letters and several lines', 'm: {\n type: `sum`,\n sql: () => `a\n + ${$0}`\n}'],
  ])('offers dimensions first in a sum, and never the measure itself: %s', (_, measure) => {
    expect(offered(measure)).toMatch(/^CUBE, created_at, id, count, paid, (?!m\b)/);
  });

  it('offers measures first in a formula', () => {
    expect(offered("m: { type: 'number', sql: `${$0}` }")).toMatch(/^CUBE, count, created_at, id, paid, /);
    expect(offered("m: { sql: `${CUBE.$0}`, type: 'number' }")).toMatch(/^count, created_at, id, paid/);
  });

  it('offers rows in a filter of a measure', () => {
    expect(offered("m: { type: 'sum', sql: `x`, filters: [{ sql: `${$0}` }] }")).toMatch(
      /^CUBE, created_at, id, paid, count, m, /,
    );
  });

  it('offers the user in a condition of a policy', () => {
    const policy = (condition: string): string =>
      offered('', `accessPolicy: [{ group: 'a', conditions: [{ if: ${condition} }] }],`);
    expect(policy('`${ $0 }`')).toBe('securityContext, userAttributes, groups');
    expect(policy('securityContext.$0')).toBe('nothing');
  });

  it('offers the target of a join and columns of rows in its condition', () => {
    expect(offered('', "joins: { users: { relationship: 'many_to_one', sql: `${$0}` } },")).toMatch(
      /^CUBE, users, created_at, id, FILTER_PARAMS/,
    );
  });

  it('offers formats for the type that is written, before and behind them', () => {
    const dimension = (keys: string): string =>
      completions(`// file: m.js\ncube('a', { sql_table: 't', dimensions: { at: { ${keys} } } });`).drawn;
    expect(dimension("sql: 'at', type: 'time', format: '$0'")).toMatch(/^%Y-%m-%d, /);
    expect(dimension("format: '$0', type: 'time'")).toMatch(/^%Y-%m-%d, /);
    expect(dimension("format: '$0', type: 'number'")).toMatch(/^percent, currency, number, /);
    expect(dimension("format: '$0")).toMatch(/^imageUrl, link, /);
  });
});

describe('completion of filters and policies', () => {
  const own = (rest: string): string => model(`measures:\n  - {name: count, type: count}\n${rest}`);
  const labels = (text: string): string => completions(text).drawn.replaceAll('\n', ' ');

  // @shows completion-of-members
  it('puts members of rows first where a filter, a branch or a mask is about rows', () => {
    const sql = (text: string): string => labels(measure(`a\n    ${text}`)).replace(/, FILTER_PARAMS.*/, '');
    expect(sql('filters: [{sql: "{$0}"}]')).toBe('CUBE, created_at, id, paid, count, m');
    expect(labels(own('').replace('type: time}', 'type: time, case: {when: [{sql: "{$0}"}]}}'))).toMatch(
      /^CUBE, created_at, id, paid, count/,
    );
  });

  it.each([
    ['a list on lines', '- {name: m, type: sum, sql: a}', '      drill_members:\n        - $0'],
    ['a list in brackets', '- {name: m, type: sum, sql: a, drill_members: [$0]}', ''],
  ])('offers what a result can have to drill into, in %s', (_, member, rest) => {
    const text =
      rest === '' ? own(`  ${member}`) : own(`  - name: m\n    type: sum\n    sql: a\n${rest.replace(/^ {2}/gm, '')}`);
    expect(labels(text)).toBe('created_at, id, count, m, CUBE, orders');
  });

  it('offers own members without paths to a row filter, dimensions first', () => {
    const filter = (text: string): string =>
      labels(own(`access_policy:\n  - group: a\n    row_level:\n      filters:\n        - ${text}`));
    expect(filter('member: $0')).toBe('created_at, id, count');
    expect(filter('{member: id, operator: equals, values: ["{ $0 }"]}')).toBe(
      'securityContext, userAttributes, groups',
    );
    expect(filter('{member: id, operator: equals, values: ["$0"]}')).toBe('nothing');
  });

  const COMMON = 'equals, notEquals, in, notIn';
  const DATES = 'inDateRange, notInDateRange, onTheDate, beforeDate, beforeOrOnDate, afterDate, afterOrOnDate';
  const TEXTS = 'contains, notContains, startsWith, notStartsWith, endsWith, notEndsWith';
  const FIRST = `equals, notEquals, ${TEXTS}, in, notIn`;

  it.each([
    ['{member: count, operator: $0}', `${COMMON}, gt, gte, lt, lte, set, notSet, measureFilter`],
    ['{member: "{CUBE.count}", operator: $0}', `${COMMON}, gt, gte, lt, lte, set, notSet, measureFilter`],
    ['{member: created_at, operator: $0}', `${COMMON}, set, notSet, ${DATES}`],
    ['member: id\n  operator: $0', `${COMMON}, gt, gte, lt, lte, set, notSet`],
    ['operator: $0\n  member: name', `${FIRST}, set, notSet`],
    ['{member: is_new, operator: $0}', `${COMMON}, set, notSet`],
    ['{member: nothing, operator: $0}', `${FIRST}, gt, gte, lt, lte, set, notSet, ${DATES}, measureFilter`],
  ])('offers operators that fit the member of a row filter: %s', (filter, offered) => {
    const text = yaml`
      cubes:
        - name: orders
          sql_table: orders
          dimensions:
            - {name: id, sql: id, type: number, primary_key: true}
            - {name: name, sql: name, type: string}
            - {name: is_new, sql: is_new, type: boolean}
            - {name: created_at, sql: created_at, type: time}
          measures: [{name: count, type: count}]
          access_policy:
            - group: a
              row_level:
                filters:
                  - ${filter}
    `;
    expect(labels(text)).toBe(offered);
  });
});
