import { type ChatMessage, type ChatThread, type ChatTurn, isRunning } from '#chat/thread.ts';
import type { PatchOp } from '#protocol/chat.ts';
import { headView, messageView } from './view-model.ts';

/** What turns `before` into `now` in a view that shows the last `shown` turns; `undefined` where only a snapshot can. */
export function diff(before: ChatThread, now: ChatThread, shown: number): readonly PatchOp[] | undefined {
  if (before.key !== now.key || now.turns.length < before.turns.length) return undefined;
  if (now.turns.length > before.turns.length && now.turns.length > shown) return undefined;
  const ops: PatchOp[] = [];
  for (const [at, turn] of now.turns.entries()) {
    const known = before.turns[at];
    if (known === turn || at < now.turns.length - shown) continue;
    if (known && known.id !== turn.id) return undefined;
    const changes = turnDiff(known, turn);
    if (!changes) return undefined;
    ops.push(...changes);
  }
  return ops;
}

/** Whether the change must be seen at once: phases, tool calls, new messages; text alone may wait a moment. */
export function isUrgent(ops: readonly PatchOp[]): boolean {
  return ops.some(({ op }) => op === 'turn' || op === 'message');
}

function turnDiff(before: ChatTurn | undefined, now: ChatTurn): PatchOp[] | undefined {
  const ops: PatchOp[] = [];
  if (!before || headChanged(before, now)) ops.push({ op: 'turn', head: headView(now) });
  if ((before?.messages.length ?? 0) > now.messages.length) return undefined;
  const ended = before !== undefined && isRunning(before) && !isRunning(now);
  for (const [at, message] of now.messages.entries()) {
    const known = before?.messages[at];
    if (known && known.id !== message.id) return undefined;
    if (known === message && !ended) continue;
    ops.push(...messageDiff(known, message, now, ended));
  }
  return ops;
}

function headChanged(before: ChatTurn, now: ChatTurn): boolean {
  const { messages: _, ...a } = before;
  const { messages: __, ...b } = now;
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]) as Set<keyof typeof a>;
  return [...keys].some((key) => a[key] !== b[key]);
}

function messageDiff(known: ChatMessage | undefined, message: ChatMessage, turn: ChatTurn, ended: boolean): PatchOp[] {
  const grewOnly =
    known !== undefined &&
    known.revision === message.revision &&
    known.toolCall === message.toolCall &&
    known.isInProcess === message.isInProcess &&
    known.graphPath.join('/') === message.graphPath.join('/') &&
    !ended;
  if (!grewOnly) return [{ op: 'message', turn: turn.id, message: messageView(message, isRunning(turn)) }];
  const where = { turn: turn.id, id: message.id };
  const ops: PatchOp[] = [];
  if (message.text.length > known.text.length) {
    ops.push({ op: 'append', ...where, at: known.text.length, text: message.text.slice(known.text.length) });
  }
  if (message.thinking.length > known.thinking.length) {
    const text = message.thinking.slice(known.thinking.length);
    ops.push({ op: 'appendThinking', ...where, at: known.thinking.length, text });
  }
  return ops;
}
