import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { ChatTransport } from '#chat-core/ports.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, emptyThread } from '#chat-core/thread.ts';
import { TurnRunner } from '#chat-core/turn-runner.ts';
import { delta } from '#support/chat/answer-lines.ts';
import { type Line, ScriptedServer } from '#support/chat/scripted-server.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const TURN = '1700000000000-message';
const words = ['One ', 'two ', 'three ', 'four ', 'five '];
const script: readonly Line[] = words.map((content) => delta(content));

function start(transport: ChatTransport): {
  readonly clock: ManualClock;
  readonly thread: Store<ChatThread>;
  readonly runner: TurnRunner;
  readonly turn: () => ChatTurn;
  readonly text: () => string;
} {
  const clock = new ManualClock();
  const sent: ChatTurn = {
    id: TURN,
    prompt: 'Count',
    phase: 'sending',
    startedAt: clock.now(),
    messages: KeyedList.of<ChatMessage>([]),
  };
  const thread = new Store<ChatThread>({ ...emptyThread('k', 's', clock.now()), turns: [sent] });
  const runner = new TurnRunner({ transport, clock, random: () => 0.5, logger: silentLogger }, thread, TURN);
  const turn = (): ChatTurn => thread.value.turns[0] as ChatTurn;
  return { clock, thread, runner, turn, text: () => turn().messages.at(0)?.text ?? '' };
}

/** A server that lets `count` lines through and then holds. */
function holding(count: number, onAbort?: () => Promise<void>, lines = script): ScriptedServer {
  const server = new ScriptedServer({ script: lines, ...(onAbort ? { onAbort } : {}) });
  const aborted = Promise.withResolvers<void>();
  const abort = server.abort.bind(server);
  server.abort = async (chatId) => {
    await abort(chatId);
    aborted.resolve();
  };
  let left = count;
  server.gate = () => (left-- > 0 ? Promise.resolve() : aborted.promise);
  return server;
}

/** Returns whether the work has ended, so that work which never ends fails a test instead of holding it up. */
function whetherOver(work: Promise<unknown>): () => boolean {
  let isOver = false;
  void work.then(() => (isOver = true));
  return () => isOver;
}

const refusal = (kind: PlatformErrorKind) => (): Promise<void> =>
  Promise.reject(new PlatformError({ kind, operation: 'abortChat', message: kind }));

describe('stopping a turn', () => {
  // @shows chat-complaint-5
  it('ends at the click, keeps the text as it was then, and marks it stopped', async () => {
    const server = holding(2);
    const run = start(server);
    const done = run.runner.run(true);
    await settled();
    void run.runner.stop();
    expect(run.turn().phase).toBe('stopping');
    await run.clock.run(done);
    expect(run.turn()).toMatchObject({ phase: 'stopped', note: undefined });
    expect(run.text()).toBe('One two ');
    expect(server.aborts).toEqual(['chat-1']);
    expect(server.requests).toHaveLength(1);
  });

  // @shows chat-complaint-6
  it('keeps exactly what was shown, whenever it is stopped, and never sends again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(12), fc.array(fc.nat(5), { maxLength: 3 }), async (moment, cuts) => {
        const server = new ScriptedServer({ script, cuts });
        const run = start(server);
        let changes = 0;
        const seen = { text: '', sent: 0, running: false };
        run.thread.onDidChange(() => {
          changes += 1;
          if (changes !== moment) return;
          seen.text = run.text();
          seen.running = !['complete', 'failed'].includes(run.turn().phase);
          seen.sent = server.requests.length;
          void run.runner.stop();
        });
        await run.clock.run(run.runner.run(true));
        const ended = run.turn().phase;
        expect(seen.running ? ended : 'stopped').toBe('stopped');
        expect(seen.running ? run.text() : seen.text).toBe(seen.text.length > 0 || seen.running ? seen.text : '');
        expect(seen.running ? server.requests.length - seen.sent : 0).toBe(0);
      }),
      { numRuns: 100 },
    );
  });

  // @shows chat-complaint-5
  it('aborts as soon as the thread has an id when stopped before', async () => {
    const gate = Promise.withResolvers<void>();
    const server = holding(1);
    const slow: ChatTransport = {
      send: async (request, signal) => {
        await gate.promise;
        return server.send(request, signal);
      },
      read: server.read.bind(server),
      abort: (chatId) => server.abort(chatId),
    };
    const run = start(slow);
    const done = run.runner.run(true);
    await settled();
    void run.runner.stop();
    await settled();
    expect(server.aborts).toEqual([]);
    gate.resolve();
    await run.clock.run(done);
    expect(server.aborts).toEqual(['chat-1']);
    expect(run.turn().phase).toBe('stopped');
    expect(run.text()).toBe('');
  });

  it('reads on for three seconds at most where the platform confirms and leaves the stream open', async () => {
    const server = new ScriptedServer({ script });
    let left = 3;
    server.gate = () => (left-- > 0 ? Promise.resolve() : new Promise(() => undefined));
    const run = start(server);
    const done = run.runner.run(true);
    await settled();
    void run.runner.stop();
    await run.clock.advance(3_000);
    expect(run.turn()).toMatchObject({ phase: 'stopped', note: undefined });
    expect(server.aborts).toEqual(['chat-1']);
    await run.clock.run(done);
  });

  /** A platform that names the thread only after `gate`. */
  function slowToName(server: ScriptedServer, gate: Promise<void>): ChatTransport {
    return {
      send: async (request, signal) => {
        await gate;
        return server.send(request, signal);
      },
      read: server.read.bind(server),
      abort: (chatId) => server.abort(chatId),
    };
  }

  it.each([
    ['a connection that breaks', 'network', /ended before the platform named this thread/],
    ['a platform that refuses the message', 'forbidden', undefined],
  ] as const)('before the thread has an id: %s', async (_, kind, note) => {
    const gate = Promise.withResolvers<void>();
    const server = holding(1);
    const failing: ChatTransport = {
      ...slowToName(server, gate.promise),
      send: async () => {
        await gate.promise;
        throw new PlatformError({ kind, operation: 'streamChat', message: kind });
      },
    };
    const run = start(failing);
    const done = run.runner.run(true);
    await settled();
    const stopped = run.runner.stop();
    gate.resolve();
    await run.clock.run(Promise.all([stopped, done]));
    expect(run.turn().phase).toBe('stopped');
    expect(run.turn().note ?? '').toMatch(note ?? /^$/);
    expect(server.aborts).toEqual([]);
  });

  it('says that the answer may still be running while the thread has no id, and aborts once it has one', async () => {
    const gate = Promise.withResolvers<void>();
    const server = holding(1);
    const run = start(slowToName(server, gate.promise));
    const isOver = whetherOver(run.runner.run(true));
    await settled();
    void run.runner.stop();
    await run.clock.advance(10_000);
    expect(isOver()).toBe(true);
    expect(run.turn()).toMatchObject({
      phase: 'stopped',
      note: expect.stringContaining('may still be running') as string,
    });
    expect(server.aborts).toEqual([]);
    gate.resolve();
    await run.clock.run(settled());
    await settled();
    expect(server.aborts).toEqual(['chat-1']);
    expect(run.turn()).toMatchObject({ phase: 'stopped', note: undefined });
    expect(run.text()).toBe('');
  });

  it('leaves the thread of a later question alone when the id of a stopped one comes late', async () => {
    const gate = Promise.withResolvers<void>();
    const server = holding(1);
    const run = start(slowToName(server, gate.promise));
    void run.runner.run(true);
    await settled();
    void run.runner.stop();
    await run.clock.advance(10_000);
    const later: ChatTurn = { ...run.turn(), id: '1700000000001-message', phase: 'streaming', note: undefined };
    run.thread.update((thread) => ({ ...thread, chatId: 'chat-2', turns: [...thread.turns, later] }));
    gate.resolve();
    await run.clock.run(settled());
    await settled();
    expect(server.aborts).toEqual(['chat-1']);
    expect(run.thread.value.chatId).toBe('chat-2');
  });

  it('keeps the note when the window is left before the thread has an id', async () => {
    const run = start(slowToName(holding(1), new Promise(() => undefined)));
    const isOver = whetherOver(run.runner.run(true));
    await settled();
    void run.runner.stop();
    await run.clock.advance(10_000);
    expect(isOver()).toBe(true);
    run.runner.detach();
    await settled();
    expect(run.turn().note).toContain('may still be running');
  });

  it.each([
    ['forbidden', /someone else/],
    ['notFound', /no longer exists/],
    ['network', /could not be reached/],
  ] as const)('says so when the platform answers %s', async (kind, note) => {
    const run = start(holding(2, refusal(kind)));
    const done = run.runner.run(true);
    await settled();
    void run.runner.stop();
    await run.clock.run(done);
    expect(run.turn()).toMatchObject({ phase: 'stopped', note: expect.stringMatching(note) as string });
    expect(run.text()).toBe('One two ');
  });

  it('stops in the middle of a tool call: the call stays without a result, and none is taken in later', async () => {
    const call = { id: 't', role: 'assistant' as const, isDelta: false, graphPath: ['agent', 'tools'] };
    const input = '{"sqlQuery":"SELECT 1"}';
    const tool: readonly Line[] = [
      { ...call, isInProcess: true, toolCall: { name: 'serviceSqlApi', input } },
      { ...call, isInProcess: false, toolCall: { name: 'serviceSqlApi', input, result: '{"data":[["1"]]}' } },
      ...script,
    ];
    const run = start(holding(1, undefined, tool));
    const done = run.runner.run(true);
    await settled();
    void run.runner.stop();
    await run.clock.run(done);
    expect(run.turn().phase).toBe('stopped');
    expect(
      run
        .turn()
        .messages.toArray()
        .map(({ id, toolCall }) => [id, toolCall?.result]),
    ).toEqual([['t', undefined]]);
  });

  it('says so when the platform does not answer the stop at all', async () => {
    const run = start(holding(2, () => new Promise(() => undefined)));
    const done = run.runner.run(true);
    await settled();
    const before = run.clock.now();
    void run.runner.stop();
    await run.clock.run(done);
    expect(run.turn()).toMatchObject({
      phase: 'stopped',
      note: expect.stringMatching(/could not be reached/) as string,
    });
    expect(run.clock.now() - before).toBe(10_000);
  });

  it('does nothing after the answer is complete', async () => {
    const server = new ScriptedServer({ script });
    const run = start(server);
    await run.clock.run(run.runner.run(true));
    await run.runner.stop();
    expect(run.turn().phase).toBe('complete');
    expect(server.aborts).toEqual([]);
  });
});
