import { describe, expect, it } from 'vitest';
import { KeyedList } from '#base/keyed-list.ts';
import { parseChatLine } from '#api/streams/chat-messages.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { ChatTransport, TurnRequest } from '#chat-core/ports.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, emptyThread } from '#chat-core/thread.ts';
import { TurnRunner } from '#chat-core/turn-runner.ts';
import { ManualClock } from '#support/manual-clock.ts';

const TURN = '1700000000000-message';
const cutoff = { id: '__cutoff__', state: { chatId: 'c', isStreaming: true } };
const echo = { id: TURN, role: 'user', content: 'Q' };
const word = { id: 'f', role: 'assistant', content: 'One', isDelta: true, isInProcess: true, graphPath: ['final'] };
const end = { id: '__state__', state: { isStreaming: false, messages: [] } };

/** Plays one connection after the other; `read` answers what `reads` says. */
async function play(connections: readonly (readonly unknown[])[], reads: readonly (readonly unknown[])[] = []) {
  const clock = new ManualClock();
  const requests: TurnRequest[] = [];
  let read = 0;
  async function* lines(list: readonly unknown[]) {
    for (const line of list) yield [parseChatLine(line)];
  }
  const transport: ChatTransport = {
    send: (request) => {
      requests.push(request);
      return Promise.resolve(lines(connections[requests.length - 1] ?? []));
    },
    read: () => Promise.resolve(lines(reads[read++] ?? [])),
    abort: () => Promise.resolve(),
  };
  const turn: ChatTurn = {
    id: TURN,
    prompt: 'Q',
    phase: 'sending',
    startedAt: clock.now(),
    messages: KeyedList.of<ChatMessage>([]),
  };
  const thread = new Store<ChatThread>({ ...emptyThread('k', 's', clock.now()), turns: [turn] });
  const runner = new TurnRunner({ transport, clock, random: () => 0.5, logger: silentLogger }, thread, TURN);
  await clock.run(runner.run(true));
  const ended = thread.value.turns[0] as ChatTurn;
  const turns = thread.value.turns.length;
  return { turn: { ...ended, messages: ended.messages.toArray() }, turns, requests, reads: () => read };
}

describe('how a turn ends', () => {
  it('is sent again, the same, when the platform suspends it', async () => {
    const suspended = { id: '__suspended__', messageId: TURN };
    const { turn, requests, reads } = await play([
      [cutoff, echo, word, suspended],
      [echo, word, cutoff, { ...word, content: ' two' }, end],
    ]);
    expect(turn).toMatchObject({ phase: 'complete', messages: [{ text: 'One two' }] });
    expect(requests.map(({ messageId, chatId }) => [messageId, chatId])).toEqual([
      [TURN, undefined],
      [TURN, 'c'],
    ]);
    expect(reads()).toBe(0);
  });

  it('is stopped when someone else stopped it, and keeps its text', async () => {
    const { turn, requests } = await play([[cutoff, echo, word, { id: '__aborted__' }]]);
    expect(turn).toMatchObject({
      phase: 'stopped',
      note: 'The answer was stopped elsewhere.',
      messages: [{ text: 'One' }],
    });
    expect(requests).toHaveLength(1);
  });

  it.each([
    ['an agent that breaks off', [cutoff, echo, word, { error: 'out of memory' }], 'failed', 'out of memory.'],
    [
      'a wrong key in a 200',
      [{ jsonrpc: '2.0', error: { code: -32_001, message: 'Invalid API key' } }],
      'credential',
      'Invalid API key.',
    ],
    [
      'a token without scope',
      [{ jsonrpc: '2.0', error: { code: -32_001, message: 'Token lacks the chat scope' } }],
      'credential',
      'Token lacks the chat scope.',
    ],
    [
      'a refusal that names a token',
      [{ error: 'Maximum token limit exceeded' }],
      'refused',
      'Maximum token limit exceeded.',
    ],
    [
      'a refusal with the code of another fault',
      [{ jsonrpc: '2.0', error: { code: 429, message: 'The API key is assigned to a busy plan' } }],
      'refused',
      'The API key is assigned to a busy plan.',
    ],
    [
      'a refused credential by its code alone',
      [{ jsonrpc: '2.0', error: { code: 'UNAUTHENTICATED', message: 'No' } }],
      'credential',
      'No.',
    ],
    ['a refusal as a line', [{ error: 'Plan does not include chat' }], 'refused', 'Plan does not include chat.'],
    ['a busy thread', [{ error: 'Streaming for thread is in progress' }], 'busy', /still running/],
  ] as const)('says %s plainly and does not try again', async (_what, lines, kind, message) => {
    const { turn, requests } = await play([lines]);
    expect(turn).toMatchObject({ phase: 'failed', problem: { kind } });
    expect(turn.problem?.message).toMatch(message);
    expect(requests).toHaveLength(1);
  });

  it('is complete when its end arrived before the connection was lost', async () => {
    const { turn, requests } = await play([[cutoff, echo, word, end]]);
    expect(turn.phase).toBe('complete');
    expect(requests).toHaveLength(1);
  });

  it.each<readonly [string, readonly unknown[], string]>([
    ['another end', [end, end], 'complete'],
    ['a stop', [end, { id: '__aborted__' }], 'complete'],
    ['the end after a stop', [{ id: '__aborted__' }, end], 'stopped'],
    ['an error', [end, { error: 'out of memory' }], 'complete'],
    ['the end after an error', [{ error: 'out of memory' }, end], 'failed'],
    ['a suspension', [end, { id: '__suspended__', messageId: TURN }], 'complete'],
    ['another beginning', [end, cutoff, word], 'complete'],
    ['a word of the answer', [end, word], 'complete'],
    ['a message that takes its place', [end, { ...word, content: 'Two', isDelta: false }], 'complete'],
    ['a question', [end, { ...echo, id: '1700000000001-message' }, { ...word, id: 'g' }], 'complete'],
  ])('ends once: %s that comes later changes nothing', async (_what, late, phase) => {
    const { turn, turns, requests } = await play([[cutoff, echo, word, ...late, { id: '__usage__', totalTokens: 7 }]]);
    expect(turn).toMatchObject({ phase, messages: [{ text: 'One' }], usage: { totalTokens: 7 } });
    expect([turns, turn.messages.length, requests.length]).toEqual([1, 1, 1]);
  });

  it('is healed by the final state, also where deltas were lost', async () => {
    const whole = { id: 'f', role: 'assistant', content: 'One two three', sort: 1, graphPath: ['final'] };
    const { turn } = await play([
      [cutoff, echo, { ...word, sort: 9 }, { id: '__state__', state: { isStreaming: false, messages: [echo, whole] } }],
    ]);
    expect(turn.messages).toMatchObject([{ text: 'One two three', isInProcess: false }]);
  });

  it('takes the final message as the whole answer, also where its number is not above those before it', async () => {
    const delta = (content: string, sort: number) => ({ ...word, content, sort });
    const final = { id: 'f', role: 'assistant', content: 'A B C', sort: 3, isDelta: false, graphPath: ['final'] };
    const { turn } = await play([[cutoff, echo, delta('A ', 10), delta('B ', 11), final, end]]);
    expect(turn.messages).toMatchObject([{ text: 'A B C' }]);
  });

  it('goes over its lost final lines: what the platform holds is the answer', async () => {
    const whole = { id: 'f', role: 'assistant', content: 'One two three', graphPath: ['final'] };
    const idle = { id: '__cutoff__', state: { chatId: 'c', isStreaming: false } };
    const { turn, requests, reads } = await play([[cutoff, echo, word]], [[echo, whole, idle]]);
    expect(turn).toMatchObject({ phase: 'complete', messages: [{ text: 'One two three' }] });
    expect([requests.length, reads()]).toEqual([1, 1]);
  });

  it('fails plainly when the platform lost the answer that it was giving, and keeps what was heard', async () => {
    const idle = { id: '__cutoff__', state: { chatId: 'c', isStreaming: false } };
    const step = { id: 's', role: 'assistant', content: 'I look.', graphPath: ['agent'] };
    const { turn } = await play([[cutoff, echo, step, word]], [[echo, step, idle]]);
    expect(turn).toMatchObject({
      phase: 'failed',
      problem: { kind: 'failed', message: expect.stringContaining('stopped in the middle') as string },
    });
    expect(turn.messages.map(({ text }) => text)).toEqual(['I look.', 'One']);
    const thinking = { id: 't', role: 'assistant', thinking: 'Let me', isDelta: true, isInProcess: true };
    const early = await play([[cutoff, echo, thinking]], [[echo, idle]]);
    expect(early.turn).toMatchObject({ phase: 'failed', problem: { kind: 'failed' } });
  });

  it('is complete when the platform holds the answer and no longer the steps on the way', async () => {
    const idle = { id: '__cutoff__', state: { chatId: 'c', isStreaming: false } };
    const step = { id: 's', role: 'assistant', content: 'I look', isDelta: true, isInProcess: true };
    const whole = { id: 'f', role: 'assistant', content: 'One two three', graphPath: ['final'] };
    const { turn } = await play([[cutoff, echo, step]], [[echo, whole, idle]]);
    expect(turn.phase).toBe('complete');
  });

  it('fails plainly when the platform has the question but no answer', async () => {
    const idle = { id: '__cutoff__', state: { chatId: 'c', isStreaming: false } };
    const { turn } = await play([[cutoff, echo]], [[echo, idle]]);
    expect(turn).toMatchObject({ phase: 'failed', problem: { kind: 'failed' } });
  });
});
