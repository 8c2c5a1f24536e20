import { KeyedList } from '#base/keyed-list.ts';
import { messageIdOf, withoutQueued } from './queue.ts';
import {
  type ChatMessage,
  type ChatThread,
  type ChatTurn,
  type QueuedQuestion,
  type TurnBranch,
  newMessageId,
  titleOf,
} from './thread.ts';

/** A question to send; `waited`: its entry in the queue, if it waited for another answer to end. */
export interface Asked {
  readonly prompt: string;
  readonly waited?: QueuedQuestion | undefined;
}

/** Creates the turn for a question, pinned to a branch; `now` in milliseconds since the epoch. */
export function askedTurn(
  thread: ChatThread,
  { prompt, waited }: Asked,
  { branch, now }: { readonly branch?: TurnBranch | undefined; readonly now: number },
): ChatTurn {
  const id = waited ? messageIdOf(waited, thread, now) : newMessageId(thread, now);
  return { id, prompt, branch, phase: 'sending', startedAt: now, messages: KeyedList.of<ChatMessage>([]) };
}

/** Returns the thread with a new turn. A question that waited leaves the queue in the same change, so it cannot be sent twice. */
export function withAsked(
  thread: ChatThread,
  turn: ChatTurn,
  { waited, scope }: { readonly waited?: QueuedQuestion | undefined; readonly scope: string },
): ChatThread {
  // A thread that the platform no longer has starts over there, without its memory.
  const isGone = thread.turns.at(-1)?.problem?.kind === 'gone';
  return {
    ...(waited ? withoutQueued(thread, waited.id) : thread),
    chatId: isGone ? undefined : thread.chatId,
    scope,
    title: thread.title === '' ? titleOf(turn.prompt) : thread.title,
    updatedAt: turn.startedAt,
    turns: [...thread.turns, turn],
  };
}
