import { describe, expect, it, vi } from 'vitest';
import { Activity } from '#language-server/activity.ts';

describe('background work', () => {
  it('continues at once when there is no request', async () => {
    const activity = new Activity(() => 0);
    await expect(activity.calm()).resolves.toBeUndefined();
  });

  it('waits for a request and a moment longer, but not for ever', async () => {
    vi.useFakeTimers();
    try {
      const activity = new Activity(() => Date.now());
      let answer: () => void = () => undefined;
      const request = activity.during(() => new Promise<void>((resolve) => (answer = resolve)));
      const log: string[] = [];
      void activity.calm().then(() => log.push('calm'));
      await vi.advanceTimersByTimeAsync(100);
      expect(log).toEqual([]);
      answer();
      await request;
      await vi.advanceTimersByTimeAsync(15);
      expect(log).toEqual([]);
      await vi.advanceTimersByTimeAsync(20);
      expect(log).toEqual(['calm']);
      void activity.during(() => new Promise(() => undefined));
      void activity.calm().then(() => log.push('patience is over'));
      await vi.advanceTimersByTimeAsync(300);
      expect(log).toEqual(['calm', 'patience is over']);
    } finally {
      vi.useRealTimers();
    }
  });
});
