import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { runAdaptive } from '#sync/core/remote/adaptive.ts';
import { ManualClock } from '#support/manual-clock.ts';

const trouble = (kind: 'server' | 'forbidden', retryAfter?: number): PlatformError =>
  new PlatformError({ kind, operation: 'uploadFile', message: 'Not now.', retryAfter });

const items = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** Runs items of 40 ms each, and answers how many were under way at each start. */
async function run(
  count: number,
  fails: (item: number, attempt: number) => PlatformError | undefined = () => undefined,
): Promise<{
  readonly widths: readonly number[];
  readonly ms: number;
  readonly attempts: ReadonlyMap<number, number>;
}> {
  const clock = new ManualClock();
  const started = clock.now();
  const widths: number[] = [];
  const attempts = new Map<number, number>();
  let running = 0;
  const work = async (item: number): Promise<void> => {
    const attempt = (attempts.get(item) ?? 0) + 1;
    attempts.set(item, attempt);
    widths.push(++running);
    try {
      await clock.sleep(40);
      const error = fails(item, attempt);
      if (error) throw error;
    } finally {
      running -= 1;
    }
  };
  await clock.run(runAdaptive(items(count), work, { clock, signal: undefined }));
  return { widths, ms: clock.now() - started, attempts };
}

describe('work side by side, as much as goes well', () => {
  it('begins with eight and goes up to thirty-two', async () => {
    const { widths, ms } = await run(640);
    expect(Math.max(...widths.slice(0, 8))).toBe(8);
    expect(Math.max(...widths)).toBe(32);
    // 640 × 40 ms one after the other would be 25.6 s.
    expect(ms).toBeLessThan((640 / 32) * 40 * 1.3);
  });

  it('goes down to four while the server is in trouble, waits as it asks, and sends again what failed', async () => {
    const { widths, attempts, ms } = await run(200, (item, attempt) =>
      item < 60 && attempt === 1 ? trouble('server', 2) : undefined,
    );
    expect([...attempts].filter(([, count]) => count === 2)).toHaveLength(60);
    expect(Math.min(...widths.slice(20, 60))).toBeLessThanOrEqual(4);
    expect(ms).toBeGreaterThanOrEqual(2000);
  });

  it('gives up on one that fails five times, and on a refusal at once; what is under way is waited for', async () => {
    await expect(run(20, (item) => (item === 3 ? trouble('server') : undefined))).rejects.toMatchObject({
      kind: 'server',
    });
    const clock = new ManualClock();
    let ended = 0;
    const work = async (item: number): Promise<void> => {
      await clock.sleep(item === 0 ? 10 : 40);
      if (item === 0) throw trouble('forbidden');
      ended += 1;
    };
    const failed = runAdaptive(items(100), work, { clock, signal: undefined });
    await expect(clock.run(failed)).rejects.toMatchObject({ kind: 'forbidden' });
    expect(ended).toBe(7);
  });

  it('starts nothing more once it is cancelled', async () => {
    const cancelled = new AbortController();
    const clock = new ManualClock();
    const begun: number[] = [];
    const work = async (item: number): Promise<void> => {
      begun.push(item);
      if (item === 2) cancelled.abort();
      await clock.sleep(40);
    };
    await expect(clock.run(runAdaptive(items(100), work, { clock, signal: cancelled.signal }))).rejects.toMatchObject({
      name: 'AbortError',
    });
    expect(begun.length).toBeLessThanOrEqual(8);
  });
});
