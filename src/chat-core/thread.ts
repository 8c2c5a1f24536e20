import type { StreamMessage, StreamUsage } from '#api/chat-messages.ts';
import { KeyedList } from '#base/keyed-list.ts';
import type { RecentText } from './recent-text.ts';
import { isRunningPhase, type TurnPhase } from './turn-phase.ts';

/** Where a turn's queries run (docs/chat.md#body-of-a-question, `activeBranchName` and `isDefaultBranch`); pinned when the turn is sent. */
export interface TurnBranch {
  readonly name: string;
  readonly isDefault: boolean;
}

/** One message of the agent, put together of what the stream has brought of it. `sort`: the highest that was seen. */
export interface ChatMessage extends Omit<StreamMessage, 'role' | 'isDelta'> {
  /** Counts replacements: while it stays the same, `text` and `thinking` have only grown. */
  readonly revision: number;
  /** Whether `sort` rises with each event of this message: then it identifies repeats. */
  readonly sortRises?: boolean | undefined;
  /** The ends of text and thinking while both only grow. Not stored. */
  readonly recent?: { readonly text: RecentText | undefined; readonly thinking: RecentText | undefined } | undefined;
}

/** Why a turn failed, and what helps. */
export interface TurnProblem {
  /**
   * `busy`: another answer is running on the thread. `unreachable`: no answer after all tries; the same turn may continue.
   * `refused`: the platform did not take the request. `failed`: the agent began and broke off. `gone`: thread not found.
   */
  readonly kind: 'busy' | 'unreachable' | 'refused' | 'failed' | 'gone' | 'credential';
  readonly message: string;
}

/** A question and everything that answered it. `id` is the `messageId`, the same for every try. */
export interface ChatTurn {
  readonly id: string;
  readonly prompt: string;
  readonly branch?: TurnBranch | undefined;
  readonly phase: TurnPhase;
  /** A remark for the user, for example why a stop could not be confirmed. */
  readonly note?: string | undefined;
  readonly problem?: TurnProblem | undefined;
  /** Nothing has come for a while. */
  readonly quiet?: boolean | undefined;
  readonly usage?: StreamUsage | undefined;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly endedAt?: number | undefined;
  readonly messages: KeyedList<ChatMessage>;
}

/** What a thread is known by. Times in milliseconds since the epoch. */
export interface ThreadHead {
  /** Our own name of the thread; the platform's is `chatId`, known once it answered. */
  readonly key: string;
  readonly chatId?: string | undefined;
  /** The account and chat address it belongs to. */
  readonly scope: string;
  readonly title: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

/** A question that waits for the end of the running answer. */
export interface QueuedQuestion {
  /** The `messageId` of its turn: whoever sends it, after a crash or in another window, asks the same question once. */
  readonly id: string;
  readonly prompt: string;
  /** Stays until the user sends it: the answer before it was stopped, and nothing begins automatically after a stop. */
  readonly isHeld: boolean;
}

export interface ChatThread extends ThreadHead {
  readonly queued?: readonly QueuedQuestion[] | undefined;
  readonly turns: readonly ChatTurn[];
}

/** A turn that has come to its end. */
export interface EndedTurn {
  readonly thread: ChatThread;
  readonly turn: ChatTurn;
}

/** A thread before its first turn; `now` in milliseconds since the epoch. */
export function emptyThread(key: string, scope: string, now: number): ChatThread {
  return { key, scope, title: '', createdAt: now, updatedAt: now, turns: [] };
}

/** Whether the turn still expects something from the platform. */
export function isRunning(turn: Pick<ChatTurn, 'phase'>): boolean {
  return isRunningPhase(turn.phase);
}

/** Part of the consolidated answer (docs/chat.md#messages); everything else is a step on the way. */
export function isFinal(message: Pick<ChatMessage, 'graphPath'>): boolean {
  return message.graphPath[0] === 'final' && message.graphPath.length <= 2;
}

/** What answers the turn: the last final message, or without one the last message that has text. */
export function finalMessage(turn: ChatTurn): ChatMessage | undefined {
  const messages = turn.messages.toArray();
  const final = messages.findLast((message) => isFinal(message) && message.text !== '');
  return final ?? messages.findLast((message) => message.text !== '');
}

/** The text that answers the turn. */
export function finalAnswer(turn: ChatTurn): string {
  return finalMessage(turn)?.text ?? '';
}

/** The thread with one turn changed; the same thread when there is no such turn or nothing changed. */
export function withTurn(thread: ChatThread, id: string, change: (turn: ChatTurn) => ChatTurn): ChatThread {
  const at = thread.turns.findIndex((turn) => turn.id === id);
  const turn = thread.turns[at];
  if (!turn) return thread;
  const changed = change(turn);
  return changed === turn ? thread : { ...thread, turns: thread.turns.with(at, changed) };
}

/** A turn seen on the platform that this machine has not sent. */
export function foreignTurn(id: string, prompt: string): ChatTurn {
  return { id, prompt, phase: 'complete', startedAt: timeOf(id), messages: KeyedList.of<ChatMessage>([]) };
}

/** `messageId` of a new turn (docs/chat.md#body-of-a-question): a millisecond time, later than every other one of the thread. */
export function newMessageId({ turns, queued = [] }: Pick<ChatThread, 'turns' | 'queued'>, now: number): string {
  const known = [...turns.slice(-1), ...queued].map(({ id }) => timeOf(id) + 1);
  return `${Math.max(now, ...known)}-message`;
}

/** The time that a `messageId` begins with; 0 when it does not. */
export function timeOf(messageId: string): number {
  return Number(/^\d+/.exec(messageId)?.[0] ?? 0);
}

/** Whether a thread on the disk has turns that a window has not seen. */
export function isAhead(stored: ChatThread, live: ChatThread): boolean {
  const known = new Set(live.turns.map(({ id }) => id));
  return stored.turns.some(({ id }) => !known.has(id));
}

/** The name that words give a thread: their first line. */
export function titleOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line.length > 80 ? `${line.slice(0, 79)}…` : line;
}
