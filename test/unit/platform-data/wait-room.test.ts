import { describe, expect, it } from 'vitest';
import { createWaitRoom } from '#platform/data/wait-room.ts';
import { ManualClock } from '#support/manual-clock.ts';

describe('a room to wait in', () => {
  it('starts work once, asks early callers to come again, and returns the result once', async () => {
    const clock = new ManualClock();
    const room = createWaitRoom(clock, 100);
    let started = 0;
    let finish: (value: string) => void = () => undefined;
    const start = (): Promise<string> => {
      started++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    };
    const early = room.wait('a', start);
    await clock.advance(100);
    expect(await early).toEqual({ done: false, elapsed: 100 });
    const late = room.wait('a', start);
    finish('result');
    expect(await late).toEqual({ done: true, value: 'result' });
    expect(started).toBe(1);
    const next = room.wait('a', start);
    finish('fresh');
    expect(await next).toEqual({ done: true, value: 'fresh' });
    expect(started).toBe(2);
  });

  it('keeps a failure for who comes back, and then forgets it', async () => {
    const clock = new ManualClock();
    const room = createWaitRoom(clock, 100);
    let fail: (error: Error) => void = () => undefined;
    const early = room.wait('a', () => new Promise((_resolve, reject) => { fail = reject; })); // prettier-ignore
    await clock.advance(100);
    expect((await early).done).toBe(false);
    fail(new Error('broken'));
    await clock.advance(1);
    await expect(room.wait('a', async () => 'not started')).rejects.toThrow('broken');
    expect(await room.wait('a', async () => 'started')).toEqual({ done: true, value: 'started' });
  });

  it('keeps different work apart', async () => {
    const room = createWaitRoom(new ManualClock(), 100);
    const results = await Promise.all([room.wait('a', async () => 1), room.wait('b', async () => 2)]);
    expect(results).toEqual([
      { done: true, value: 1 },
      { done: true, value: 2 },
    ]);
  });
});
