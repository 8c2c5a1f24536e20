import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildQuery } from '#features/playground/build-query.ts';
import { checkDraft } from '#features/playground/check-draft.ts';
import { type Draft, emptyDraft, operators, valuesOf } from '#features/playground/draft.ts';
import type { PlaygroundMember } from '#features/playground/messages.ts';
import { operatorsOf } from '#features/playground/operators.ts';
import { toggled } from '#features/playground/page/toggled.ts';
import { formContext, queryForms } from '#features/playground/query-forms.ts';

const member = (
  name: string,
  kind: PlaygroundMember['kind'],
  valueKind: PlaygroundMember['valueKind'],
): PlaygroundMember => ({ name, kind, valueKind, title: name, description: '', type: 'string' });
const members = [
  member('orders.count', 'measure', 'number'),
  member('orders.revenue', 'measure', 'number'),
  member('orders.status', 'dimension', 'text'),
  member('orders.is_paid', 'dimension', 'boolean'),
  member('orders.created_at', 'time', 'time'),
  member('orders.large', 'segment', 'text'),
  { ...member('orders.paid_at', 'time', 'time'), granularities: ['fiscal_year'] },
];
const draft = (change: Partial<Draft>): Draft => ({ ...emptyDraft, measures: ['orders.count'], ...change });
const filter = (name: string, operator: Draft['filters'][number][number]['operator'], values = '') =>
  draft({ filters: [[{ member: name, operator, values }]] });
const problems = (some: Draft): unknown => checkDraft(some, members).map(({ field, message }) => [field, message]);

describe('valuesOf', () => {
  it.each([
    ['', []],
    ['  ', []],
    ['paid', ['paid']],
    [' paid , open,', ['paid', 'open']],
    ['"a, b", "say ""hi""", ""', ['a, b', 'say "hi"', '']],
    ['"unfinished, x', ['"unfinished', 'x']],
  ])('reads %j as %j', (typed, values) => expect(valuesOf(typed)).toEqual(values));

  it('reads back any values that stand in quotes', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (values) => {
        expect(valuesOf(values.map((value) => `"${value.replaceAll('"', '""')}"`).join(','))).toEqual(values);
      }),
    );
  });
});

describe('a check of a query', () => {
  it('finds nothing wrong with a whole query', () => {
    const whole = draft({
      dimensions: ['orders.status'],
      segments: ['orders.large'],
      time: {
        dimension: 'orders.created_at',
        granularity: 'month',
        range: 'between',
        from: '2026-01-01',
        to: '2026-01-31',
      },
      filters: [
        [
          { member: 'orders.status', operator: 'equals', values: 'paid' },
          { member: 'orders.created_at', operator: 'inDateRange', values: 'last month' },
        ],
        [{ member: 'orders.revenue', operator: 'gt', values: '-1.5e3' }],
      ],
      order: [{ member: 'orders.created_at.month', descending: false }],
    });
    expect(problems(whole)).toEqual([]);
  });

  it.each<readonly [string, Draft, string, string]>([
    [
      'nothing chosen',
      emptyDraft,
      'query',
      'Choose at least one measure or dimension, or a granularity for the time dimension.',
    ],
    [
      'an unknown member',
      draft({ measures: ['orders.cuont'] }),
      'measures',
      'The model has no “orders.cuont”. Did you mean “orders.count”?',
    ],
    [
      'a member in the wrong place',
      draft({ dimensions: ['orders.revenue'] }),
      'dimensions',
      '“orders.revenue” is a measure and cannot be used here.',
    ],
    [
      'an operator of another type',
      filter('orders.status', 'gt', '1'),
      'filters.0.0',
      '“is greater than” does not apply to “orders.status”.',
    ],
    ['a text for a number', filter('orders.revenue', 'gt', 'many'), 'filters.0.0', '“many” is not a number.'],
    ['two values for one', filter('orders.revenue', 'gt', '1, 2'), 'filters.0.0', 'Enter exactly one value.'],
    ['no value', filter('orders.status', 'equals'), 'filters.0.0', 'Enter a value. Separate several with commas.'],
    [
      'a day that does not exist',
      filter('orders.created_at', 'afterDate', '2026-02-30'),
      'filters.0.0',
      '“2026-02-30” is not a date. Write it like 2026-01-31.',
    ],
    ['neither true nor false', filter('orders.is_paid', 'equals', 'yes'), 'filters.0.0', '“yes” is not true or false.'],
    [
      'an order of what is not there',
      draft({ order: [{ member: 'orders.status', descending: false }] }),
      'order.0',
      'Add “orders.status” to the query to order by it.',
    ],
    ['a limit of 0', draft({ limit: '0' }), 'limit', 'The limit is a number from 1 to 50,000.'],
    [
      'an unknown time zone',
      draft({ timezone: 'Mars/Base' }),
      'timezone',
      '“Mars/Base” is not a time zone. Write it like Europe/Berlin.',
    ],
    [
      'days in the wrong order',
      draft({
        time: {
          ...emptyDraft.time,
          dimension: 'orders.created_at',
          range: 'between',
          from: '2026-02-01',
          to: '2026-01-01',
        },
      }),
      'time',
      'The first day of the range is after the last one.',
    ],
    [
      'a range of nothing',
      draft({ time: { ...emptyDraft.time, range: 'today' } }),
      'time',
      'Choose the time dimension that this is about.',
    ],
  ])('explains %s at its field', (_, some, field, message) => {
    expect(problems(some)).toEqual([[field, message]]);
  });

  it('knows the granularities of the model, each at its own time dimension', () => {
    const by = (dimension: string, granularity: string): unknown =>
      problems(draft({ time: { ...emptyDraft.time, dimension, granularity } }));
    expect(by('orders.paid_at', 'fiscal_year')).toEqual([]);
    expect(by('orders.created_at', 'fiscal_year')).toEqual([
      ['time', '“orders.created_at” has no granularity “fiscal_year”.'],
    ]);
    // The model is not known: the server decides.
    const unknown = draft({ time: { ...emptyDraft.time, dimension: 'orders.created_at', granularity: 'fiscal_year' } });
    expect(checkDraft(unknown, [])).toEqual([]);
  });

  it('takes a range that ends on the day on which it begins, at whatever time', () => {
    const range = { dimension: 'orders.created_at', granularity: '', range: 'between' };
    const between = (from: string, to: string): unknown => problems(draft({ time: { ...range, from, to } }));
    expect(between('2026-01-01T10:00:00', '2026-01-01')).toEqual([]);
    expect(between('2026-01-01', '2026-01-01T10:00:00')).toEqual([]);
    expect(between('2026-01-02T10:00:00', '2026-01-01')).toHaveLength(1);
  });

  it('explains that measures and dimensions cannot be alternatives', () => {
    const mixed = draft({
      filters: [
        [
          { member: 'orders.status', operator: 'set', values: '' },
          { member: 'orders.revenue', operator: 'set', values: '' },
        ],
      ],
    });
    expect(problems(mixed)).toEqual([
      ['filters.0.0', 'Measures and dimensions cannot be alternatives of each other. Use two filters.'],
    ]);
  });

  it('blames no member while the model is not known', () => {
    expect(checkDraft(draft({ measures: ['anything.at_all'] }), [])).toEqual([]);
  });
});

describe('buildQuery', () => {
  it('leaves empty fields out, and makes alternatives of a group', () => {
    expect(buildQuery(draft({ timezone: 'Europe/Berlin' }))).toEqual({
      measures: ['orders.count'],
      limit: 1000,
      timezone: 'Europe/Berlin',
    });
    const query = buildQuery(
      draft({
        time: { ...emptyDraft.time, dimension: 'orders.created_at', granularity: 'month', range: 'last 7 days' },
        filters: [
          [{ member: 'orders.status', operator: 'set', values: 'ignored' }],
          [
            { member: 'orders.status', operator: 'equals', values: 'paid, open' },
            { member: 'orders.is_paid', operator: 'equals', values: 'true' },
          ],
        ],
        order: [{ member: 'orders.created_at.month', descending: true }],
      }),
    );
    expect(query).toMatchInlineSnapshot(`
      {
        "filters": [
          {
            "member": "orders.status",
            "operator": "set",
          },
          {
            "or": [
              {
                "member": "orders.status",
                "operator": "equals",
                "values": [
                  "paid",
                  "open",
                ],
              },
              {
                "member": "orders.is_paid",
                "operator": "equals",
                "values": [
                  "true",
                ],
              },
            ],
          },
        ],
        "limit": 1000,
        "measures": [
          "orders.count",
        ],
        "order": [
          [
            "orders.created_at",
            "desc",
          ],
        ],
        "timeDimensions": [
          {
            "dateRange": "last 7 days",
            "dimension": "orders.created_at",
            "granularity": "month",
          },
        ],
        "timezone": "UTC",
      }
    `);
  });
});

describe('operators of filters', () => {
  it('are each offered for some kind of values', () => {
    const offered = (['text', 'number', 'time', 'boolean'] as const).flatMap((kind) => operatorsOf(kind));
    expect(new Set(offered.map(({ operator }) => operator))).toEqual(new Set(operators));
  });
});

describe('forms of a query for other tools', () => {
  const forms = (some: Draft): Readonly<Record<string, string>> =>
    Object.fromEntries(
      queryForms(buildQuery(some), some, formContext('https://shop.example/cubejs-api/v1', members)).map(
        ({ id, text }) => [id, text],
      ),
    );

  it('ask the GraphQL API for the same, with filters of the types of its members', () => {
    const time = {
      dimension: 'orders.created_at',
      granularity: 'month',
      range: 'last year',
      from: '',
      to: '',
    } as const;
    const some: Draft = {
      ...emptyDraft,
      measures: ['orders.count'],
      dimensions: ['orders.status'],
      time,
      filters: [
        [{ member: 'orders.count', operator: 'gt', values: '5' }],
        [
          { member: 'orders.status', operator: 'equals', values: 'paid, new' },
          { member: 'orders.status', operator: 'notSet', values: '' },
        ],
      ],
      order: [{ member: 'orders.created_at.month', descending: true }],
    };
    expect(forms(some)['graphql']).toMatchInlineSnapshot(`
      "query {
        cube(limit: 1000, timezone: "UTC", where: { orders: { created_at: { inDateRange: ["last year"] } }, AND: [{ orders: { count: { gt: 5 } } }, { OR: [{ orders: { status: { in: ["paid", "new"] } } }, { orders: { status: { set: false } } }] }] }) {
          orders(orderBy: { created_at: desc }) {
            created_at { month }
            status
            count
          }
        }
      }
      "
    `);
    expect(forms(filter('orders.status', 'contains', 'a"b'))['graphql']).toContain(
      'where: { orders: { status: { contains: ["a\\"b"] } }',
    );
    expect(forms({ ...emptyDraft, measures: ['orders.count'], segments: ['orders.large'] })['graphql']).toMatch(
      /^# GraphQL has no segments/,
    );
  });

  it('quote what a shell would run, and name the token instead of showing one', () => {
    const { rest = '', javascript = '' } = forms(filter('orders.status', 'equals', `it's $(date)`));
    expect(rest).toContain(String.raw`it'\''s $(date)`);
    expect(rest).toContain('"Authorization: $CUBE_TOKEN"');
    expect(javascript).toContain('process.env.CUBE_TOKEN');
  });

  it('say where a granularity of the model has no form', () => {
    const time = { ...emptyDraft.time, dimension: 'orders.paid_at', granularity: 'fiscal_year' };
    const { graphql, sqlApi, json } = forms(draft({ time }));
    for (const text of [graphql, sqlApi]) expect(text).toMatch(/^(?:#|--) \w+ has no granularity “fiscal_year”\./);
    expect(json).toContain('"granularity": "fiscal_year"');
  });

  it('write the query for the SQL API, with measures in HAVING', () => {
    const { sqlApi } = forms(
      draft({
        dimensions: ['orders.status'],
        time: {
          dimension: 'orders.created_at',
          granularity: 'month',
          range: 'between',
          from: '2026-01-01',
          to: '2026-01-31',
        },
        filters: [
          [{ member: 'orders.status', operator: 'contains', values: `5%'` }],
          [{ member: 'orders.revenue', operator: 'gte', values: '10' }],
        ],
        order: [{ member: 'orders.count', descending: true }],
        limit: '5',
      }),
    );
    expect(sqlApi?.split('\n')).toEqual([
      'SELECT',
      `  DATE_TRUNC('month', "orders"."created_at") AS "orders.created_at.month",`,
      '  "orders"."status" AS "orders.status",',
      '  MEASURE("orders"."count") AS "orders.count"',
      'FROM "orders"',
      `WHERE "orders"."created_at" >= '2026-01-01' AND "orders"."created_at" < DATE '2026-01-31' + INTERVAL '1 day'`,
      String.raw`  AND ("orders"."status" ILIKE '%5\%''%')`,
      'GROUP BY 1, 2',
      'HAVING MEASURE("orders"."revenue") >= 10',
      'ORDER BY MEASURE("orders"."count") DESC',
      'LIMIT 5',
      '',
    ]);
  });

  it('say why a range in words has no SQL', () => {
    const { sqlApi } = forms(
      draft({ time: { ...emptyDraft.time, dimension: 'orders.created_at', range: 'last month' } }),
    );
    expect(sqlApi).toBe('-- SQL has no “last month”. Choose the days of the range to see the query here.\n');
  });
});

describe('a click on a member', () => {
  it('puts it into the query and takes it out again, with its order', () => {
    const [count, , status, , created] = members;
    if (!count || !status || !created) throw new Error('The members are there.');
    const apply = (some: Draft, each: PlaygroundMember): Draft => ({ ...some, ...toggled(each, some) });
    const chosen = [count, status, created].reduce(apply, emptyDraft);
    expect(chosen).toMatchInlineSnapshot(`
      {
        "dimensions": [
          "orders.status",
        ],
        "filters": [],
        "limit": "1000",
        "measures": [
          "orders.count",
        ],
        "order": [],
        "segments": [],
        "time": {
          "dimension": "orders.created_at",
          "from": "",
          "granularity": "day",
          "range": "",
          "to": "",
        },
        "timezone": "UTC",
      }
    `);
    const order = [
      { member: 'orders.created_at.day', descending: true },
      { member: 'orders.count', descending: true },
    ];
    expect([count, status, created].reduce(apply, { ...chosen, order })).toEqual(emptyDraft);
  });
});
