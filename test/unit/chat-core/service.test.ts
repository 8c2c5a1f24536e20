import { describe, expect, it } from 'vitest';
import { PlatformError } from '#api/errors.ts';
import type { ChatTransport } from '#chat-core/ports.ts';
import { finalAnswer } from '#chat-core/thread.ts';
import { MemoryFiles } from '#support/chat/memory-files.ts';
import { ScriptedServer } from '#support/chat/scripted-server.ts';
import { dev, main, platform, script, setUp } from '#support/chat/service-desk.ts';
import { settled } from '#support/manual-clock.ts';

async function* asyncOf(batches: readonly (readonly [])[]): AsyncGenerator<readonly []> {
  yield* batches;
}

/** What is left on the disk of a window that was closed in the middle of an answer. */
async function closedInTheMiddle() {
  const server = new ScriptedServer({ script });
  let left = 1;
  server.gate = () => (left-- > 0 ? Promise.resolve() : new Promise(() => undefined));
  const { service, clock, files } = setUp(server);
  const { key } = service.create();
  service.send(key, 'Count');
  await clock.advance(0);
  await service.flush();
  service.dispose();
  server.gate = undefined;
  return { server, key, files };
}

describe('ChatService', () => {
  it('sends on the active branch, names the thread by its question, and reports a ready answer', async () => {
    const { service, clock } = setUp();
    const { key } = service.create();
    const answers: string[] = [];
    service.onDidEnd(({ turn }) => answers.push(finalAnswer(turn)));
    expect(service.send(key, 'Count to three\nplease')).toMatchObject({ ok: true });
    await clock.advance(0);
    expect(service.get(key)).toMatchObject({ title: 'Count to three', chatId: 'chat-1' });
    expect(service.get(key)?.turns[0]).toMatchObject({ branch: dev, phase: 'complete' });
    expect(answers).toEqual(['One two three']);
    expect(service.threads.value).toMatchObject([{ key, title: 'Count to three', branch: dev, turns: 1 }]);
  });

  it('asks before a thread continues with another branch', async () => {
    const transport = platform();
    const { service, clock, target, ready } = setUp(transport);
    const { key } = service.create();
    service.send(key, 'First');
    await clock.advance(0);
    target.set(ready({ branch: main }));
    expect(service.send(key, 'Second')).toEqual({ ok: false, error: { kind: 'branchChanged', from: dev, to: main } });
    expect(service.send(key, 'Second', { acceptBranch: true })).toMatchObject({ ok: true });
    await clock.advance(0);
    expect(transport.servers.map(({ requests }) => requests[0]?.branch)).toEqual([dev, main]);
    expect(transport.servers[1]?.requests[0]?.chatId).toBe('chat-1');
  });

  it('keeps a running answer on its branch and its account, whatever the window shows meanwhile', async () => {
    const mine = new ScriptedServer({ script, cuts: [1] });
    const theirs = new ScriptedServer({ script });
    const { service, clock, target, ready } = setUp(mine);
    const { key } = service.create();
    mine.gate = async () => Promise.resolve();
    service.send(key, 'Count');
    await settled();
    mine.gate = () => new Promise(() => undefined);
    target.set(ready({ branch: main }));
    target.set(ready({ scope: 'other', transport: theirs }));
    await clock.advance(1_000);
    expect(mine.requests.map(({ branch, messageId }) => [branch, messageId])).toEqual(
      Array.from({ length: mine.requests.length }, () => [dev, service.get(key)?.turns[0]?.id]),
    );
    expect(mine.requests.length).toBeGreaterThan(1);
    expect(service.send(key, 'More')).toMatchObject({ error: { kind: 'running' } });
    await clock.run(service.stop(key));
    expect(service.get(key)?.turns[0]?.phase).toBe('stopped');
    expect([mine.aborts, theirs.requests, theirs.aborts]).toEqual([['chat-1'], [], []]);
  });

  it('refuses what cannot be sent and says why', async () => {
    const { service, clock, target, ready } = setUp();
    const { key } = service.create();
    expect(service.send(key, '  ')).toMatchObject({ error: { kind: 'empty' } });
    service.send(key, 'First');
    expect(service.send(key, 'Second')).toMatchObject({ error: { kind: 'running' } });
    await clock.advance(0);
    target.set(ready({ scope: 'other' }));
    expect(service.send(key, 'Second')).toMatchObject({ error: { kind: 'elsewhere' } });
    target.set({ kind: 'missing', what: 'address', message: 'Paste the Chat API URL.' });
    expect(service.send(key, 'Second')).toMatchObject({ error: { kind: 'missing', what: 'address' } });
  });

  it('continues after a restart where the window was closed in the middle of an answer', async () => {
    const { server, key, files } = await closedInTheMiddle();
    const second = setUp(server, files);
    await second.service.refresh();
    expect(second.service.threads.value).toMatchObject([{ key, title: 'Count' }]);
    await second.service.open(key);
    await second.clock.advance(0);
    const turn = second.service.get(key)?.turns[0];
    expect(turn?.phase).toBe('complete');
    expect(turn?.messages.at(0)?.text).toBe('One two three');
    expect(server.aborts).toEqual([]);
    expect(new Set(server.requests.map(({ messageId }) => messageId)).size).toBe(1);
  });

  it('continues automatically once there is an account to ask with, when a window opened before', async () => {
    const { server, key, files } = await closedInTheMiddle();
    const { service, clock, target, ready } = setUp(server, files);
    target.set({ kind: 'missing', what: 'trust', message: 'This window is in Restricted Mode.' });
    await service.open(key);
    expect(service.get(key)?.turns[0]?.phase).toBe('interrupted');
    target.set(ready());
    await clock.advance(0);
    const turn = service.get(key)?.turns[0];
    expect([turn?.phase, turn?.messages.at(0)?.text]).toEqual(['complete', 'One two three']);
  });

  it('tries an answer again that could not be reached, when the user comes back to it', async () => {
    const server = new ScriptedServer({ script });
    let isAway = true;
    const away = new PlatformError({ kind: 'server', operation: 'streamChat', message: 'Overloaded.' });
    const transport: ChatTransport = {
      send: (request, signal) => (isAway ? Promise.reject(away) : server.send(request, signal)),
      read: (chatId, signal) => server.read(chatId, signal),
      abort: (chatId) => server.abort(chatId),
    };
    const { service, clock } = setUp(transport);
    const { key } = service.create();
    service.send(key, 'Count');
    await clock.advance(60_000);
    const failed = service.get(key)?.turns[0];
    expect(failed).toMatchObject({ phase: 'failed', problem: { kind: 'unreachable' } });
    isAway = false;
    await service.open(key);
    await clock.advance(0);
    expect(service.get(key)?.turns).toMatchObject([{ id: failed?.id, phase: 'complete', problem: undefined }]);
  });

  it('retries a turn the platform never took as the same turn, and one that ended as a new one', async () => {
    const good = platform();
    let refuse = true;
    const transport: ChatTransport = {
      ...good,
      send: (request, signal) =>
        refuse
          ? Promise.reject(new PlatformError({ kind: 'auth', operation: 'streamChat', message: 'The key expired.' }))
          : good.send(request, signal),
    };
    const { service, clock } = setUp(transport);
    const { key } = service.create();
    service.send(key, 'Count');
    await clock.advance(0);
    const failed = service.get(key)?.turns[0];
    expect(failed).toMatchObject({ phase: 'failed', problem: { kind: 'credential', message: 'The key expired.' } });
    refuse = false;
    expect(service.retry(key, failed?.id ?? '')).toEqual({ ok: true, value: failed?.id });
    await clock.advance(0);
    expect(service.get(key)?.turns).toMatchObject([{ phase: 'complete', problem: undefined }]);
    const again = service.retry(key, failed?.id ?? '');
    await clock.advance(0);
    expect(again).toMatchObject({ ok: true });
    expect(service.get(key)?.turns.map(({ prompt, phase }) => [prompt, phase])).toEqual([
      ['Count', 'complete'],
      ['Count', 'complete'],
    ]);
  });

  it('begins a thread again that the platform no longer has', async () => {
    const good = platform();
    let isGone = false;
    const gone = new PlatformError({ kind: 'notFound', operation: 'streamChat', message: 'No such thread' });
    const transport: ChatTransport = {
      ...good,
      send: (request, signal) =>
        isGone && request.chatId !== undefined ? Promise.reject(gone) : good.send(request, signal),
    };
    const { service, clock } = setUp(transport);
    const { key } = service.create();
    service.send(key, 'First');
    await clock.advance(0);
    isGone = true;
    service.send(key, 'Second');
    await clock.advance(0);
    const failed = service.get(key)?.turns[1];
    expect(failed).toMatchObject({ phase: 'failed', problem: { kind: 'gone' } });
    service.retry(key, failed?.id ?? '');
    await clock.advance(0);
    expect(good.servers.at(-1)?.requests[0]?.chatId).toBeUndefined();
    expect(service.get(key)?.turns.at(-1)).toMatchObject({ prompt: 'Second', phase: 'complete' });
  });

  it('follows an answer that another window started', async () => {
    const server = new ScriptedServer({ script });
    const theirs = { input: 'Theirs', messageId: '1799999999999-message' };
    const open = Promise.withResolvers<void>();
    let left = 1;
    server.gate = () => (left-- > 0 ? Promise.resolve() : open.promise);
    const running = await server.send(theirs, new AbortController().signal);
    const listener = (async () => {
      for await (const _ of running);
    })();
    await settled();

    const files = new MemoryFiles();
    const known = {
      kind: 'thread',
      key: 'old',
      chatId: 'chat-1',
      scope: 'shop',
      title: 'T',
      createdAt: 1,
      updatedAt: 1,
    };
    await files.append('thread-old.jsonl', JSON.stringify(known));
    const { service, clock } = setUp(server, files);
    await service.open('old');
    service.send('old', 'Mine');
    await clock.advance(0);
    expect(service.get('old')?.turns[0]).toMatchObject({ phase: 'failed', problem: { kind: 'busy' } });
    await service.follow('old');
    await clock.advance(0);
    expect(service.get('old')?.turns.at(-1)).toMatchObject({
      id: theirs.messageId,
      prompt: 'Theirs',
      phase: 'streaming',
    });
    open.resolve();
    await listener;
    await clock.run(settled());
    expect(service.get('old')?.turns.at(-1)?.phase).toBe('complete');
  });

  it('says that there is nothing to follow where the platform has not named the thread, or has no question', async () => {
    const { service, clock } = setUp();
    const { key } = service.create();
    expect(await service.follow(key)).toEqual({ ok: false, error: { kind: 'notFollowed' } });
    service.send(key, 'Count');
    await clock.advance(0);
    const empty = setUp({ ...platform(), read: () => Promise.resolve(asyncOf([])) });
    const other = empty.service.create();
    empty.service.send(other.key, 'Count');
    await empty.clock.advance(0);
    expect(await empty.service.follow(other.key)).toEqual({ ok: false, error: { kind: 'notFollowed' } });
  });

  it('stops on request, and removing a thread forgets its file', async () => {
    const server = new ScriptedServer({ script });
    server.gate = () => new Promise(() => undefined);
    const { service, clock, files } = setUp(server);
    const { key } = service.create();
    service.send(key, 'Count');
    await settled();
    const stopped = service.stop(key);
    expect(service.get(key)?.turns[0]?.phase).toBe('stopping');
    await clock.run(stopped);
    expect(service.get(key)?.turns[0]?.phase).toBe('stopped');
    expect(server.aborts).toEqual(['chat-1']);
    await service.remove(key);
    expect([...files.content.keys()]).toEqual(['index.json']);
    expect(service.threads.value).toEqual([]);
  });

  it('removes a thread in the middle of its answer for good: stopped, not listed, without a file', async () => {
    const server = new ScriptedServer({ script });
    server.gate = () => new Promise(() => undefined);
    const { service, clock, files } = setUp(server);
    const { key } = service.create();
    service.send(key, 'Count');
    await settled();
    const removed: string[] = [];
    service.onDidRemove((gone) => removed.push(gone));
    await clock.run(service.remove(key));
    await clock.advance(20_000);
    expect(server.aborts).toEqual(['chat-1']);
    expect(removed).toEqual([key]);
    expect(service.threads.value).toEqual([]);
    await service.refresh();
    expect(service.threads.value).toEqual([]);
    expect([...files.content.keys()]).toEqual(['index.json']);
  });

  it('writes no transcript of an account again that was erased, not even one in the middle of its answer', async () => {
    const server = new ScriptedServer({ script });
    const open = Promise.withResolvers<void>();
    server.gate = () => open.promise;
    const files = new MemoryFiles();
    const [here, there] = [setUp(server, files), setUp(platform(), files)];
    here.target.set(here.ready({ scope: 'https://work.example https://chat.example/1' }));
    const { key } = here.service.create();
    here.service.send(key, 'Count');
    const other = there.service.create().key;
    there.service.send(other, 'Count');
    await settled();
    await there.clock.run(settled());
    here.service.forgetAccount('https://work.example');
    for (const name of [...files.content.keys()].filter((each) => each !== 'index.json')) await files.remove(name);
    open.resolve();
    await here.clock.run(settled());
    await here.service.flush();
    // The other window has nothing new to say either.
    await there.service.flush();
    expect([...files.content.keys()]).toEqual(['index.json']);
  });

  it('lets go of a thread that another window has removed, but not in the middle of an answer', async () => {
    const files = new MemoryFiles();
    const server = new ScriptedServer({ script });
    const open = Promise.withResolvers<void>();
    server.gate = () => open.promise;
    const [here, there] = [setUp(server, files), setUp(platform(), files)];
    const { key } = here.service.create();
    here.service.send(key, 'Count');
    await settled();
    await there.service.remove(key);
    await here.service.refresh();
    expect(here.service.get(key)?.turns).toHaveLength(1);
    open.resolve();
    await here.clock.run(settled());
    expect(here.service.get(key)?.turns[0]?.phase).toBe('complete');
    await there.service.refresh();
    await there.service.remove(key);
    await here.service.refresh();
    expect(here.service.get(key)).toBeUndefined();
    expect(here.service.threads.value).toEqual([]);
  });

  it('takes over what another window has done on a thread, and follows the answer that runs there', async () => {
    const server = platform();
    const files = new MemoryFiles();
    const [here, there] = [setUp(server, files), setUp(server, files)];
    const { key } = here.service.create();
    here.service.send(key, 'How many?');
    await settled();
    await there.service.open(key);
    await there.clock.advance(1);
    there.service.send(key, 'And now?');
    await settled();
    expect(here.service.get(key)?.turns.map(({ prompt }) => prompt)).toEqual(['How many?']);
    await here.service.open(key);
    await settled();
    const turns = here.service.get(key)?.turns ?? [];
    expect(turns.map(({ prompt, phase }) => [prompt, phase])).toEqual([
      ['How many?', 'complete'],
      ['And now?', 'complete'],
    ]);
    expect(turns.map(finalAnswer)).toEqual(['One two three', 'One two three']);
  });
});
