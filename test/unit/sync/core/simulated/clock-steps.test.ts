import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { SyncMonitor } from '#sync/core/status/monitor.ts';

const DAY = 24 * 3_600_000;

function monitorWith(clock: ManualClock): SyncMonitor {
  return new SyncMonitor({
    logger: silentLogger,
    clock,
    branch: 'dev-a',
    readOnly: () => undefined,
    generation: () => 1,
    onHold: () => undefined,
    onOutage: () => undefined,
  });
}

const pauseOf = (seconds: number): PlatformError =>
  new PlatformError({ kind: 'rateLimit', operation: 'x', message: 'Later.', retryAfter: seconds });

describe('the pause that the platform asked for', () => {
  it('lasts as long as it was asked for', async () => {
    const clock = new ManualClock();
    const monitor = monitorWith(clock);
    monitor.failed(pauseOf(60));
    await clock.advance(59_000);
    expect(monitor.askedPause).toBe(1000);
    await clock.advance(1000);
    expect(monitor.askedPause).toBe(0);
  });

  it('does not last a day longer when the clock is set back by a day', async () => {
    const clock = new ManualClock();
    const monitor = monitorWith(clock);
    monitor.failed(pauseOf(60));
    clock.set(-DAY);
    expect(monitor.askedPause).toBeLessThanOrEqual(60_000);
    await clock.advance(60_000);
    expect(monitor.askedPause).toBe(0);
  });

  it('keeps the longer of two pauses', async () => {
    const clock = new ManualClock();
    const monitor = monitorWith(clock);
    monitor.failed(pauseOf(60));
    await clock.advance(10_000);
    monitor.failed(pauseOf(5));
    expect(monitor.askedPause).toBe(50_000);
    monitor.failed(pauseOf(90));
    expect(monitor.askedPause).toBe(90_000);
  });

  it('ends when the machine has slept through it', () => {
    const clock = new ManualClock();
    const monitor = monitorWith(clock);
    monitor.failed(pauseOf(60));
    clock.set(8 * 3_600_000);
    expect(monitor.askedPause).toBe(0);
  });
});
