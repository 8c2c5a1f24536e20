import type { ChatEvent, StreamMessage } from '#api/chat-messages.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, foreignTurn, timeOf, withTurn } from './thread.ts';
import { upsert } from './upsert.ts';

/**
 * One connection's view while its events are folded into the thread. Before `__cutoff__` everything is replayed history:
 * it is collected aside and replaces what the thread holds once the history is whole; a connection that breaks before
 * changes nothing. After it, events are live.
 */
export interface Fold {
  readonly thread: ChatThread;
  /** The turn that messages belong to until the stream names another one. */
  readonly turnId: string;
  /** History so far, by turn; `undefined` once live. */
  readonly staged: readonly StagedTurn[] | undefined;
}

interface StagedTurn {
  readonly id: string;
  readonly prompt?: string | undefined;
  readonly messages: readonly ChatMessage[];
}

/** Starts folding a new connection that serves the turn. */
export function openFold(thread: ChatThread, turnId: string): Fold {
  return { thread, turnId, staged: [] };
}

/** Folds one event in. Pure; phases and ends of turns are the caller's business. */
export function fold(state: Fold, event: ChatEvent): Fold {
  switch (event.kind) {
    case 'message':
      return state.staged ? stage(state, state.staged, event.message) : live(state, event.message);
    case 'cutoff':
      return named(settle(state), event.chatId);
    case 'state':
      // The final state is the truth whatever its numbering.
      return named(
        event.messages.map((message) => ({ ...message, sort: undefined })).reduce(live, settle(state)),
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

/** Ends the history: what was collected replaces what the thread held. Also for streams that never send a cutoff. */
export function settle(state: Fold): Fold {
  if (!state.staged) return state;
  const thread = state.staged.reduce(adopt, state.thread);
  return { thread, turnId: state.turnId, staged: undefined };
}

function named(state: Fold, chatId: string | undefined): Fold {
  if (chatId === undefined || state.thread.chatId === chatId) return state;
  return { ...state, thread: { ...state.thread, chatId } };
}

function stage(state: Fold, staged: readonly StagedTurn[], message: StreamMessage): Fold {
  if (message.role === 'user') {
    const others = staged.filter((turn) => turn.id !== message.id);
    const known = staged.find((turn) => turn.id === message.id);
    return { ...state, staged: [...others, { id: message.id, prompt: message.text, messages: known?.messages ?? [] }] };
  }
  const at = staged.findLastIndex((turn) => turn.messages.some(({ id }) => id === message.id));
  const home = at === -1 ? staged.length - 1 : at;
  const turn = staged[home];
  if (!turn) return { ...state, staged: [{ id: homeOf(state, message), messages: upsert([], message) }] };
  return { ...state, staged: staged.with(home, { ...turn, messages: upsert(turn.messages, message) }) };
}

function live(state: Fold, message: StreamMessage): Fold {
  if (message.role === 'user') {
    return { ...state, turnId: message.id, thread: withPrompt(state.thread, message.id, message.text) };
  }
  const thread = withTurn(state.thread, homeOf(state, message), (turn) => {
    const messages = upsert(turn.messages, message);
    return messages === turn.messages ? turn : { ...turn, messages };
  });
  return { ...state, thread };
}

/** The turn that already holds the message, else the one the stream is at. */
function homeOf(state: Fold, message: StreamMessage): string {
  const known = state.thread.turns.findLast((turn) => turn.messages.some(({ id }) => id === message.id));
  return known?.id ?? state.turnId;
}

/** Makes sure that the turn exists; one sent from elsewhere takes its place in time. */
function withPrompt(thread: ChatThread, id: string, prompt: string): ChatThread {
  if (thread.turns.some((turn) => turn.id === id)) return thread;
  const turns = [...thread.turns, foreignTurn(id, prompt)].sort((a, b) => timeOf(a.id) - timeOf(b.id));
  return { ...thread, turns };
}

function adopt(thread: ChatThread, staged: StagedTurn): ChatThread {
  const known = staged.prompt === undefined ? thread : withPrompt(thread, staged.id, staged.prompt);
  return withTurn(known, staged.id, (turn) => ({ ...turn, messages: reconciled(turn, staged.messages) }));
}

/** History's messages in history's order, then what only this machine has seen. */
function reconciled(turn: ChatTurn, history: readonly ChatMessage[]): readonly ChatMessage[] {
  const heard = new Map(turn.messages.map((message) => [message.id, message]));
  const told = new Set(history.map(({ id }) => id));
  return [
    ...history.map((message) => succeeding(heard.get(message.id), message)),
    ...turn.messages.filter(({ id }) => !told.has(id)),
  ];
}

/** The new message, with the revision and the thinking of the one it takes the place of. */
function succeeding(before: ChatMessage | undefined, message: ChatMessage): ChatMessage {
  if (!before) return message;
  const thinking = message.thinking === '' ? before.thinking : message.thinking;
  const grew = message.text.startsWith(before.text) && thinking.startsWith(before.thinking);
  return { ...message, thinking, revision: before.revision + (grew ? 0 : 1) };
}
