import { describe, expect, it } from 'vitest';
import { folderEvents } from '#features/language/folder-events.ts';
import { ManualClock } from '#support/manual-clock.ts';

function listener() {
  const clock = new ManualClock();
  const start = clock.now();
  const told: number[] = [];
  return { clock, told, news: folderEvents(clock, () => told.push(clock.now() - start)) };
}

describe('news of folders', () => {
  it('arrives soon, and again while a checkout may still write into them', async () => {
    const { clock, told, news } = listener();
    news.heard();
    await clock.advance(60_000);
    expect(told).toEqual([50, 1000, 5000]);
  });

  it('arrives once when it comes together', async () => {
    const { clock, told, news } = listener();
    for (let each = 0; each < 5; each++) {
      news.heard();
      await clock.advance(10);
    }
    await clock.advance(500);
    expect(told).toEqual([90]);
  });

  it('ends with whoever listens', async () => {
    const { clock, told, news } = listener();
    news.heard();
    news.dispose();
    await clock.advance(60_000);
    expect(told).toEqual([]);
  });
});
