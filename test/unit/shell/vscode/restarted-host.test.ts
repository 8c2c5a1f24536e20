import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { isRestartedHost as IsRestartedHost } from '#shell/vscode/restarted-host.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const window = { commands: [] as string[], asked: 0, channels: [] as string[] };

vi.mock('vscode', async () => ({
  ...(await import('#support/fake-vscode.ts')),
  window: {
    createOutputChannel: (name: string) => {
      window.channels.push(name);
      return { dispose: () => void window.channels.push('disposed') };
    },
  },
}));
vi.mock('#shell/vscode/guarded/commands.ts', () => ({
  commandIds: () => {
    window.asked += 1;
    return Promise.resolve(window.commands);
  },
}));

let isRestartedHost: typeof IsRestartedHost;
beforeAll(async () => {
  vi.resetModules();
  ({ isRestartedHost } = await import('#shell/vscode/restarted-host.ts'));
});
afterAll(() => vi.resetModules());

const context = { extension: { id: 'modelbench.modelbench' } };
const showChannel = (number: number): string =>
  `workbench.action.output.show.extension-output-modelbench.modelbench-#${number}-Modelbench (Window)`;

/** Asks in a window that registers the channel only later, and returns the answer. */
async function ask(clock: ManualClock, signal = new AbortController().signal): Promise<Promise<boolean>[]> {
  Object.assign(window, { commands: ['workbench.action.files.save'], asked: 0, channels: [] });
  const answer = isRestartedHost(context, clock, signal);
  await settled();
  expect([window.asked, window.channels]).toEqual([1, ['Modelbench (Window)']]);
  return [answer];
}

describe('an extension host', () => {
  it.each([
    [1, false],
    [2, true],
  ])('waits until the window has registered its channel: number %i', async (number, isRestarted) => {
    const clock = new ManualClock();
    const [answer] = await ask(clock);
    window.commands.push(showChannel(number));
    await clock.advance(500);
    expect(await answer).toBe(isRestarted);
    expect([window.asked, window.channels]).toEqual([2, ['Modelbench (Window)', 'disposed']]);
  });

  it('takes a window that never registers the channel for a new one', async () => {
    const clock = new ManualClock();
    const [answer] = await ask(clock);
    expect(await clock.run(answer as Promise<boolean>)).toBe(false);
    expect(window.asked).toBe(120);
  });

  it('stops asking when it ends', async () => {
    const ended = new AbortController();
    const [answer] = await ask(new ManualClock(), ended.signal);
    ended.abort();
    expect(await answer).toBe(false);
    expect([window.asked, window.channels]).toEqual([1, ['Modelbench (Window)', 'disposed']]);
  });
});
