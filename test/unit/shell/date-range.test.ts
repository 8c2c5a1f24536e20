import { describe, expect, it } from 'vitest';
import { parseDateRange } from '#shell/date-range.ts';

describe('a range of days', () => {
  it.each([
    ['', {}],
    ['2026-01-01', { start: '2026-01-01' }],
    [' 2026-01-01  2026-02-28 ', { start: '2026-01-01', end: '2026-02-28' }],
    ['2024-02-29 2024-02-29', { start: '2024-02-29', end: '2024-02-29' }],
  ])('comes from “%s”', (typed, range) => {
    expect(parseDateRange(typed)).toEqual({ ok: true, value: range });
  });

  it.each([
    ['tomorrow', 'Enter one or two dates as YYYY-MM-DD.'],
    ['2026-13-01', 'Enter one or two dates as YYYY-MM-DD.'],
    ['2026-02-30', 'Enter one or two dates as YYYY-MM-DD.'],
    ['2026-1-1', 'Enter one or two dates as YYYY-MM-DD.'],
    ['2026-01-01 2026-01-02 2026-01-03', 'Enter one or two dates as YYYY-MM-DD.'],
    ['2026-02-01 2026-01-01', 'The second date is before the first one.'],
  ])('does not come from “%s”', (typed, error) => {
    expect(parseDateRange(typed)).toEqual({ ok: false, error });
  });
});
