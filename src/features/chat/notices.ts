import type { EndedTurn } from '#chat-core/thread.ts';

/** What is said about an ended turn to someone who does not see it; `undefined`: nothing. */
export function noticeOf({ thread, turn }: EndedTurn, isSeen: boolean, notifies: boolean): string | undefined {
  if (isSeen || !notifies) return undefined;
  switch (turn.phase) {
    case 'complete':
      return `Answer ready: ${thread.title}`;
    case 'failed':
      return `The answer failed: ${thread.title}`;
    default:
      // Stopped by the user: no news.
      return undefined;
  }
}
