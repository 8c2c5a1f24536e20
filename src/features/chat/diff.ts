import { append } from '#base/long-lists.ts';
import { textFrom } from '#chat-core/recent-text.ts';
import { type ChatMessage, type ChatThread, type ChatTurn, isRunning } from '#chat-core/thread.ts';
import type { PatchOp } from '#features/chat/messages.ts';
import { headView, messageView, queuedView } from '#features/chat/view-model.ts';

/** Returns the patch from `before` to `now` for a view of the last `shown` turns; `undefined` if only a snapshot can do it. */
export function diff(before: ChatThread, now: ChatThread, shown: number): readonly PatchOp[] | undefined {
  const ops: PatchOp[] = [];
  for (const change of changesOf(before, now, shown)) {
    switch (change.kind) {
      case 'snapshot':
        return undefined;
      case 'queued':
        ops.push({ op: 'queued', queued: queuedView(now) });
        break;
      case 'head':
        ops.push({ op: 'turn', head: headView(change.turn) });
        break;
      case 'message':
        ops.push(messageOp(change.message, change.turn));
        break;
      case 'text':
        append(ops, growth(change.known, change.message, change.turn.id));
        break;
    }
  }
  return ops;
}

/**
 * Returns how soon a view must show a change: phases, tool calls and new messages at once, while appended text may wait a moment.
 * It reads no text, because it runs for every event of an answer.
 */
export function urgency(before: ChatThread, now: ChatThread, shown: number): 'none' | 'later' | 'now' {
  if (before === now) return 'none';
  if (before.title !== now.title) return 'now';
  let found: 'none' | 'later' = 'none';
  for (const { kind } of changesOf(before, now, shown)) {
    if (kind !== 'text') return 'now';
    found = 'later';
  }
  return found;
}

/** A difference in a turn or a message; `snapshot` is one that a patch cannot express. */
type Change =
  | { readonly kind: 'snapshot' }
  | { readonly kind: 'queued' }
  | { readonly kind: 'head'; readonly turn: ChatTurn }
  | { readonly kind: 'message'; readonly turn: ChatTurn; readonly message: ChatMessage }
  | {
      readonly kind: 'text';
      readonly turn: ChatTurn;
      readonly known: ChatMessage;
      readonly message: ChatMessage;
    };

function* changesOf(before: ChatThread, now: ChatThread, shown: number): Iterable<Change> {
  const isShorter = now.turns.length < before.turns.length;
  const isCut = now.turns.length > before.turns.length && now.turns.length > shown;
  if (before.key !== now.key || isShorter || isCut) {
    yield { kind: 'snapshot' };
    return;
  }
  if (before.queued !== now.queued) yield { kind: 'queued' };
  for (let at = Math.max(0, now.turns.length - shown); at < now.turns.length; at++) {
    const [known, turn] = [before.turns[at], now.turns[at]];
    if (turn && known !== turn) yield* changesOfTurn(known, turn);
  }
}

function* changesOfTurn(before: ChatTurn | undefined, now: ChatTurn): Iterable<Change> {
  const isOther = before !== undefined && before.id !== now.id;
  if (isOther || (before?.messages.length ?? 0) > now.messages.length) {
    yield { kind: 'snapshot' };
    return;
  }
  if (!before || headChanged(before, now)) yield { kind: 'head', turn: now };
  // The end of a turn changes how each of its messages is shown.
  const ended = before !== undefined && isRunning(before) && !isRunning(now);
  const changed = now.messages.changesSince(ended ? undefined : before?.messages);
  for (const [at, message] of changed) yield changeOfMessage(before?.messages.at(at), message, now, ended);
}

function changeOfMessage(known: ChatMessage | undefined, message: ChatMessage, turn: ChatTurn, ended: boolean): Change {
  if (known && known.id !== message.id) return { kind: 'snapshot' };
  if (!known || ended || !hasOnlyGrown(known, message)) return { kind: 'message', turn, message };
  return { kind: 'text', turn, known, message };
}

/** The fields of a turn other than its messages. */
const headOf = {
  ...{ id: true, prompt: true, branch: true, phase: true, note: true, problem: true },
  ...{ quiet: true, usage: true, startedAt: true, endedAt: true },
} satisfies Record<Exclude<keyof ChatTurn, 'messages'>, true>;
const headKeys = Object.keys(headOf) as readonly (keyof typeof headOf)[];

function headChanged(before: ChatTurn, now: ChatTurn): boolean {
  return headKeys.some((key) => before[key] !== now[key]);
}

function hasOnlyGrown(known: ChatMessage, message: ChatMessage): boolean {
  return (
    known.revision === message.revision &&
    known.toolCall === message.toolCall &&
    known.isInProcess === message.isInProcess &&
    isSamePath(known.graphPath, message.graphPath)
  );
}

/**
 * Checks whether two paths are equal, element by element: every event brings a new array, and joining both would cost as much as
 * the whole comparison.
 */
function isSamePath(known: readonly string[], path: readonly string[]): boolean {
  return known === path || (known.length === path.length && known.every((step, at) => step === path[at]));
}

function messageOp(message: ChatMessage, turn: ChatTurn): PatchOp {
  return { op: 'message', turn: turn.id, message: messageView(message, isRunning(turn)) };
}

function growth(known: ChatMessage, message: ChatMessage, turn: string): PatchOp[] {
  const where = { turn, id: message.id };
  const ops: PatchOp[] = [];
  if (message.text.length > known.text.length) {
    ops.push({
      op: 'append',
      ...where,
      at: known.text.length,
      text: textFrom(message.text, known.text.length, message.recent?.text),
    });
  }
  if (message.thinking.length > known.thinking.length) {
    const text = textFrom(message.thinking, known.thinking.length, message.recent?.thinking);
    ops.push({ op: 'appendThinking', ...where, at: known.thinking.length, text });
  }
  return ops;
}
