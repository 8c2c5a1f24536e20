import { changedError, isPlatformError, type PlatformError, type RefusalReason } from '#api/errors.ts';
import { messageOf } from '#api/client/refusal.ts';
import { quotedEnd } from '#base/words.ts';

/**
 * Returns the error with a message that claims only what is known: the platform refused, with its own message. The
 * detected reason becomes a hint in conditional form, because servers phrase one refusal in many ways. Other errors are
 * returned unchanged.
 */
export function asRefusal(error: Error): Error {
  if (!isPlatformError(error) || !isRefusal(error)) return error;
  return changedError(error, { message: refusalMessage(error) });
}

/** Checks for a 4xx about the request itself, rather than about the key, a timeout or the rate. */
export function isRefusal({ status = 0 }: PlatformError): boolean {
  return status >= 400 && status < 500 && ![401, 408, 429].includes(status);
}

function refusalMessage({ status, body, reason }: PlatformError): string {
  const serverMessage = messageOf(body);
  const lead = `The platform refused the change (status ${status})${serverMessage === undefined ? '.' : `: ${quotedEnd(serverMessage)}`}`;
  return `${lead} ${(reason && hints[reason]) ?? 'Refresh, then try again.'}`;
}

const hints: Partial<Record<RefusalReason, string>> = {
  readOnlyBranch: 'If dev mode has ended on this branch, start it again.',
  othersBranch: 'If the dev branch is not yours, start dev mode on its parent branch.',
  uncommittedWork: 'If the branch has uncommitted changes, commit them first.',
  parentMoved: 'If the parent branch has moved on, pull it first.',
  outOfScope: 'If the key is limited to other deployments, use one that covers this deployment.',
};
