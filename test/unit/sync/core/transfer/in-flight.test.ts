import { describe, expect, it } from 'vitest';
import { InFlight } from '#sync/core/transfer/in-flight.ts';

interface Task {
  readonly run: () => Promise<void>;
  readonly end: (error?: Error) => void;
}

function task(): Task {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  return { run: () => promise, end: (error) => (error ? reject(error) : resolve()) };
}

/** Whether a promise has an outcome once everything that could happen now has happened. */
async function isResolved(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('tasks in flight', () => {
  it('run side by side up to their number, and the next begins when one ends', async () => {
    const inFlight = new InFlight({ tasks: 2, bytes: 100 });
    const [a, b, c] = [task(), task(), task()];
    await inFlight.begin(1, a.run);
    await inFlight.begin(1, b.run);
    const third = inFlight.begin(1, c.run);
    expect(await isResolved(third)).toBe(false);
    b.end();
    await third;
    const ended = inFlight.end();
    a.end();
    expect(await isResolved(ended)).toBe(false);
    c.end();
    await ended;
  });

  it('stay within their bytes, and one that is larger runs alone', async () => {
    const inFlight = new InFlight({ tasks: 8, bytes: 100 });
    const [small, large, next] = [task(), task(), task()];
    await inFlight.begin(1, small.run);
    const begun = inFlight.begin(1000, large.run);
    expect(await isResolved(begun)).toBe(false);
    small.end();
    await begun;
    const after = inFlight.begin(1, next.run);
    expect(await isResolved(after)).toBe(false);
    large.end();
    await after;
    next.end();
    await inFlight.end();
  });

  it('report a failure once, to the next caller, after the others ended', async () => {
    const inFlight = new InFlight({ tasks: 8, bytes: 100 });
    const [a, b] = [task(), task()];
    await inFlight.begin(1, a.run);
    await inFlight.begin(1, b.run);
    a.end(new Error('the disk is gone'));
    const ended = inFlight.end();
    expect(await isResolved(ended)).toBe(false);
    b.end();
    await expect(ended).rejects.toThrow('the disk is gone');
    await inFlight.end();
    await inFlight.begin(1, () => Promise.reject(new Error('again')));
    await new Promise((resolve) => setImmediate(resolve));
    await expect(inFlight.begin(1, () => Promise.resolve())).rejects.toThrow('again');
    await inFlight.end();
  });
});
