import { describe, expect, it } from 'vitest';
import { readableTime } from '#base/timestamps.ts';
import { factLines } from '#features/playground/answered.ts';

describe('the facts of a run', () => {
  it('name the time of the data as the user reads times', () => {
    const lastRefreshTime = '2026-11-28T18:12:23.972Z';
    const facts = { source: 'Shop', milliseconds: 5, preAggregations: [], lastRefreshTime };
    const [last] = factLines(facts, undefined).slice(-1);
    expect(last).toBe(`Data of ${readableTime(lastRefreshTime)}`);
    expect(last).not.toMatch(/T18:|Z$/);
  });
});
