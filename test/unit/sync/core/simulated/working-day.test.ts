import { expect, it } from 'vitest';
import { openPlatform } from '#support/platform.ts';
import { liveThroughHours } from '#support/sync/working-day.ts';

it('both trees agree after each hour of a busy team, cuts and restarts included', async () => {
  const report = await liveThroughHours(await openPlatform(), 2, 2026);
  expect(report.problems).toEqual([]);
  expect(report).toMatchObject({ events: 360, restarts: 1 });
  expect(report.cuts).toBeGreaterThan(0);
  expect(report.conflicts).toBeGreaterThan(0);
  console.log(
    `two hours of work: ${report.events} events, ${report.cuts} cuts, ${report.conflicts} conflicts, trees equal`,
  );
});
