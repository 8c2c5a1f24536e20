import type { ChatEvent, StreamMessage } from '#api/streams/chat-messages.ts';
import { KeyedList } from '#base/keyed-list.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, withForeignTurn, withTurn } from './thread.ts';
import { upsert } from './upsert.ts';

/**
 * The state of one connection while its events are folded into the thread. Events before `__cutoff__` are replayed history: they
 * are collected separately and replace the thread's content once the history is complete, so a connection that breaks earlier
 * changes nothing. Events after it are live.
 */
export interface Fold {
  readonly thread: ChatThread;
  /** The turn that messages belong to until the stream names another one. */
  readonly turnId: string;
  /** The history so far; `undefined` once live. */
  readonly staged: History | undefined;
}

interface History {
  readonly turns: KeyedList<StagedTurn>;
  /** The turn of each message, by message id; it makes it unnecessary to search for the turn of a new message. */
  readonly homes: Map<string, string>;
}

interface StagedTurn {
  readonly id: string;
  readonly prompt?: string | undefined;
  readonly messages: KeyedList<ChatMessage>;
}

const NONE = KeyedList.of<ChatMessage>([]);

/** Starts folding a new connection that serves the turn. */
export function openFold(thread: ChatThread, turnId: string): Fold {
  return { thread, turnId, staged: { turns: KeyedList.of<StagedTurn>([]), homes: new Map() } };
}

/** Folds an event into the state. Pure; the caller handles the phases and ends of turns. */
export function fold(state: Fold, event: ChatEvent): Fold {
  switch (event.kind) {
    case 'message':
      return state.staged ? stage(state, state.staged, event.message) : live(state, event.message);
    case 'cutoff':
      return named(endReplay(state), event.chatId);
    case 'state':
      // The final state is authoritative whatever its numbering.
      return named(
        event.messages.map((message) => ({ ...message, sort: undefined })).reduce(live, endReplay(state)),
        event.chatId,
      );
    case 'usage':
      return {
        ...state,
        thread: withTurn(state.thread, state.turnId, (turn) => ({ ...turn, usage: event.usage })),
      };
    default:
      return state;
  }
}

/** Ends the history: the collected turns replace the thread's. Also called for streams without a cutoff. */
export function endReplay(state: Fold): Fold {
  if (!state.staged) return state;
  const thread = state.staged.turns.toArray().reduce(adopt, state.thread);
  return { thread, turnId: state.turnId, staged: undefined };
}

/** Whether an event still counts after the end of the turn: the platform's own account of it, and the token count. */
export function mayFollowEnd({ kind }: ChatEvent): boolean {
  return kind === 'state' || kind === 'usage';
}

function named(state: Fold, chatId: string | undefined): Fold {
  if (chatId === undefined || state.thread.chatId === chatId) return state;
  return { ...state, thread: { ...state.thread, chatId } };
}

function stage(state: Fold, { turns, homes }: History, message: StreamMessage): Fold {
  if (message.role === 'user') {
    const known = turns.get(message.id);
    // When a question is repeated, the messages that follow answer it.
    const others = known ? KeyedList.of(turns.toArray().filter((turn) => turn !== known)) : turns;
    const turn = { id: message.id, prompt: message.text, messages: known?.messages ?? NONE };
    return { ...state, staged: { turns: others.with(turn), homes } };
  }
  const home = turns.get(homes.get(message.id) ?? '');
  const turn = (home?.messages.has(message.id) ? home : undefined) ?? turns.at(-1);
  const { id, ...rest } = turn ?? { id: homeOf(state, message), messages: NONE };
  homes.set(message.id, id);
  return { ...state, staged: { turns: turns.with({ ...rest, id, messages: upsert(rest.messages, message) }), homes } };
}

function live(state: Fold, message: StreamMessage): Fold {
  if (message.role === 'user') {
    return { ...state, turnId: message.id, thread: withForeignTurn(state.thread, message.id, message.text) };
  }
  const thread = withTurn(state.thread, homeOf(state, message), (turn) => {
    const messages = upsert(turn.messages, message);
    return messages === turn.messages ? turn : { ...turn, messages };
  });
  return { ...state, thread };
}

/** Returns the turn that already contains the message, or else the stream's current turn. */
function homeOf(state: Fold, message: StreamMessage): string {
  const known = state.thread.turns.findLast((turn) => turn.messages.has(message.id));
  return known?.id ?? state.turnId;
}

function adopt(thread: ChatThread, staged: StagedTurn): ChatThread {
  const known = staged.prompt === undefined ? thread : withForeignTurn(thread, staged.id, staged.prompt);
  return withTurn(known, staged.id, (turn) => ({ ...turn, messages: reconciled(turn, staged.messages) }));
}

/** Returns the messages in the order of the history, followed by those that only this machine has seen. */
function reconciled(turn: ChatTurn, history: KeyedList<ChatMessage>): KeyedList<ChatMessage> {
  return KeyedList.of([
    ...history.toArray().map((message) => succeeding(turn.messages.get(message.id), message)),
    ...turn.messages.toArray().filter(({ id }) => !history.has(id)),
  ]);
}

/** Returns the new message with the revision and thinking of the message that it replaces. */
function succeeding(before: ChatMessage | undefined, message: ChatMessage): ChatMessage {
  if (!before) return message;
  const thinking = message.thinking === '' ? before.thinking : message.thinking;
  const grew = message.text.startsWith(before.text) && thinking.startsWith(before.thinking);
  return { ...message, thinking, revision: before.revision + (grew ? 0 : 1), recent: undefined };
}
