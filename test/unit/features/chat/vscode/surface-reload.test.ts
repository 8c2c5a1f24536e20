import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import type { ChatTransport, TargetState } from '#chat-core/ports.ts';
import { lastThread } from '#features/chat/last-threads.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { MemoryState } from '#support/memory-state.ts';
import { recordedLines } from '#support/chat/recorded-transport.ts';
import { surfaceDesk } from '#support/chat/surface-desk.ts';
import { settled } from '#support/manual-clock.ts';

describe('ChatSurface without a network', () => {
  it('tries again at once when the browser reports that the network is back', async () => {
    const { transport, target, ready, send, surface } = surfaceDesk();
    let tries = 0;
    const offline: ChatTransport = {
      read: () => transport.read(),
      abort: (chatId) => transport.abort(chatId),
      send: () => {
        tries += 1;
        return Promise.reject(new PlatformError({ kind: 'network', operation: 'streamChat', message: 'No network.' }));
      },
    };
    const { target: online } = ready('main') as Extract<TargetState, { kind: 'ready' }>;
    target.set({ kind: 'ready', target: { ...online, transport: offline } });
    await send({ type: 'ready' });
    await send({ type: 'send', prompt: 'How many?', branch: 'ask' });
    await settled();
    expect([surface.thread.turns[0]?.phase, tries]).toEqual(['reconnecting', 1]);
    await send({ type: 'online' });
    // The clock stands still.
    await settled();
    expect(tries).toBe(2);
    surface.stop();
  });
});

describe('ChatSurface after a reload', () => {
  it('shows the thread that began in this window, though the page still remembers an earlier one', async () => {
    const files = new MemoryFiles();
    const state = new MemoryState();
    const ask = async (window: string, prompt: string): Promise<string> => {
      const desk = surfaceDesk(files, lastThread(state, window));
      await desk.send({ type: 'ready' });
      desk.transport.answer(recordedLines('by-status'));
      await desk.send({ type: 'send', prompt, branch: 'ask' });
      await desk.clock.advance(100);
      await desk.service.flush();
      return desk.surface.threadKey;
    };
    const earlier = await ask('another window', 'Earlier');
    await ask('here', 'Latest');
    const after = surfaceDesk(files, lastThread(state, 'here'));
    await after.send({ type: 'ready', thread: earlier });
    expect(after.last('snapshot')?.thread.turns[0]?.head.prompt).toBe('Latest');
  });
});
