import { originOf } from '#base/origin.ts';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest';
import { delay } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import { AnsweringThreads } from '#chat-core/answering.ts';
import type { ChatService } from '#chat-core/service.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { openLinked } from '#chat-core/linked-thread.ts';
import { proposedBlocks } from '#chat-core/proposed-files.ts';
import { type ChatTurn, finalAnswer } from '#chat-core/thread.ts';
import { readTool } from '#chat-core/tool-result.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { diskFiles } from '#features/chat/vscode/disk-files.ts';
import { realEngine } from '#support/real-engine.ts';
import { agentAddress, chatService, platformTransport } from '#support/chat/platform-chat.ts';

const deploymentAddress: ChatAddress = {
  form: 'deployment',
  chatUrl: agentAddress.chatUrl,
  accountName: demo.account,
  deploymentId: String(demo.shop),
};

/** The real HTTP adapter and service against the local platform with its engine and its data. */
let platform: Platform;
/** Nothing is sent before. */
let held: Promise<void> | undefined;
beforeAll(async () => {
  // The agent speaks at a user's reading pace: ten times faster is still one word after the other.
  const sleep = async (ms: number, signal?: AbortSignal): Promise<void> => {
    await held;
    await delay(ms / 10, signal);
  };
  const clock = { now: () => systemClock.now(), sleep };
  platform = await createPlatform({ clock, engine: realEngine(), warehouseDir: inject('shared') });
});
afterAll(() => platform.close());

const ended = (service: ChatService, key: string): Promise<ChatTurn> =>
  new Promise((resolve) => {
    service.onDidEnd(({ thread, turn }) => {
      if (thread.key === key) resolve(turn);
    });
  });

/** Resolves when the running turn holds as many characters of its answer. */
const answered = (service: ChatService, key: string, characters: number): Promise<void> =>
  new Promise((resolve) => {
    const seen = service.onDidChangeThread((thread) => {
      const turn = thread.turns.at(-1);
      if (thread.key !== key || !turn || finalAnswer(turn).length < characters) return;
      seen.dispose();
      resolve();
    });
  });

describe('the chat on the local platform', () => {
  it('streams thinking, a metadata search, a query with rows, and an answer', async () => {
    const service = chatService(platformTransport(platform));
    const { key } = service.create();
    const done = ended(service, key);
    expect(service.send(key, 'How many orders were there by status?')).toMatchObject({ ok: true });
    const turn = await done;
    expect(turn).toMatchObject({ phase: 'complete', problem: undefined });
    expect(turn.messages.toArray().some(({ thinking }) => thinking !== '')).toBe(true);
    const tools = turn.messages.toArray().flatMap(({ toolCall }) => (toolCall ? [readTool(toolCall)] : []));
    expect(tools.map(({ kind }) => kind)).toEqual(['meta', 'sql']);
    const query = tools.find((tool) => tool.kind === 'sql');
    expect(query?.result.rows.length).toBeGreaterThan(2);
    expect(finalAnswer(turn)).not.toBe('');
    service.dispose();
  });

  // @shows chat-complaint-5
  it('stops a running answer for good: 204, the text stays, a later read finds it stopped', async () => {
    const transport = platformTransport(platform);
    const service = chatService(transport);
    const { key } = service.create();
    const answering = new AnsweringThreads(service);
    service.send(key, 'Tell me a long story about the data');
    await answered(service, key, 20);
    expect(answering.keys.value).toEqual([key]);
    const text = (): string => finalAnswer(service.get(key)?.turns[0] as ChatTurn);
    const stopped = service.stop(key);
    const atClick = text();
    expect(service.get(key)?.turns[0]?.phase).toBe('stopping');
    expect(answering.keys.value).toEqual([]);
    await stopped;
    expect(service.get(key)?.turns[0]).toMatchObject({ phase: 'stopped', note: undefined });
    expect(text()).toBe(atClick);
    const chatId = service.get(key)?.chatId ?? '';
    const states: boolean[] = [];
    for await (const batch of await transport.read(chatId, new AbortController().signal)) {
      states.push(...batch.flatMap((event) => (event.kind === 'cutoff' ? [event.isStreaming] : [])));
    }
    expect(states).toEqual([false]);
    service.dispose();
  });

  it('follows an answer from another window to the same end', async () => {
    const [one, two] = [chatService(platformTransport(platform)), chatService(platformTransport(platform))];
    const { key } = one.create();
    const done = ended(one, key);
    one.send(key, 'Tell me a long story about the data');
    await answered(one, key, 20);
    const thread = one.get(key);
    const other = two.create();
    const transport = platformTransport(platform);
    const stream = await transport.send(
      { input: thread?.turns[0]?.prompt ?? '', messageId: thread?.turns[0]?.id ?? '', chatId: thread?.chatId },
      new AbortController().signal,
    );
    const kinds: string[] = [];
    for await (const batch of stream) kinds.push(...batch.map(({ kind }) => kind));
    expect(kinds.at(-1)).toBe('usage');
    expect((await done).phase).toBe('complete');
    expect(two.get(other.key)?.turns).toEqual([]);
    one.dispose();
    two.dispose();
  });

  // @shows chat-complaint-4
  it('continues after the host was killed in the middle of an answer, from what was on the disk then', async () => {
    const folders = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'chat-killed-')));
    onTestFinished(() => folders.forEach((folder) => rmSync(folder, { recursive: true })));
    const [before = '', after = ''] = folders;
    const first = chatService(platformTransport(platform), { files: diskFiles(before) });
    const { key } = first.create();
    first.send(key, 'Tell me a long story about the data');
    await answered(first, key, 200);
    // Neither saved nor closed: a process that is killed gets to do nothing more.
    cpSync(before, after, { recursive: true });
    const second = chatService(platformTransport(platform), { files: diskFiles(after) });
    await second.refresh();
    expect(second.threads.value).toMatchObject([{ key, phase: 'streaming' }]);
    const both = Promise.all([ended(first, key), ended(second, key)]);
    await second.open(key);
    expect(second.get(key)?.turns).toMatchObject([{ phase: 'reconnecting' }]);
    const [truth, turn] = await both;
    expect(turn).toMatchObject({ id: truth.id, phase: 'complete', problem: undefined });
    expect(finalAnswer(turn)).toBe(finalAnswer(truth));
    expect(turn.messages.toArray().map(({ id }) => id)).toEqual(truth.messages.toArray().map(({ id }) => id));
    first.dispose();
    second.dispose();
  });

  it('opens a thread by the platform’s name of it: the one kept here, else what the platform holds', async () => {
    const one = chatService(platformTransport(platform));
    const { key } = one.create();
    const done = ended(one, key);
    one.send(key, 'How many orders were there by status?');
    const turn = await done;
    const chatId = one.get(key)?.chatId ?? '';
    expect(await openLinked(one, chatId)).toEqual({ ok: true, value: key });
    const two = chatService(platformTransport(platform));
    const opened = await openLinked(two, chatId);
    const found = opened.ok ? opened.value : '';
    const thread = two.get(found);
    expect(thread).toMatchObject({ chatId, title: 'How many orders were there by status?' });
    expect(thread?.turns).toMatchObject([{ id: turn.id, prompt: turn.prompt, phase: 'complete' }]);
    expect(finalAnswer(thread?.turns[0] as ChatTurn)).toBe(finalAnswer(turn));
    expect(two.threads.value).toHaveLength(1);
    expect(await openLinked(two, chatId)).toEqual(opened);
    expect(await openLinked(two, 'no-such-thread')).toMatchObject({
      error: expect.stringMatching(/could not be read: .*thread/i) as string,
    });
    const bob = chatService(platformTransport(platform, { person: 'bob' }));
    expect(await openLinked(bob, chatId)).toMatchObject({ ok: false });
    expect([...two.threads.value, ...bob.threads.value]).toHaveLength(1);
    for (const service of [one, two, bob]) service.dispose();
  });

  it('opens a thread in the middle of its answer, and follows that to its end', async () => {
    const [one, two] = [chatService(platformTransport(platform)), chatService(platformTransport(platform))];
    const { key } = one.create();
    const done = ended(one, key);
    one.send(key, 'Tell me a long story about the data');
    await answered(one, key, 20);
    const followed = new Promise<ChatTurn>((resolve) => two.onDidEnd(({ turn }) => resolve(turn)));
    await openLinked(two, one.get(key)?.chatId ?? '');
    expect(finalAnswer(await followed)).toBe(finalAnswer(await done));
    one.dispose();
    two.dispose();
  });

  it('says plainly whose thread it is, what is gone, and which key is wrong', async () => {
    const mine = platformTransport(platform);
    const service = chatService(mine);
    const { key } = service.create();
    const done = ended(service, key);
    service.send(key, 'Hello');
    await done;
    const chatId = service.get(key)?.chatId ?? '';
    const { signal } = new AbortController();
    await expect(platformTransport(platform, { person: 'bob' }).abort(chatId, signal)).rejects.toMatchObject({
      kind: 'forbidden',
    });
    await expect(mine.abort('no-such-thread', signal)).rejects.toMatchObject({ kind: 'notFound' });

    const wrong = chatService(
      platformTransport(platform, {
        credential: { kind: 'apiKey', token: 'not-a-key', origin: originOf(agentAddress.chatUrl) },
      }),
    );
    const other = wrong.create();
    const failed = ended(wrong, other.key);
    wrong.send(other.key, 'Hello');
    expect(await failed).toMatchObject({ phase: 'failed', problem: { kind: 'credential' } });
  });

  it('takes a service token on both URL forms, without session settings', async () => {
    const claims = { externalId: 'ann', scope: ['chat'], exp: Math.floor(Date.now() / 1000) + 600 };
    const token = signJwt(claims, demo.apiSecret);
    for (const address of [agentAddress, deploymentAddress]) {
      const credential = { kind: 'serviceToken', token, origin: originOf(address.chatUrl) } as const;
      const service = chatService(platformTransport(platform, { address, credential }));
      const { key } = service.create();
      const done = ended(service, key);
      service.send(key, 'Hello');
      expect(await done).toMatchObject({ phase: 'complete', problem: undefined });
      service.dispose();
    }
  });

  it('is refused with an API key on a deployment URL', async () => {
    const service = chatService(platformTransport(platform, { address: deploymentAddress }));
    const { key } = service.create();
    const done = ended(service, key);
    service.send(key, 'Hello');
    expect(await done).toMatchObject({
      phase: 'failed',
      problem: { kind: 'refused', message: expect.stringContaining('agent') as string },
    });
  });

  it('drafts a view that can be reviewed as a file of the model', async () => {
    const service = chatService(platformTransport(platform));
    const { key } = service.create();
    const done = ended(service, key);
    service.send(key, 'Create a view of suppliers');
    const [file] = proposedBlocks(finalAnswer(await done));
    expect(file?.path).toBe('model/views/suppliers_view.yml');
    expect(file?.text).toMatch(/^views:\n {2}- name: suppliers_view\n/);
  });

  it('says each line over a real connection when it is due, not when the answer is whole', async () => {
    const released = Promise.withResolvers<void>();
    held = released.promise;
    onTestFinished(() => (held = undefined));
    const { url } = await platform.listen();
    const address = { ...agentAddress, chatUrl: url };
    const transport = platformTransport({ fetch: (request) => fetch(request), apiKey: platform.apiKey }, { address });
    const request = { input: 'Which measures are there?', messageId: '1700000000000-message' };
    const stream = await transport.send(request, new AbortController().signal);
    const lines: string[] = [];
    for await (const batch of stream) {
      lines.push(...batch.map(({ kind }) => kind));
      released.resolve();
    }
    expect(lines[0]).toBe('cutoff');
    expect(lines.at(-1)).toBe('usage');
  });
});
