import { isPlatformError, type PlatformError, type PlatformErrorKind } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import { type ErrorAction, isHint, isUserError } from './user-error.ts';

/** What the one error boundary shows: nothing, a hint, an expected problem with what helps, or a bug with the log. */
export type ErrorTexts =
  | { readonly kind: 'silent' }
  | { readonly kind: 'hint'; readonly message: string; readonly action: ErrorAction | undefined }
  | {
      readonly kind: 'expected';
      readonly message: string;
      readonly action: ErrorAction | undefined;
      /** Whether reading the platform again, or the same request again, may help: it refused or could not be asked. */
      readonly repeats: boolean;
    }
  | { readonly kind: 'bug'; readonly message: string };

/** Turns whatever a command threw into words (architecture, rule 5). */
export function errorTexts(thrown: unknown): ErrorTexts {
  if (isCancelled(thrown)) return { kind: 'silent' };
  const error = asError(thrown);
  if (isHint(error)) return { kind: 'hint', message: error.message, action: error.action };
  if (isUserError(error)) return { kind: 'expected', message: error.message, action: error.action, repeats: false };
  if (isPlatformError(error)) {
    if (error.kind === 'cancelled') return { kind: 'silent' };
    if (error.reason === 'nothingToCommit') return { kind: 'hint', message: nothingToCommit, action: undefined };
    return { kind: 'expected', message: error.message, action: platformAction(error), repeats: mayRepeat(error) };
  }
  return { kind: 'bug', message: error.message };
}

const nothingToCommit = 'There is nothing to commit.';

/** Why a list could not be loaded: a short text for a row of a narrow side bar, and the whole message. */
export interface Failure {
  readonly title: string;
  readonly message: string;
}

/** The boundary's words for a row of a tree; nothing for a cancelled load. */
export function failureOf(error: Error | undefined): Failure | undefined {
  if (!error) return undefined;
  const texts = errorTexts(error);
  if (texts.kind === 'silent') return undefined;
  return { title: isPlatformError(error) ? titles[error.kind] : 'Failed', message: texts.message };
}

const titles: Readonly<Record<PlatformErrorKind, string>> = {
  auth: 'Not signed in',
  forbidden: 'No permission',
  notFound: 'Not found',
  conflict: 'Refused',
  invalidRequest: 'Refused',
  rateLimit: 'Too many requests',
  server: 'Server error',
  network: 'Cannot be reached',
  timeout: 'No answer in time',
  invalidResponse: 'Answer not understood',
  insecure: 'Connection not secure',
  unsupported: 'Not offered here',
  cancelled: 'Cancelled',
};

/** What the client itself refused to send, or the server does not have, comes out the same every time. */
function mayRepeat({ kind, status }: PlatformError): boolean {
  switch (kind) {
    case 'auth':
    case 'insecure':
    case 'unsupported':
    case 'cancelled':
      return false;
    case 'invalidRequest':
      return status !== undefined;
    default:
      return true;
  }
}

function platformAction({ kind, reason }: PlatformError): ErrorAction | undefined {
  if (reason === 'uncommittedWork') return { title: 'Commit…', command: 'modelbench.commit' };
  if (reason === 'parentMoved') return { title: 'Pull from Parent', command: 'modelbench.pull' };
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
