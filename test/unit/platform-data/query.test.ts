import { describe, expect, it } from 'vitest';
import { readQuery } from '#platform/data/query.ts';

const now = Date.UTC(2026, 7, 12);

function errorOf(raw: unknown): string {
  const read = readQuery(raw, now);
  return read.ok ? 'no error' : read.error;
}

describe('queries of the data API', () => {
  it('fills in what a short query leaves out', () => {
    const read = readQuery({ measures: ['orders.count'] }, now);
    expect(read.ok && read.value).toEqual([
      {
        query: {
          measures: ['orders.count'],
          dimensions: [],
          timeDimensions: [],
          filters: [],
          segments: [],
          order: undefined,
          offset: 0,
          timezone: 'UTC',
          limit: 10_000,
        },
        total: false,
        responseFormat: 'default',
      },
    ]);
  });

  it('takes both spellings of order, filters and dimensions with a granularity', () => {
    const read = readQuery(
      {
        dimensions: ['orders.status', 'orders.created_at.month'],
        order: { 'orders.status': 'desc', 'orders.count': 'none' },
        filters: [
          {
            or: [
              { dimension: 'orders.status', operator: 'in', values: ['a', 1] },
              { member: 'orders.id', operator: 'set' },
            ],
          },
        ],
      },
      now,
    );
    expect(read.ok && read.value[0]?.query).toMatchObject({
      dimensions: ['orders.status'],
      timeDimensions: [{ dimension: 'orders.created_at', granularity: 'month' }],
      order: [{ id: 'orders.status', desc: true }],
      filters: [
        {
          or: [
            { member: 'orders.status', operator: 'equals', values: ['a', '1'] },
            { member: 'orders.id', operator: 'set' },
          ],
        },
      ],
    });
    const listed = readQuery({ measures: ['a.b'], order: [['a.b', 'asc']] }, now);
    expect(listed.ok && listed.value[0]?.query.order).toEqual([{ id: 'a.b', desc: false }]);
  });

  it('makes one query of each compared span', () => {
    const time = { dimension: 'orders.created_at', granularity: 'day', compareDateRange: ['this month', 'last month'] };
    const read = readQuery({ measures: ['orders.count'], timeDimensions: [time] }, now);
    expect(read.ok && read.value.map(({ compared }) => compared?.[0])).toEqual([
      '2026-08-01T00:00:00.000',
      '2026-07-01T00:00:00.000',
    ]);
  });

  it('names what is wrong', () => {
    expect(errorOf({ foo: 1 })).toBe('Invalid query format: "foo" is not allowed');
    expect(errorOf({ measures: ['count'] })).toContain('"measures.0"');
    expect(errorOf({ measures: 'orders.count' })).toContain('"measures"');
    expect(errorOf({})).toContain('Query should contain either measures');
    expect(errorOf({ measures: ['a.b'], timezone: 'Mars/Olympus' })).toContain('time zone');
    expect(errorOf({ measures: ['a.b'], limit: 60_000 })).toContain('50000');
    expect(errorOf({ measures: ['a.b'], timeDimensions: [{ dimension: 'a.t', dateRange: 'some day' }] })).toBe(
      "Can't parse date: 'some day'",
    );
    expect(errorOf({ measures: ['a.b'], filters: [{ member: 'a.b', operator: 'sounds like' }] })).toContain('operator');
    expect(errorOf('no object')).toContain('Invalid query format');
  });
});
