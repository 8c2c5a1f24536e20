import { isPlatformError } from '#api/errors.ts';
import { messageOf } from '#api/client/refusal.ts';
import { asError } from '#base/async.ts';
import { capitalized } from '#base/words.ts';
import { type Failure, failureOf } from '#shell/error-texts.ts';
import { UserError } from '#shell/user-error.ts';

/**
 * Returns a message that names the missing permission for a 403; other errors are returned unchanged. `what`: `read users`, `save
 * this user`.
 */
export function adminError(thrown: unknown, what: string): Error {
  const error = asError(thrown);
  if (!isPlatformError(error, 'forbidden')) return error;
  const serverMessage = messageOf(error.body);
  return new UserError(
    `No permission: the key of this account may not ${what}${serverMessage === undefined ? '' : ` (“${serverMessage}”)`}. Ask an administrator of the tenant, or sign in with another key.`,
    { title: 'Sign In', command: 'modelbench.signIn' },
  );
}

/** Returns the same error for a row of a tree; `undefined` for a cancelled load. */
export function adminFailure(thrown: Error | undefined, what: string): Failure | undefined {
  const failure = thrown && failureOf(adminError(thrown, what));
  if (!failure || !isPlatformError(thrown, 'forbidden')) return failure;
  const [title = '', ...rest] = failure.message.split(': ');
  return { title, message: capitalized(rest.join(': ')) };
}
