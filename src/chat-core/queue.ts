import type { ChatThread, QueuedQuestion } from './thread.ts';

/** The thread with one more question that waits for the end of its answer. */
export function withQueued(thread: ChatThread, prompt: string): ChatThread {
  return { ...thread, queued: [...(thread.queued ?? []), { prompt, isHeld: false }] };
}

/** The thread without the question at a position. */
export function withoutQueued(thread: ChatThread, at: number): ChatThread {
  return { ...thread, queued: thread.queued?.toSpliced(at, 1) };
}

/** The thread whose waiting questions stay until the user sends them. */
export function withHeldQueue(thread: ChatThread): ChatThread {
  if (thread.queued === undefined || thread.queued.length === 0) return thread;
  return { ...thread, queued: thread.queued.map(({ prompt }) => ({ prompt, isHeld: true })) };
}

/** The question that follows the answer that has just ended, if one may follow automatically. */
export function nextQueued(thread: ChatThread): QueuedQuestion | undefined {
  const [next] = thread.queued ?? [];
  const phase = thread.turns.at(-1)?.phase;
  return next && !next.isHeld && (phase === 'complete' || phase === 'stopped') ? next : undefined;
}
