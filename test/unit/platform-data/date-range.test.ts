import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readDateRange, unitRange, units } from '#platform/data/date-range.ts';

const now = Date.UTC(2026, 7, 12, 14, 30); // a Wednesday

describe('date ranges of the data API', () => {
  const cases: readonly (readonly [value: unknown, from: string, to: string])[] = [
    [['2025-01-01', '2025-01-31'], '2025-01-01T00:00:00.000', '2025-01-31T23:59:59.999'],
    [['2025-01-01'], '2025-01-01T00:00:00.000', '2025-01-01T23:59:59.999'],
    ['2025', '2025-01-01T00:00:00.000', '2025-12-31T23:59:59.999'],
    ['2024-02', '2024-02-01T00:00:00.000', '2024-02-29T23:59:59.999'],
    [['2025-01-01T10:00:00', '2025-01-01 12:30'], '2025-01-01T10:00:00.000', '2025-01-01T12:30:00.000'],
    ['from 2025-01-01 to 2025-03-31', '2025-01-01T00:00:00.000', '2025-03-31T23:59:59.999'],
    ['from 7 days ago to now', '2026-08-05T00:00:00.000', '2026-08-12T23:59:59.999'],
    ['From yesterday to tomorrow', '2026-08-11T00:00:00.000', '2026-08-13T23:59:59.999'],
    ['from 2 hours ago to now', '2026-08-12T12:00:00.000', '2026-08-12T14:59:59.999'],
    ['from now to a week from now', '2026-08-12T00:00:00.000', '2026-08-19T23:59:59.999'],
    ['from 2026-07-31 to today', '2026-07-31T00:00:00.000', '2026-08-12T23:59:59.999'],
    ['from 6 months ago to 30 days ago', '2026-02-12T00:00:00.000', '2026-07-13T23:59:59.999'],
    ['today', '2026-08-12T00:00:00.000', '2026-08-12T23:59:59.999'],
    ['Yesterday', '2026-08-11T00:00:00.000', '2026-08-11T23:59:59.999'],
    ['this week', '2026-08-10T00:00:00.000', '2026-08-16T23:59:59.999'],
    ['last month', '2026-07-01T00:00:00.000', '2026-07-31T23:59:59.999'],
    ['last 3 months', '2026-05-01T00:00:00.000', '2026-07-31T23:59:59.999'],
    ['last 30 days', '2026-07-13T00:00:00.000', '2026-08-11T23:59:59.999'],
    ['this quarter', '2026-07-01T00:00:00.000', '2026-09-30T23:59:59.999'],
    ['next year', '2027-01-01T00:00:00.000', '2027-12-31T23:59:59.999'],
  ];
  for (const [value, from, to] of cases) {
    it(`reads ${JSON.stringify(value)}`, () => {
      expect(readDateRange(value, now, 'UTC')).toEqual([from, to]);
    });
  }

  it('counts days where the user is', () => {
    expect(readDateRange('today', Date.UTC(2026, 0, 1, 2), 'America/New_York')?.[0]).toBe('2025-12-31T00:00:00.000');
  });

  it('ends a month ago in the month before, on its last day', () => {
    const endOfMarch = Date.UTC(2026, 2, 31, 12);
    expect(readDateRange('from 1 month ago to now', endOfMarch, 'UTC')?.[0]).toBe('2026-02-28T00:00:00.000');
  });

  it('refuses what means nothing', () => {
    for (const value of [
      'some day',
      '2025-13-01',
      '',
      [],
      5,
      ['x', 'y'],
      'from here to now',
      'from 2 moons ago to now',
    ]) {
      expect(readDateRange(value, now, 'UTC')).toBeUndefined();
    }
  });

  it('lays spans of a unit side by side, the present one around the day', () => {
    const days = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true });
    fc.assert(
      fc.property(days, fc.constantFrom(...units), fc.integer({ min: -20, max: 20 }), (day, unit, offset) => {
        const [from, to] = unitRange(unit, day, offset);
        const [next] = unitRange(unit, day, offset + 1);
        expect(Date.parse(`${to}Z`) + 1).toBe(Date.parse(`${next}Z`));
        expect(from < to).toBe(true);
        const [start, end] = unitRange(unit, day);
        expect(day.getTime()).toBeGreaterThanOrEqual(Date.parse(`${start}Z`));
        expect(day.getTime()).toBeLessThanOrEqual(Date.parse(`${end}Z`));
      }),
    );
  });
});
