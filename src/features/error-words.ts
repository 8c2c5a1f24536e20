import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import { type ErrorAction, isUserError } from './user-error.ts';

/** What the one error boundary shows: nothing, an expected problem with what helps, or a bug with the log. */
export type ErrorWords =
  | { readonly kind: 'silent' }
  | { readonly kind: 'expected'; readonly message: string; readonly action: ErrorAction | undefined }
  | { readonly kind: 'bug'; readonly message: string };

/** Turns whatever a command threw into words (architecture, rule 5). */
export function errorWords(thrown: unknown): ErrorWords {
  if (isCancelled(thrown)) return { kind: 'silent' };
  const error = asError(thrown);
  if (isUserError(error)) return { kind: 'expected', message: error.message, action: error.action };
  if (isPlatformError(error)) {
    if (error.kind === 'cancelled') return { kind: 'silent' };
    return { kind: 'expected', message: error.message, action: platformAction(error) };
  }
  return { kind: 'bug', message: error.message };
}

/** One line for a tree or a status: the same words as the boundary's, without a button. */
export function errorLine(error: Error | undefined): string | undefined {
  if (!error) return undefined;
  const words = errorWords(error);
  return words.kind === 'silent' ? undefined : words.message;
}

function platformAction({ kind, reason }: PlatformError): ErrorAction | undefined {
  if (reason === 'uncommittedWork') return { title: 'Commit…', command: 'modelbench.commit' };
  switch (kind) {
    case 'auth':
      return { title: 'Sign In', command: 'modelbench.signIn' };
    case 'server':
    case 'invalidResponse':
    case 'timeout':
      return { title: 'Show Log', command: 'modelbench.showLog' };
    default:
      return undefined;
  }
}
