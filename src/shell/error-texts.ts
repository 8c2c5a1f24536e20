import { isPlatformError, type PlatformError, type PlatformErrorKind, type RefusalReason } from '#api/errors.ts';
import { asError, isCancelled } from '#base/async.ts';
import { type ErrorAction, isHint, isUserError } from './user-error.ts';

/** What the error boundary shows: nothing, a hint, an expected problem with a remedy, or a bug with the log. */
export type ErrorTexts =
  | { readonly kind: 'silent' }
  | { readonly kind: 'hint'; readonly message: string; readonly action: ErrorAction | undefined }
  | {
      readonly kind: 'expected';
      readonly message: string;
      readonly action: ErrorAction | undefined;
      /** Whether refreshing or repeating the request may help, because the platform refused it or was unreachable. */
      readonly repeats: boolean;
    }
  | { readonly kind: 'bug'; readonly message: string };

/** Turns a thrown value into the texts that the error boundary shows. */
export function errorTexts(thrown: unknown): ErrorTexts {
  if (isCancelled(thrown)) return { kind: 'silent' };
  const error = asError(thrown);
  if (isHint(error)) return { kind: 'hint', message: error.message, action: error.action };
  if (isUserError(error)) return { kind: 'expected', message: error.message, action: error.action, repeats: false };
  if (isPlatformError(error)) {
    if (error.kind === 'cancelled') return { kind: 'silent' };
    const nothing = error.reason && nothingTexts[error.reason];
    if (nothing !== undefined) return { kind: 'hint', message: nothing, action: undefined };
    return { kind: 'expected', message: error.message, action: platformAction(error), repeats: mayRepeat(error) };
  }
  return { kind: 'bug', message: error.message };
}

/** Refusals because the result is there already. */
const nothingTexts: Readonly<Partial<Record<RefusalReason, string>>> = {
  nothingToCommit: 'There is nothing to commit.',
  nothingToDo: 'There is nothing to do: both branches have the same content.',
};

/** Why a list could not be loaded: a short text for a row of a narrow sidebar, and the full message. */
export interface Failure {
  readonly title: string;
  readonly message: string;
}

/** Returns the texts of the error boundary for a row of a tree, or `undefined` for a cancelled load. */
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

/**
 * Whether repeating may help: a request that the client itself refused, or an operation that the server lacks, fails every time.
 */
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
