import { largest } from '#base/long-lists.ts';
import type * as v from 'valibot';
import { KeyedList } from '#base/keyed-list.ts';
import type { RecentText } from './recent-text.ts';
import type { Branch } from './shared-shapes.ts';
import type { Head, Message, Problem, Question, Turn } from './stored-shapes.ts';
import { isRunningPhase } from './turn-phase.ts';

/** The branch that a turn's queries run on. */
export type TurnBranch = Readonly<v.InferOutput<typeof Branch>>;

/** A message of the agent, assembled from the events of the stream. */
export interface ChatMessage extends Readonly<v.InferOutput<typeof Message>> {
  /** The ends of text and thinking while both only grow. Not stored. */
  readonly recent?: { readonly text: RecentText | undefined; readonly thinking: RecentText | undefined } | undefined;
}

/** Why a turn failed; the kind determines what the user can do. */
export type TurnProblem = Readonly<v.InferOutput<typeof Problem>>;

/** A question and its answer. */
export interface ChatTurn extends Readonly<v.InferOutput<typeof Turn>> {
  /** Whether nothing has arrived for a while. Not stored. */
  readonly quiet?: boolean | undefined;
  readonly messages: KeyedList<ChatMessage>;
}

/** The identity of a thread. */
export type ThreadHead = Readonly<v.InferOutput<typeof Head>>;

/** A question that waits for the running answer to end. */
export type QueuedQuestion = Readonly<v.InferOutput<typeof Question>>;

export interface ChatThread extends ThreadHead {
  readonly queued?: readonly QueuedQuestion[] | undefined;
  readonly turns: readonly ChatTurn[];
}

/** A turn that has ended. */
export interface EndedTurn {
  readonly thread: ChatThread;
  readonly turn: ChatTurn;
}

/** Creates a thread without turns; `now` in milliseconds since the epoch. */
export function emptyThread(key: string, scope: string, now: number): ChatThread {
  return { key, scope, title: '', createdAt: now, updatedAt: now, turns: [] };
}

/** Whether the turn still waits for the platform. */
export function isRunning(turn: Pick<ChatTurn, 'phase'>): boolean {
  return isRunningPhase(turn.phase);
}

/** Whether a message belongs to the consolidated answer (docs/chat.md#messages); all others are intermediate steps. */
export function isFinal(message: Pick<ChatMessage, 'graphPath'>): boolean {
  return message.graphPath[0] === 'final' && message.graphPath.length <= 2;
}

/** Returns the message that answers the turn: the last final message, or else the last message that has text. */
export function finalMessage(turn: ChatTurn): ChatMessage | undefined {
  const messages = turn.messages.toArray();
  const final = messages.findLast((message) => isFinal(message) && message.text !== '');
  return final ?? messages.findLast((message) => message.text !== '');
}

/** Returns the text of the message that answers the turn. */
export function finalAnswer(turn: ChatTurn): string {
  return finalMessage(turn)?.text ?? '';
}

/** Returns the thread with one turn changed; the same thread if there is no such turn or nothing changed. */
export function withTurn(thread: ChatThread, id: string, change: (turn: ChatTurn) => ChatTurn): ChatThread {
  const at = thread.turns.findIndex((turn) => turn.id === id);
  const turn = thread.turns[at];
  if (!turn) return thread;
  const changed = change(turn);
  return changed === turn ? thread : { ...thread, turns: thread.turns.with(at, changed) };
}

/** Creates a turn that exists on the platform but was not sent from this machine. */
function foreignTurn(id: string, prompt: string): ChatTurn {
  return { id, prompt, phase: 'complete', startedAt: timeOf(id), messages: KeyedList.of<ChatMessage>([]) };
}

/** Returns the thread with a turn that was sent elsewhere, at its position in time, unless it has the turn. */
export function withForeignTurn(thread: ChatThread, id: string, prompt: string): ChatThread {
  if (thread.turns.some((turn) => turn.id === id)) return thread;
  const before = thread.turns.findLastIndex((turn) => timeOf(turn.id) <= timeOf(id));
  return { ...thread, turns: thread.turns.toSpliced(before + 1, 0, foreignTurn(id, prompt)) };
}

/** Returns the `messageId` of a new turn (docs/chat.md#body-of-a-question): a time in ms, later than all others of the thread. */
export function newMessageId({ turns, queued = [] }: Pick<ChatThread, 'turns' | 'queued'>, now: number): string {
  const times = [...turns, ...queued].map(({ id }) => timeOf(id));
  // A server may send a number that is too large for a time: it has no next one.
  const known = times.flatMap((time) => (time < Number.MAX_SAFE_INTEGER ? time + 1 : []));
  return `${Math.trunc(largest([now, ...known]))
    .toString()
    .padStart(13, '0')}-message`;
}

/** Returns the time that a `messageId` begins with; 0 if there is none. */
export function timeOf(messageId: string): number {
  return Number(/^\d+/.exec(messageId)?.[0] ?? 0);
}

/** Whether a stored thread has turns that the window has not seen. */
export function isAhead(stored: ChatThread, live: ChatThread): boolean {
  const known = new Set(live.turns.map(({ id }) => id));
  return stored.turns.some(({ id }) => !known.has(id));
}

/** Derives the title of a thread from the first line of a text. */
export function titleOf(text: string): string {
  const line = text.trim().split(/[\n\v\f\r\u0085\u2028\u2029]/, 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
