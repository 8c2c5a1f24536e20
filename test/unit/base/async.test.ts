import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { asError, CancelledError, delay, isCancelled, mapLimited, Sequencer, SingleFlight } from '#base/async.ts';

/** A promise and its resolver. */
function deferred(): { promise: Promise<void>; resolve: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { promise, resolve };
}

describe('delay', () => {
  it('rejects at once when the signal is or becomes aborted', async () => {
    const controller = new AbortController();
    const waiting = delay(1_000_000, controller.signal);
    controller.abort(new CancelledError('stopped by a person'));
    await expect(waiting).rejects.toThrow('stopped by a person');
    await expect(delay(0, controller.signal)).rejects.toSatisfy(isCancelled);
  });

  it('knows a plain abort as a cancellation', async () => {
    await expect(delay(0, AbortSignal.abort())).rejects.toSatisfy(isCancelled);
  });
});

describe('a wait for longer than a timer can be', () => {
  it('does not end at once', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const month = 30 * 24 * 3_600_000;
    let isOver = false;
    void delay(month).then(() => (isOver = true));
    await vi.advanceTimersByTimeAsync(month - 1);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });
});

describe('Sequencer', () => {
  it('runs tasks in order and continues after a failure', async () => {
    const sequencer = new Sequencer();
    const order: number[] = [];
    const gate = deferred();
    const first = sequencer.queue(async () => {
      await gate.promise;
      order.push(1);
      throw new Error('first failed');
    });
    const second = sequencer.queue(async () => void order.push(2));
    gate.resolve();
    await expect(first).rejects.toThrow('first failed');
    await second;
    expect(order).toEqual([1, 2]);
  });
});

describe('SingleFlight', () => {
  it('shares the running task and starts again afterwards', async () => {
    const flight = new SingleFlight<number>();
    let starts = 0;
    const task = async (): Promise<number> => ++starts;
    const [a, b] = await Promise.all([flight.run(task), flight.run(task)]);
    expect([a, b, flight.isRunning]).toEqual([1, 1, false]);
    expect(await flight.run(task)).toBe(2);
  });
});

describe('mapLimited', () => {
  it('keeps the order of the items and the limit', async () => {
    let running = 0;
    let most = 0;
    const results = await mapLimited([5, 3, 1, 4], 2, async (item) => {
      most = Math.max(most, ++running);
      await Promise.resolve();
      running--;
      return item * 2;
    });
    expect(results).toEqual([10, 6, 2, 8]);
    expect(most).toBe(2);
  });

  it('starts nothing more after a failure', async () => {
    const started: number[] = [];
    const run = mapLimited([1, 2, 3], 1, async (item) => {
      started.push(item);
      if (item === 2) throw new Error('two');
    });
    await expect(run).rejects.toThrow('two');
    expect(started).toEqual([1, 2]);
  });
});

describe('asError', () => {
  it('keeps errors and words what is not one', () => {
    const error = new Error('x');
    expect(asError(error)).toBe(error);
    expect(asError('plain').message).toBe('plain');
    expect(asError({ code: 1 }).message).toBe('{"code":1}');
  });
});
