import type { SendRefusal } from '#chat-core/send-refusal.ts';

/** Explains to the user why a question was not sent. */
export function refusalText(refusal: SendRefusal): string {
  switch (refusal.kind) {
    case 'missing':
      return refusal.message;
    case 'running':
      return 'An answer is still running on this thread. Stop it first, or ask in a new thread.';
    case 'elsewhere':
      return 'This thread belongs to another deployment or account. Ask in a new thread.';
    case 'notFollowed':
      return 'That answer cannot be followed: it has ended, or the platform has not named this thread yet. Ask again.';
    case 'branchChanged':
      return `This thread began on ${refusal.from.name}; the active branch is now ${refusal.to.name}. Earlier answers may not apply there.`;
    case 'context':
      return `What goes along with the question could not be read. ${refusal.message}`;
    default:
      return 'There is nothing to send.';
  }
}
