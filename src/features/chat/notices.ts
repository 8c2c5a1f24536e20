import type { EndedTurn } from '#chat-core/thread.ts';

/** Returns the notification about an ended turn that the user does not see; `undefined` for none. */
export function noticeOf({ thread, turn }: EndedTurn, isSeen: boolean, notifies: boolean): string | undefined {
  if (isSeen || !notifies) return undefined;
  switch (turn.phase) {
    case 'complete':
      return `Answer ready: ${thread.title}`;
    case 'failed':
      return `The answer failed: ${thread.title}`;
    default:
      // The user stopped it, so it is not news.
      return undefined;
  }
}
