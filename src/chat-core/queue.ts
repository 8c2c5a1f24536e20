import { type ChatThread, type QueuedQuestion, newMessageId, timeOf } from './thread.ts';

/** Returns the thread with another question that waits for the running answer to end. */
export function withQueued(thread: ChatThread, prompt: string, now: number): ChatThread {
  const question = { id: newMessageId(thread, now), prompt, isHeld: false };
  return { ...thread, queued: [...(thread.queued ?? []), question] };
}

/** Returns the waiting question with an id. */
export function queuedOf(thread: ChatThread | undefined, id: string): QueuedQuestion | undefined {
  return thread?.queued?.find((question) => question.id === id);
}

/** Returns the thread without a waiting question. */
export function withoutQueued(thread: ChatThread, id: string): ChatThread {
  return queuedOf(thread, id) ? { ...thread, queued: thread.queued?.filter((question) => question.id !== id) } : thread;
}

/** Returns the thread with all waiting questions held until the user sends them. */
export function withHeldQueue(thread: ChatThread): ChatThread {
  if (thread.queued?.every(({ isHeld }) => isHeld) ?? true) return thread;
  return { ...thread, queued: thread.queued?.map((question) => ({ ...question, isHeld: true })) };
}

/** Returns the question to send after the answer that has just ended, if it may be sent automatically. */
export function nextQueued(thread: ChatThread): QueuedQuestion | undefined {
  const [next] = thread.queued ?? [];
  const phase = thread.turns.at(-1)?.phase;
  return next && !next.isHeld && (phase === 'complete' || phase === 'stopped') ? next : undefined;
}

/** Returns the `messageId` for sending a waiting question: its own, unless a later question was sent since. */
export function messageIdOf(question: QueuedQuestion, thread: ChatThread, now: number): string {
  return keepsId(question, thread) ? question.id : newMessageId(thread, now);
}

/** Whether a waiting question is sent under its own id: whichever windows send it, the platform then answers it once. */
function keepsId(question: QueuedQuestion, thread: ChatThread): boolean {
  const last = thread.turns.at(-1);
  return timeOf(question.id) > (last ? timeOf(last.id) : 0);
}

/**
 * Whether a waiting question may be sent automatically; `queuedHere` are the ids of those that were queued in this window. The
 * window that queued it may send it at the same moment: under another id, the platform would answer it twice.
 */
export function mayFollow(question: QueuedQuestion, thread: ChatThread, queuedHere: ReadonlySet<string>): boolean {
  return queuedHere.has(question.id) || keepsId(question, thread);
}

/** Returns the thread without waiting questions that became turns: after a crash, the file may contain both. */
export function withoutAsked(thread: ChatThread): ChatThread {
  const asked = new Set(thread.turns.map(({ id }) => id));
  return { ...thread, queued: thread.queued?.filter(({ id }) => !asked.has(id)) };
}

/** Returns the thread as a window opens it: without a running answer to wait for, all waiting questions are held for the user. */
export function withAwaitedQueue(thread: ChatThread): ChatThread {
  return thread.turns.at(-1)?.phase === 'interrupted' ? thread : withHeldQueue(thread);
}
