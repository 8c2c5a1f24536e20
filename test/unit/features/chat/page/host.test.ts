import { describe, expect, it } from 'vitest';
import { connectHost } from '#features/chat/page/host.ts';

/** A page whose timers only run on demand. */
function open() {
  const sent: unknown[] = [];
  const waiting: { readonly run: () => void; readonly ms: number }[] = [];
  let hears: (event: { readonly data: unknown }) => void = () => undefined;
  const api = {
    postMessage: (message: unknown) => void sent.push(message),
    getState: () => undefined,
    setState: () => undefined,
  };
  const window = {
    setTimeout: (run: () => void, ms: number) => waiting.push({ run, ms }),
    addEventListener: (_: string, listener: typeof hears) => (hears = listener),
  } as unknown as Window;
  const host = connectHost(api, window);
  const heard: unknown[] = [];
  host.listen((message) => heard.push(message));
  host.post({ type: 'ready', thread: 't' });
  const wait = (): number | undefined => {
    const next = waiting.shift();
    next?.run();
    return next?.ms;
  };
  return { sent, heard, wait, hear: (data: unknown) => hears({ data }) };
}

const ready = { type: 'ready', thread: 't' };

describe('the page of the chat', () => {
  it('opens again until the host replies with its thread, ever more rarely', () => {
    const { sent, wait, hear, heard } = open();
    expect([wait(), wait(), wait(), wait(), wait()]).toEqual([2_000, 4_000, 8_000, 16_000, 16_000]);
    hear({ type: 'focus' });
    wait();
    expect(sent).toEqual(Array.from({ length: 7 }, () => ready));
    const header = { examples: [], sendWith: 'enter', fontSize: 0 };
    const thread = { key: 't', title: '', elsewhere: false, turns: [], earlier: 0, queued: [] };
    hear({ type: 'snapshot', epoch: 1, seq: 0, thread, threads: [], header, attachments: [] });
    expect(heard).toHaveLength(2);
    wait();
    expect(wait()).toBeUndefined();
    expect(sent).toHaveLength(7);
  });
});
