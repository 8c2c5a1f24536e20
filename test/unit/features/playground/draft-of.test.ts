import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildQuery } from '#features/playground/build-query.ts';
import { draftOf } from '#features/playground/draft-of.ts';
import { type Draft, emptyDraft } from '#features/playground/draft.ts';

const word = fc.constantFrom('orders.count', 'orders.status', 'users.city');
const value = fc.constantFrom('paid', 'a,b', 'say "x"', ' spaced ', '7');
const condition = fc.record({
  member: word,
  operator: fc.constantFrom('equals' as const, 'contains' as const),
  values: fc.array(value, { minLength: 1, maxLength: 3 }),
});
const query = fc.record({
  measures: fc.array(word, { minLength: 1, maxLength: 2 }),
  dimensions: fc.array(word, { minLength: 1, maxLength: 2 }),
  timeDimensions: fc.constantFrom(
    [{ dimension: 'orders.created_at', granularity: 'month', dateRange: 'last month' }],
    [{ dimension: 'orders.created_at', dateRange: ['2026-01-01', '2026-01-31'] }],
    [{ dimension: 'orders.created_at', granularity: 'fiscal_year', dateRange: 'from 3 days ago to now' }],
  ),
  filters: fc.array(fc.oneof(condition, fc.record({ or: fc.array(condition, { minLength: 2, maxLength: 2 }) })), {
    minLength: 1,
    maxLength: 2,
  }),
  order: fc.constant([
    ['orders.created_at', 'desc'],
    ['orders.count', 'asc'],
  ]),
  limit: fc.constant(7),
  timezone: fc.constant('Europe/Berlin'),
});

describe('the draft of a query', () => {
  it('makes the same query again', () => {
    fc.assert(
      fc.property(query, (given) => {
        const draft = draftOf(given);
        expect(draft.ok && buildQuery(draft.value)).toEqual(given);
      }),
    );
  });

  it('takes an order that is written as a map, and fills in what is not said', () => {
    const draft = draftOf({ measures: ['orders.count'], order: { 'orders.count': 'desc' } });
    const expected: Draft = {
      ...emptyDraft,
      measures: ['orders.count'],
      order: [{ member: 'orders.count', descending: true }],
    };
    expect(draft).toEqual({ ok: true, value: expected });
  });

  it.each([
    [{ filters: [{ and: [] }] }, 'filters.0'],
    [{ offset: 5 }, 'offset'],
    [{ timeDimensions: [{ dimension: 'a.b', dateRange: 'between' }] }, 'timeDimensions.0.dateRange'],
    [{ timeDimensions: [{ dimension: 'a.b' }, { dimension: 'a.c' }] }, 'timeDimensions'],
  ])('names what the playground has no field for: %o', (given, path) => {
    const draft = draftOf(given);
    expect(draft.ok ? '' : draft.error).toContain(`“${path}`);
  });
});
