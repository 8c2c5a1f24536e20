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

/** A question as it is asked; `waited`: it waited for the end of another answer. */
export interface Asked {
  readonly prompt: string;
  readonly waited?: QueuedQuestion | undefined;
}

/** The turn that a question becomes, pinned to a branch; `now` in milliseconds since the epoch. */
export function askedTurn(
  thread: ChatThread,
  { prompt, waited }: Asked,
  { branch, now }: { readonly branch?: TurnBranch | undefined; readonly now: number },
): ChatTurn {
  const id = waited ? messageIdOf(waited, thread, now) : newMessageId(thread, now);
  return { id, prompt, branch, phase: 'sending', startedAt: now, messages: KeyedList.of<ChatMessage>([]) };
}

/** The thread with a new turn; a question that waited leaves the queue in the same moment, so that nothing can ask it twice. */
export function withAsked(
  thread: ChatThread,
  turn: ChatTurn,
  { waited, scope }: { readonly waited?: QueuedQuestion | undefined; readonly scope: string },
): ChatThread {
  // A thread that the platform no longer has begins again there, without its memory.
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
