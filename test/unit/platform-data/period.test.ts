import { describe, expect, it } from 'vitest';
import { isRelative, ranksTime, readPeriod } from '#platform/agent/period.ts';

const today = Date.UTC(2026, 9, 31, 22);

describe('what a question says about time', () => {
  const cases: readonly (readonly [question: string, granularity: string | undefined, ...(string | undefined)[]])[] = [
    ['revenue', undefined],
    ['revenue by month', 'month'],
    ['Monthly revenue', 'month'],
    ['orders per week', 'week'],
    ['yearly orders', 'year'],
    ['annually', 'year'],
    ['daily orders', 'day'],
    ['revenue over time', 'month'],
    ['the trend of orders', 'month'],
    ['revenue by category and month', 'month'],
    ['best month for revenue', 'month'],
    ['revenue in 2025', undefined, '2025-01-01', '2025-12-31', '2025'],
    ['compare 2024 and 2025', 'year', '2024-01-01', '2025-12-31', '2024 to 2025'],
    ['from 2024 to 2025', undefined, '2024-01-01', '2025-12-31', '2024 to 2025'],
    ['since 2025', undefined, '2025-01-01', undefined, 'since 2025'],
    ['after 2024', undefined, '2025-01-01', undefined, 'after 2024'],
    ['before 2024', undefined, undefined, '2023-12-31', 'before 2024'],
    ['in Q2 2025', undefined, '2025-04-01', '2025-06-30', 'Q2 2025'],
    ['in March 2025', undefined, '2025-03-01', '2025-03-31', 'march 2025'],
    ['in feb 2024', undefined, '2024-02-01', '2024-02-29', 'february 2024'],
    ['last month', undefined, '2026-09-01', '2026-09-30', 'last month'],
    ['in the last 3 months', undefined, '2026-07-01', '2026-09-30', 'the last 3 months'],
    ['this year by month', 'month', '2026-01-01', '2026-12-31', 'this year'],
    ['yesterday', undefined, '2026-10-30', '2026-10-30', 'yesterday'],
  ]; // prettier-ignore
  for (const [question, granularity, from, to, label] of cases) {
    it(question, () => {
      const period = readPeriod(question, today);
      expect({
        granularity: period.granularity,
        from: period.range?.from?.slice(0, 10),
        to: period.range?.to?.slice(0, 10),
        label: period.label,
      }).toEqual({ granularity, from, to, label });
    });
  }

  it('knows what counts from today and what ranks time', () => {
    expect([isRelative('revenue last month'), isRelative('revenue in 2025')]).toEqual([true, false]);
    expect([ranksTime('which month was best'), ranksTime('revenue by month')]).toEqual([true, false]);
  });
});
