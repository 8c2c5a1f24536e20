import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openChatStore, type ChatStore } from '#platform/chat/store.ts';
import { Turn } from '#platform/chat/turn.ts';
import type { Line } from '#platform/chat/messages.ts';
import { type ChatLine, LineReader, linesOf, messagesOf } from '#support/chat-lines.ts';
import { ManualClock } from '#support/manual-clock.ts';
import { mountApis, sampleModel, token } from '#support/mounted-apis.ts';

const clock = new ManualClock(Date.UTC(2026, 10, 21));
const held = { until: Promise.resolve() };
const chunks = mountApis({
  deps: {
    clock,
    options: { chatDelayMs: 20, warehouseRows: 6000 },
    modelFiles: async () => {
      await held.until;
      return { revision: '1', files: sampleModel() };
    },
  },
});
// The engine starts in real time, before the test's own clock is run.
beforeAll(() => chunks.engine.compile(sampleModel()));
afterAll(() => chunks.close());

const stream = '/acme/agents/1/chat/stream-chat-state';
const abort = '/acme/agents/1/chat/abort';
const story = 'tell me a long story';
let people = 0;
const someone = (): { readonly externalId: string } => ({ externalId: `aborter-${String(people++)}` });
const chatIdOf = (lines: readonly ChatLine[]): string =>
  lines.find((line) => line.id === '__cutoff__')?.state?.chatId ?? '';

interface Running {
  readonly chatId: string;
  readonly reader: LineReader;
  readonly seen: readonly ChatLine[];
  readonly sessionSettings: { readonly externalId: string };
}

/** Asks for a long answer and reads until a line is as wanted. */
async function begin(wanted: (line: ChatLine) => boolean, input = story): Promise<Running> {
  const sessionSettings = someone();
  const reader = new LineReader(await chunks.chat(stream, { input, sessionSettings }));
  const seen = await clock.run(reader.until(wanted));
  return { chatId: chatIdOf(seen), reader, seen, sessionSettings };
}

const answers = (line: ChatLine): boolean => line.graphPath?.[0] === 'final' && line.content !== '';

describe('abort', () => {
  it('answers 204, keeps what was said, and ends the stream', async () => {
    const { chatId, reader, seen, sessionSettings } = await begin(answers);
    const response = await chunks.chat(abort, { chatId, sessionSettings });
    expect([response.status, await response.text()]).toEqual([204, '']);
    const rest = await clock.run(reader.rest());
    expect(rest.slice(-3).map(({ id }) => id)).toEqual(['__aborted__', '__state__', '__usage__']);
    expect(rest.find((line) => line.id === '__aborted__')?.code).toBe('chat_aborted');
    const said = [...messagesOf([...seen, ...rest]).values()].at(-1)?.content ?? '';
    expect(said.startsWith('# ')).toBe(true);
    const state = rest.find((line) => line.id === '__state__')?.state;
    expect(state?.messages?.some((line) => line.isInProcess)).toBe(false);
    expect(state?.messages?.at(-1)?.content).toBe(said);
  });

  it('leaves the thread ready for the next question, the stopped answer in its history', async () => {
    const { chatId, reader, sessionSettings } = await begin(answers);
    await chunks.chat(abort, { chatId, sessionSettings });
    const stopped = await clock.run(reader.rest());
    const next = await clock.run(linesOf(await chunks.chat(stream, { input: 'hello', chatId, sessionSettings })));
    expect(next.at(-1)?.id).toBe('__usage__');
    const kept = stopped.find((line) => line.id === '__state__')?.state?.messages ?? [];
    expect(next.slice(0, kept.length).map((line) => line.content)).toEqual(kept.map((line) => line.content));
  });

  it('stops in the middle of a tool call, which then has no result', async () => {
    let release: () => void = () => undefined;
    held.until = new Promise((resolve) => {
      release = resolve;
    });
    const { chatId, reader, sessionSettings } = await begin((line) => line.toolCall !== undefined);
    const response = await chunks.chat(abort, { chatId, sessionSettings });
    expect(response.status).toBe(204);
    // The tool still hangs: the stop does not wait for it.
    const rest = await reader.rest();
    release();
    const tool = rest.find((line) => line.toolCall);
    expect(tool).toMatchObject({ isInProcess: false, toolCall: { name: 'serviceMeta' } });
    expect(tool?.toolCall?.result).toBeUndefined();
    expect(rest.map(({ id }) => id)).toContain('__aborted__');
  });

  it('accepts a thread that is complete', async () => {
    const sessionSettings = someone();
    const lines = await clock.run(linesOf(await chunks.chat(stream, { input: 'hello', sessionSettings })));
    expect((await chunks.chat(abort, { chatId: chatIdOf(lines), sessionSettings })).status).toBe(204);
  });

  it('refuses others, whose request changes nothing', async () => {
    const { chatId, reader, sessionSettings } = await begin(answers);
    const refused = await chunks.chat(abort, { chatId, sessionSettings: someone() });
    expect([refused.status, await refused.json()]).toEqual([
      403,
      { error: 'The chat thread belongs to someone else.' },
    ]);
    const byToken = { 'x-service-auth-token': token({ sub: 'someone-else', scope: ['chat'] }) };
    expect((await chunks.chat(abort, { chatId }, byToken)).status).toBe(403);
    expect((await clock.run(reader.until(answers))).length).toBeGreaterThan(0);
    await chunks.chat(abort, { chatId, sessionSettings });
    await clock.run(reader.rest());
  });

  it('takes the owner’s token on both forms', async () => {
    const { chatId, reader, sessionSettings } = await begin(answers);
    const headers = { 'x-service-auth-token': token({ sub: sessionSettings.externalId, scope: ['chat'] }) };
    expect((await chunks.chat('/acme/deployments/1/chat/abort', { chatId }, headers)).status).toBe(204);
    expect((await clock.run(reader.rest())).map(({ id }) => id)).toContain('__aborted__');
  });

  it('does not find a thread that never was', async () => {
    const response = await chunks.chat(abort, { chatId: 'nope', sessionSettings: someone() });
    expect([response.status, await response.json()]).toEqual([404, { error: 'There is no chat thread nope.' }]);
  });

  it('at any moment leaves a state that the lines add up to', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(120), async (count) => {
        const sessionSettings = someone();
        const reader = new LineReader(await chunks.chat(stream, { input: story, sessionSettings }));
        const seen: ChatLine[] = [];
        for (let at = 0; at <= count; at++) seen.push((await clock.run(reader.next())) as ChatLine);
        expect((await chunks.chat(abort, { chatId: chatIdOf(seen), sessionSettings })).status).toBe(204);
        const lines = [...seen, ...(await clock.run(reader.rest()))];
        expect(lines.slice(-3).map(({ id }) => id)).toEqual(['__aborted__', '__state__', '__usage__']);
        const state = lines.at(-2)?.state?.messages ?? [];
        expect(state.some((line) => line.isInProcess)).toBe(false);
        expect([...messagesOf(lines)].map(([id, { content }]) => [id, content])).toEqual(
          state.map(({ id, content }) => [id, content]),
        );
      }),
      { numRuns: 10 },
    );
  });
});

describe('a turn whose agent fails', () => {
  it('sends the error as a bare line and still ends properly', async () => {
    const lines: Line[] = [];
    const turn = new Turn({ chatId: 'c', messageId: '1', history: [], save: () => undefined });
    turn.onLine((line) => lines.push(line));
    await turn.run('question', async (writer) => {
      writer.write({ id: 'a', role: 'assistant', content: 'so far', isDelta: true, isInProcess: true });
      throw new Error('the engine broke');
    });
    expect(lines.map((line) => line['id'] ?? line['error'])).toEqual([
      '1',
      'a',
      'a',
      'The agent failed: the engine broke',
      '__state__',
      '__usage__',
    ]);
  });
});

describe('external users', () => {
  const day = 86_400_000;
  function open(limit?: number): { readonly store: ChatStore; readonly time: ManualClock } {
    const time = new ManualClock(1_800_000_000_000);
    return { store: openChatStore(new DatabaseSync(':memory:'), time, limit), time };
  }
  const wish = (id: string, more: object = {}) => ({
    accountName: 'acme',
    key: `external:${id}`,
    isEphemeral: true,
    ttlSeconds: 7 * 86_400,
    ...more,
  });

  it('go with their threads when their time is over, however busy they were', async () => {
    const { store, time } = open();
    const user = store.user(wish('bob'));
    const thread = user.ok ? store.createThread(user.value.id, '1') : undefined;
    store.save(thread?.id ?? '', { id: 'm', role: 'user', content: 'hi', isDelta: false, isInProcess: false, sort: 1 });
    await time.advance(6 * day);
    expect(store.user(wish('bob'))).toEqual(user);
    expect(store.thread(thread?.id ?? '')).toBeDefined();
    await time.advance(day);
    expect(store.thread(thread?.id ?? '')).toBeUndefined();
    expect(store.messages(thread?.id ?? '')).toEqual([]);
    const fresh = store.user(wish('bob'));
    expect(fresh.ok).toBe(true);
    expect(fresh).toMatchObject({ value: { key: 'external:bob' } });
  });

  it('live as long as they were given', async () => {
    const { store, time } = open();
    const user = store.user(wish('eve', { ttlSeconds: 60 }));
    const thread = user.ok ? store.createThread(user.value.id, '1') : undefined;
    await time.advance(59_000);
    expect(store.thread(thread?.id ?? '')).toBeDefined();
    await time.advance(1000);
    expect(store.thread(thread?.id ?? '')).toBeUndefined();
  });

  it('stay when they are not ephemeral, up to the account’s limit', async () => {
    const { store, time } = open(2);
    const kept = store.user(wish('a'));
    expect(store.user(wish('a', { isEphemeral: false }))).toEqual(kept);
    expect(store.user(wish('b', { isEphemeral: false })).ok).toBe(true);
    expect(store.user(wish('c', { isEphemeral: false }))).toMatchObject({
      ok: false,
      error: expect.stringContaining('2 external users') as string,
    });
    expect(store.user(wish('c')).ok).toBe(true);
    expect(store.user(wish('a', { isEphemeral: false }))).toEqual(kept);
    expect(store.user({ ...wish('d', { isEphemeral: false }), accountName: 'other' }).ok).toBe(true);
    await time.advance(8 * day);
    expect(store.user(wish('a'))).toEqual(kept);
  });
});
