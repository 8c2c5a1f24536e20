import { expect, it, vi } from 'vitest';
import { Heartbeat, silenceMs } from '#features/language/heartbeat.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const never = (): Promise<never> => new Promise(() => {});

// @shows hang
it('reports once a process that does not answer, and does not ask it again', async () => {
  const [clock, ask, onSilent] = [new ManualClock(), vi.fn(never), vi.fn()];
  const heartbeat = new Heartbeat({ ask, onSilent, clock });
  await clock.advance(silenceMs);
  expect(onSilent).not.toHaveBeenCalled();
  await clock.advance(10 * silenceMs);
  expect([onSilent.mock.calls.length, ask.mock.calls.length]).toEqual([1, 1]);
  heartbeat.dispose();
});

it.each([
  ['answers', () => Promise.resolve()],
  ['refuses', () => Promise.reject(new Error('closed'))],
])('leaves a process alone that %s', async (_, ask) => {
  const [clock, onSilent] = [new ManualClock(), vi.fn()];
  const heartbeat = new Heartbeat({ ask, onSilent, clock });
  await clock.advance(100 * silenceMs);
  expect(onSilent).not.toHaveBeenCalled();
  heartbeat.dispose();
});

it('waits for an answer that comes late, and continues asking', async () => {
  const [clock, onSilent] = [new ManualClock(), vi.fn()];
  const ask = vi.fn(() => clock.sleep(silenceMs - 1));
  const heartbeat = new Heartbeat({ ask, onSilent, clock });
  await clock.advance(10 * silenceMs);
  expect(onSilent).not.toHaveBeenCalled();
  expect(ask.mock.calls.length).toBeGreaterThan(5);
  heartbeat.dispose();
});

it('takes the hour that a laptop slept for one wait', async () => {
  const wakes: (() => void)[] = [];
  const clock = { now: () => 0, sleep: () => new Promise<void>((done) => void wakes.push(done)) };
  const onSilent = vi.fn();
  const heartbeat = new Heartbeat({ ask: never, onSilent, clock });
  // The first one until it asks, then all but the last of the silence, however long each of them took.
  for (let waits = 0; waits < silenceMs / 5_000; waits += 1) {
    wakes.splice(0).forEach((wake) => wake());
    await settled();
  }
  expect(onSilent).not.toHaveBeenCalled();
  wakes.splice(0).forEach((wake) => wake());
  await settled();
  expect(onSilent).toHaveBeenCalledTimes(1);
  heartbeat.dispose();
});

it('reports nothing after it ended', async () => {
  const [clock, onSilent] = [new ManualClock(), vi.fn()];
  new Heartbeat({ ask: never, onSilent, clock }).dispose();
  await clock.advance(10 * silenceMs);
  expect(onSilent).not.toHaveBeenCalled();
});
