import { describe, expect, it } from 'vitest';
import { refreshPeriod } from '#features/folders/refresh-period.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { type FaultDesk, openFaultDesk } from '#support/sync/fault-desk.ts';

const HOUR = 60 * 60;

/** Waits until a comparison that has begun is over. */
async function idle({ sync }: FaultDesk): Promise<void> {
  if (sync.status.value.busy === undefined) return;
  await new Promise<void>((resolve) => {
    sync.status.onDidChange(({ busy }) => {
      if (busy === undefined) resolve();
    });
  });
}

/** Opens a window, and resolves to it and to a function that counts its requests while so many seconds pass. */
async function openWindow(
  setting: number,
  isFocused: boolean,
): Promise<{ readonly desk: FaultDesk; readonly requestsIn: (seconds: number) => Promise<number> }> {
  const clock = new ManualClock();
  const desk = openFaultDesk({ 'model/a.yml': 'a' }, { ports: (ports) => ({ ...ports, clock }) });
  await desk.sync.plan();
  desk.sync.configure({ refreshSeconds: refreshPeriod(setting, isFocused) });
  const requestsIn = async (seconds: number): Promise<number> => {
    const before = desk.platform.requests;
    for (let passed = 0; passed < seconds; passed++) {
      await clock.advance(1000);
      await idle(desk);
    }
    return desk.platform.requests - before;
  };
  return { desk, requestsIn };
}

describe('the checks of a window', () => {
  it.each([
    { setting: 60, isFocused: true, hourly: 60 },
    { setting: 60, isFocused: false, hourly: 20 },
    { setting: 600, isFocused: false, hourly: 6 },
    { setting: 0, isFocused: true, hourly: 0 },
    { setting: 0, isFocused: false, hourly: 0 },
  ])('are $hourly in an hour with the setting $setting (with focus: $isFocused)', async ({ hourly, ...window }) => {
    const { requestsIn } = await openWindow(window.setting, window.isFocused);
    expect(await requestsIn(HOUR)).toBe(hourly);
  });

  it('show what another program changed on the branch, also without focus', async () => {
    const { desk, requestsIn } = await openWindow(60, false);
    desk.platform.files.set('model/a.yml', 'theirs');
    await requestsIn(180);
    expect(desk.sync.status.value.remoteChanges.map(({ path }) => path)).toEqual(['model/a.yml']);
  });

  it('back off while the platform does not answer, and begin again after it', async () => {
    const { desk, requestsIn } = await openWindow(2, true);
    desk.platform.isAway = true;
    // Pauses of 2, 5, 10 and 30 seconds, then one of 60 after the other.
    expect(await requestsIn(HOUR)).toBeLessThanOrEqual(HOUR / 60 + 5);
    desk.platform.isAway = false;
    await requestsIn(60);
    expect(await requestsIn(60)).toBe(30);
  });
});
