import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { PlatformError } from '#api/errors.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { ChatTransport } from '#chat-core/ports.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, emptyThread } from '#chat-core/thread.ts';
import { TurnRunner } from '#chat-core/turn-runner.ts';
import { delta } from '#support/chat/answer-lines.ts';
import { type Line, ScriptedServer, type ServerOptions } from '#support/chat/scripted-server.ts';
import { ManualClock, settled } from '#support/manual-clock.ts';

const TURN = '1700000000000-message';

const script: readonly Line[] = [
  { id: 'a', role: 'assistant', thinking: 'let me ', isDelta: true, isInProcess: true },
  { id: 'a', role: 'assistant', thinking: 'see', isDelta: true, isInProcess: true },
  { id: 't', role: 'assistant', toolCall: { name: 'serviceMeta', input: '{}' }, isDelta: true, isInProcess: true },
  { id: 't', role: 'assistant', toolCall: { name: 'serviceMeta', input: '{}', result: '{}' }, isDelta: true },
  delta('The '),
  delta('the '),
  delta('ans'),
  delta('wer'),
  delta('.'),
];

interface Run {
  readonly clock: ManualClock;
  readonly thread: Store<ChatThread>;
  readonly runner: TurnRunner;
  readonly turn: () => ChatTurn;
}

function start(transport: ChatTransport, known: Partial<ChatThread> = {}): Run {
  const clock = new ManualClock();
  const turn: ChatTurn = {
    id: TURN,
    prompt: 'How many?',
    phase: 'sending',
    startedAt: clock.now(),
    messages: KeyedList.of<ChatMessage>([]),
  };
  const thread = new Store<ChatThread>({ ...emptyThread('k', 's', clock.now()), turns: [turn], ...known });
  const runner = new TurnRunner({ transport, clock, random: () => 0.5, logger: silentLogger }, thread, TURN);
  return { clock, thread, runner, turn: () => thread.value.turns.find(({ id }) => id === TURN) as ChatTurn };
}

const texts = (turn: ChatTurn): unknown =>
  turn.messages.toArray().map(({ id, text, thinking, toolCall }) => [id, text, thinking, toolCall?.result]);
const truth = (server: ScriptedServer): unknown =>
  [...server.truth].map(([id, { text, thinking, toolCall }]) => [id, text, thinking, toolCall?.result]);

async function complete(options: ServerOptions): Promise<{ run: Run; server: ScriptedServer }> {
  const server = new ScriptedServer(options);
  const run = start(server);
  await run.clock.run(run.runner.run(true));
  return { run, server };
}

const failing = (send: () => Promise<never>): ChatTransport => ({ send, read: send, abort: () => Promise.resolve() });
const platformError = (init: Partial<ConstructorParameters<typeof PlatformError>[0]>): PlatformError =>
  new PlatformError({ kind: 'server', operation: 'streamChat', message: 'no', ...init });

describe('a turn', () => {
  it('streams to its end and keeps the token count', async () => {
    const { run, server } = await complete({ script });
    expect(run.turn()).toMatchObject({ phase: 'complete', usage: { totalTokens: 7 } });
    expect(texts(run.turn())).toEqual(truth(server));
    expect(run.thread.value.chatId).toBe('chat-1');
  });

  // @shows chat-complaint-8
  it('ends with what the server holds, whatever the cuts, repeats and replays, and is never sent twice', async () => {
    const line = fc.oneof(
      fc
        .tuple(fc.constantFrom('a', 'b', 'f'), fc.string({ minLength: 1, maxLength: 3 }))
        .map(([id, text]) => delta(text, { id })),
      fc.string().map((content): Line => ({ id: 'f', role: 'assistant', content, isDelta: false, isInProcess: true })),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fc.array(fc.nat(8), { maxLength: 4 }),
        fc.array(fc.nat(6), { maxLength: 4 }),
        fc.constantFrom('deltas', 'whole'),
        fc.boolean(),
        async (lines, cuts, progress, replay, duplicates) => {
          // An empty first line of the assistant lets repeats be recognised from the start.
          const starts = ['a', 'b', 'f'].map((id) => delta('', { id }));
          const { run, server } = await complete({ script: [...starts, ...lines], cuts, progress, replay, duplicates });
          expect(run.turn().phase).toBe('complete');
          expect(texts(run.turn())).toEqual(truth(server));
          expect(new Set(server.requests.map(({ messageId }) => messageId)).size).toBe(1);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads the same without numbering when nothing is repeated', async () => {
    const { run, server } = await complete({ script, cuts: [4, 6, 5], sort: false });
    expect(texts(run.turn())).toEqual(truth(server));
    expect(server.requests.length).toBeGreaterThan(1);
  });

  it('takes the answer over when it ended without a listener, without asking again', async () => {
    const { run, server } = await complete({ script, cuts: [4], progress: [100] });
    expect(run.turn().phase).toBe('complete');
    expect(texts(run.turn())).toEqual(truth(server));
    expect(server.requests).toHaveLength(1);
    expect(server.reads).toBe(1);
  });

  it.each([
    ['server', 0],
    ['rateLimit', 60],
  ] as const)('is tried again six times on %s, waiting as long as the server asks', async (kind, retryAfter) => {
    let tries = 0;
    const run = start(
      failing(() => {
        tries += 1;
        return Promise.reject(platformError({ kind, message: 'Busy.', retryAfter }));
      }),
    );
    const began = run.clock.now();
    await run.clock.run(run.runner.run(true));
    expect(tries).toBe(6);
    expect(run.turn()).toMatchObject({ phase: 'failed', problem: { kind: 'unreachable', message: 'Busy.' } });
    expect(run.clock.now() - began).toBeGreaterThanOrEqual(5 * retryAfter * 1000);
  });

  it.each(['network', 'timeout'] as const)(
    'waits for the network as long as it takes on %s, says why, and continues without being asked',
    async (kind) => {
      const server = new ScriptedServer({ script });
      let isOnline = false;
      let tries = 0;
      const run = start({
        send: (request, signal) => {
          tries += 1;
          const offline = platformError({ kind, message: 'ai.example.com could not be reached.' });
          return isOnline ? server.send(request, signal) : Promise.reject(offline);
        },
        read: (chatId, signal) => server.read(chatId, signal),
        abort: (chatId) => server.abort(chatId),
      });
      const done = run.runner.run(true);
      await run.clock.advance(3_600_000);
      expect(run.turn()).toMatchObject({ phase: 'reconnecting', note: 'ai.example.com could not be reached.' });
      expect(tries).toBeGreaterThan(100);
      isOnline = true;
      // The network is back: nothing waits for the end of the pause.
      const triesBefore = tries;
      run.runner.hurry();
      await settled();
      // No time has passed.
      expect(tries).toBe(triesBefore + 1);
      await run.clock.run(done);
      expect(run.turn()).toMatchObject({ phase: 'complete' });
      expect(run.turn().note).toBeUndefined();
      expect(texts(run.turn())).toEqual(truth(server));
      expect(server.requests).toHaveLength(1);
    },
  );

  it('stops at once while the network is away', async () => {
    const run = start(failing(() => Promise.reject(platformError({ kind: 'network' }))));
    const done = run.runner.run(true);
    await run.clock.advance(600_000);
    void run.runner.stop();
    await run.clock.run(done);
    expect(run.turn().phase).toBe('stopped');
  });

  it.each([
    ['forbidden', 403, 'agentId is required for Api-Key authentication', 'refused'],
    ['auth', 401, 'The key is not valid.', 'credential'],
    ['invalidRequest', 400, 'input is too long', 'refused'],
    ['notFound', 404, 'No such agent', 'gone'],
    ['conflict', 409, 'Streaming for thread is in progress', 'busy'],
  ] as const)('is not tried again on %s', async (kind, status, message, problem) => {
    let tries = 0;
    const run = start(
      failing(() => {
        tries += 1;
        return Promise.reject(platformError({ kind, status, message }));
      }),
    );
    await run.clock.run(run.runner.run(true));
    expect(tries).toBe(1);
    expect(run.turn()).toMatchObject({ phase: 'failed', problem: { kind: problem } });
  });

  // @shows chat-complaint-7
  it('is given up and taken up again when nothing comes for minutes, and says that it waits', async () => {
    const server = new ScriptedServer({ script });
    let open = Promise.withResolvers<void>();
    server.gate = () => open.promise;
    const run = start(server);
    const done = run.runner.run(true);
    await run.clock.advance(31_000);
    expect(run.turn()).toMatchObject({ phase: 'streaming', quiet: true });
    await run.clock.advance(240_000);
    open.resolve();
    open = Promise.withResolvers();
    open.resolve();
    await run.clock.run(done);
    expect(server.requests.length).toBeGreaterThan(1);
    expect(run.turn()).toMatchObject({ phase: 'complete', quiet: false });
    expect(texts(run.turn())).toEqual(truth(server));
  });

  it.each([
    ['is set back by a day', -24 * 3_600_000, 500_000],
    ['is an hour ahead, because the machine slept', 3_600_000, 240_000],
  ])('is given up within minutes also when the clock %s', async (_what, by, within) => {
    const server = new ScriptedServer({ script });
    let left = 6;
    server.gate = () => (left-- > 0 ? Promise.resolve() : new Promise(() => undefined));
    const run = start(server);
    const done = run.runner.run(true);
    await run.clock.advance(31_000);
    run.clock.set(by);
    const asked = server.requests.length;
    await run.clock.advance(within);
    expect(server.requests.length).toBeGreaterThan(asked);
    server.gate = undefined;
    await run.clock.advance(300_000);
    expect(run.turn()).toMatchObject({ phase: 'complete', quiet: false });
    expect(texts(run.turn())).toEqual(truth(server));
    await run.clock.run(done);
  });

  it('continues after the window was closed in the middle', async () => {
    const server = new ScriptedServer({ script });
    let left = 6;
    server.gate = () => (left-- > 0 ? Promise.resolve() : new Promise(() => undefined));
    const first = start(server);
    void first.runner.run(true);
    await settled();
    first.runner.detach();
    server.gate = undefined;
    const second = start(server, first.thread.value);
    await second.clock.run(second.runner.run(false));
    expect(second.turn().phase).toBe('complete');
    expect(texts(second.turn())).toEqual(truth(server));
    expect(server.aborts).toEqual([]);
  });
});
