import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isModelPath } from '#model/project/model-path.ts';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { renameGranularityInQuery, renameInQuery } from '#model/query-files/rename-in-query.ts';
import { ownGranularities } from '#model/granularities.ts';
import type { Subject } from '#model/usages/usages.ts';
import { indexOf } from '#support/language/problems.ts';
import { QUERIED, queriedModel } from '#support/language/queries.ts';
import { yaml } from '#support/language/raw.ts';

const index = queriedModel();

const GOOD = yaml`
  title: Orders by month
  query:
    measures: [orders.count, "orders.total"]
    dimensions:
      - orders.status
    segments: [orders.paid]
    timeDimensions:
      - dimension: orders.created_at
        granularity: month
        dateRange: [2026-01-01, 2026-03-31]
    filters:
      - member: orders.status
        operator: equals
        values: [paid]
      - or:
          - { member: orders.count, operator: gt, values: [1] }
          - { member: orders.total, operator: set }
    order:
      orders.created_at.month: desc
      orders.count: asc
    limit: 10
  tests:
    - name: Three months have orders
      as: { role: admin }
      rowCount: { min: 3 }
    - name: January is right
      rows:
        - { orders.status: paid, orders.count: 2 }
`;

function problemsOf(text: string): readonly string[] {
  return queryProblems(parseQueryFile(text), index).map(
    ({ problem: { code, message }, start, end }) => `${code} ${JSON.stringify(text.slice(start, end))} ${message}`,
  );
}

const inQuery = (lines: string): string => `query:\n${lines.replaceAll(/^/gm, '  ')}\n`;

describe('a query file', () => {
  it('is read into its query and its tests', () => {
    const { query, tests, title, problems } = parseQueryFile(GOOD);
    expect(problems).toEqual([]);
    expect(title).toBe('Orders by month');
    expect(query).toMatchInlineSnapshot(`
      {
        "dimensions": [
          "orders.status",
        ],
        "filters": [
          {
            "member": "orders.status",
            "operator": "equals",
            "values": [
              "paid",
            ],
          },
          {
            "or": [
              {
                "member": "orders.count",
                "operator": "gt",
                "values": [
                  1,
                ],
              },
              {
                "member": "orders.total",
                "operator": "set",
              },
            ],
          },
        ],
        "limit": 10,
        "measures": [
          "orders.count",
          "orders.total",
        ],
        "order": {
          "orders.count": "asc",
          "orders.created_at.month": "desc",
        },
        "segments": [
          "orders.paid",
        ],
        "timeDimensions": [
          {
            "dateRange": [
              "2026-01-01",
              "2026-03-31",
            ],
            "dimension": "orders.created_at",
            "granularity": "month",
          },
        ],
      }
    `);
    expect(
      tests.map(({ name, start, definition }) => ({ name, at: GOOD.slice(start, start + 5), definition })),
    ).toEqual([
      {
        name: 'Three months have orders',
        at: 'Three',
        definition: { name: 'Three months have orders', as: { role: 'admin' }, rowCount: { min: 3 } },
      },
      {
        name: 'January is right',
        at: 'Janua',
        definition: { name: 'January is right', rows: [{ 'orders.status': 'paid', 'orders.count': 2 }] },
      },
    ]);
  });

  it('is not a file of the model', () => {
    expect(['a/orders.query.yml', 'orders.query.yaml', 'a/orders.yml'].map(isModelPath)).toEqual([false, false, true]);
  });

  it('never throws, whatever is in it', () => {
    const piece = fc.constantFrom(
      'query:',
      '\n',
      '  ',
      '- ',
      'measures',
      ': ',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      'orders.count',
      'tests:',
      'rows',
      '\t',
      '&a',
      '*a',
      '#',
      '|',
      'null',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        expect(Array.isArray(problemsOf(pieces.join('')))).toBe(true);
      }),
    );
  });
});

describe('the checks of a query file', () => {
  it('find nothing in a right one, and nothing about names without a model', () => {
    expect(problemsOf(GOOD)).toEqual([]);
    const unknown = parseQueryFile(inQuery('measures: [nothing.known]'));
    expect(queryProblems(unknown, undefined)).toEqual([]);
  });

  it.each([
    [
      'measures: [orders.coun]',
      'unknown-reference "orders.coun" The model has no “orders.coun”. Did you mean “orders.count”?',
    ],
    [
      'measures: [orders.status]',
      'unknown-reference "orders.status" “orders.status” is a dimension and cannot be used here.',
    ],
    ['measures: [count]', 'unknown-reference "count" Write a member as cube.member, for example orders.count.'],
    [
      'dimensions: [shop.users_cit]',
      'unknown-reference "shop.users_cit" The model has no “shop.users_cit”. Did you mean “shop.users_city”?',
    ],
    [
      'order: { orders.created_at.mont: asc }',
      'unknown-reference "orders.created_at.mont" “orders.created_at” has no granularity “mont”.',
    ],
    ['order: { orders.count: up }', 'bad-value "up" “up” is not possible here. Write one of asc, desc.'],
    ['mesures: [orders.count]', 'unknown-key "mesures" Query has no key “mesures”. Did you mean “measures”?'],
    ['limit: many', 'wrong-type "many" This must be a number.'],
    [
      yaml`
        limit: 1
        limit: 2`,
      'duplicate-key "limit" “limit” is here twice. Remove one.',
    ],
    ['measures: orders.count', 'wrong-type "orders.count" This must be a list.'],
    ['segments:', 'null-value "segments" Write a list behind “segments”, or remove the key.'],
    [
      yaml`
        timeDimensions:
          - granularity: day`,
      'missing-key "granularity" Time dimension needs the key “dimension”.',
    ],
    [
      yaml`
        filters:
          - { member: orders.status, operator: equal, values: [a] }`,
      'bad-value "equal" “equal” is not possible here. Write “equals”.',
    ],
    [
      yaml`
        filters:
          - operator: set`,
      'missing-key "operator" Filter needs one of member, or, and.',
    ],
  ])('explain %s', (lines, expected) => {
    expect(problemsOf(inQuery(lines))).toEqual([expected]);
  });

  it('want one expectation in each test, and a query', () => {
    expect(
      problemsOf(yaml`
        tests:
          - name: Both
            rowCount: 1
            unique: [orders.id]
          - name: None
      `),
    ).toEqual([
      'missing-key "tests" Query file needs one of query, sql.',
      'exclusive-keys "unique" Test can have only one of rowCount, rows, value, unique, notNull, compare, noFanOut, freshness. Remove “unique”, or put it into another one.',
      'missing-key "name" Test needs one of rowCount, rows, value, unique, notNull, compare, noFanOut, freshness.',
    ]);
  });

  it('say where YAML breaks, and leave out what a comment switches off', () => {
    expect(
      problemsOf(yaml`
        query:
          measures: [orders.count
      `)[0],
    ).toMatch(/^yaml-syntax/);
    expect(
      problemsOf(yaml`
        query:
          measures: [a.b] # modelbench-ignore: unknown-reference
      `),
    ).toEqual([]);
  });
});

describe('a rename of a granularity in the model', () => {
  it('changes it beside its dimension and behind it, also where a view shows the dimension', () => {
    const model = indexOf({
      'm.yml': yaml`
        cubes:
          - name: orders
            sql_table: t
            dimensions:
              - {name: at, sql: a, type: time, granularities: [{name: fiscal, interval: 1 year}]}
              - {name: paid_at, sql: b, type: time, granularities: [{name: fiscal, interval: 1 year}]}
        views:
          - {name: shop, cubes: [{join_path: orders, prefix: true, includes: [at]}]}
      `,
    });
    const member = model.entity('orders')?.members.get('at');
    const [granularity] = member ? ownGranularities(member) : [];
    if (!granularity) throw new Error('The model has no granularity.');
    const text = inQuery(
      yaml`
        timeDimensions:
          - {dimension: orders.at, granularity: "fiscal"}
          - {dimension: orders.paid_at, granularity: fiscal}
          - {granularity: fiscal, dimension: shop.orders_at}
        order: { orders.at.fiscal: asc, orders.paid_at.fiscal: desc }`,
    );
    const edits = renameGranularityInQuery(parseQueryFile(text), granularity, 'business', model);
    let result = text;
    for (const { start, end, text: word } of edits.toSorted((a, b) => b.start - a.start))
      result = result.slice(0, start) + word + result.slice(end);
    expect(result).toBe(
      text
        .replace('"fiscal"', '"business"')
        .replace('{granularity: fiscal', '{granularity: business')
        .replace('orders.at.fiscal', 'orders.at.business'),
    );
  });
});

describe('a rename in the model', () => {
  const text = inQuery(
    yaml`
      measures: [orders.total, shop.revenue]
      dimensions: [users.city, "shop.users_city"]
      order: { orders.created_at.day: asc }`,
  );
  const member = (cube: string, name: string): Subject => {
    const found = index.entity(cube)?.members.get(name);
    if (!found) throw new Error(`There is no ${cube}.${name}.`);
    return { is: 'member', member: found };
  };
  const entity = (name: string): Subject => {
    const found = index.entity(name);
    if (!found) throw new Error(`There is no ${name}.`);
    return { is: 'entity', entity: found };
  };
  const after = (subject: Subject, name: string): string => {
    const edits = renameInQuery(parseQueryFile(text), subject, name, index);
    let result = text;
    for (const { start, end, text: word } of edits.toSorted((a, b) => b.start - a.start))
      result = result.slice(0, start) + word + result.slice(end);
    return result;
  };

  it('changes members under the names that views give to them, and keeps aliases', () => {
    expect(after(member('users', 'city'), 'town')).toBe(
      text.replace('users.city', 'users.town').replace('users_city', 'users_town'),
    );
    expect(after(member('orders', 'total'), 'amount')).toBe(text.replace('orders.total', 'orders.amount'));
    expect(after(member('orders', 'created_at'), 'placed_at')).toBe(text.replace('created_at', 'placed_at'));
  });

  it('changes cubes, and the prefixes that are made of their names', () => {
    expect(after(entity('users'), 'people')).toBe(
      text.replace('users.city', 'people.city').replace('users_city', 'people_city'),
    );
    expect(after(entity('shop'), 'store')).toBe(text.replaceAll('shop.', 'store.'));
  });

  it('changes a name of a view alone', () => {
    const [orders] = index.entity('shop')?.cubes ?? [];
    const include = orders?.includes === '*' ? undefined : orders?.includes?.[1];
    const view = index.entity('shop');
    if (!include?.aliasNode || !view) throw new Error('The view has an alias.');
    expect(after({ is: 'alias', view, node: include.aliasNode }, 'income')).toBe(
      text.replace('shop.revenue', 'shop.income'),
    );
    expect(QUERIED).toContain('alias: revenue');
  });
});
