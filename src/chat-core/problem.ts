import { type PlatformError, isPlatformError } from '#api/errors.ts';
import { asError } from '#base/async.ts';
import type { TurnProblem } from './thread.ts';

/** Thrown when a connection was silent for too long and is treated as broken. */
export class IdleError extends Error {
  override readonly name = 'IdleError';
  constructor() {
    super('The platform has sent nothing for several minutes.');
  }
}

/** How to handle a failed attempt. `waitMs`: the delay that the platform asked for. */
export type RetryDecision =
  | {
      readonly kind: 'again';
      readonly message: string;
      readonly waitMs?: number | undefined;
      /** Nothing was received from the platform: the network may be down for hours. */
      readonly isOffline: boolean;
    }
  | { readonly kind: 'end'; readonly problem: TurnProblem };

const BUSY = /streaming for thread is in progress/i;
const TRANSIENT = new Set(['network', 'timeout', 'server', 'rateLimit']);

/** Failures for which something else than the platform may be responsible, such as the sign-in page of a network. */
const FOREIGN = new Set(['invalidResponse', 'insecure']);

/**
 * Decides whether to retry after an error of a request or a broken stream: connection errors and overload are retried, refusals are not. `isResuming`:
 * the platform has sent a part of this answer before, and nothing yet on this connection.
 */
export function retryDecision(error: unknown, isResuming = false): RetryDecision {
  const message = asError(error).message;
  if (BUSY.test(message) || isBusyBody(error)) return { kind: 'end', problem: busyProblem };
  if (error instanceof IdleError) return { kind: 'again', message, isOffline: false };
  if (!isPlatformError(error)) return { kind: 'end', problem: { kind: 'failed', message } };
  if (TRANSIENT.has(error.kind)) {
    const waitMs = error.retryAfter === undefined ? undefined : error.retryAfter * 1000;
    // A status means that the platform was reached, also where it gave up waiting.
    const isOffline = error.status === undefined && (error.kind === 'network' || error.kind === 'timeout');
    return { kind: 'again', message, waitMs, isOffline };
  }
  // There is another key meanwhile.
  const hasNewKey = error.kind === 'auth' && error.retryable;
  if (hasNewKey || (isResuming && FOREIGN.has(error.kind))) return { kind: 'again', message, isOffline: false };
  return { kind: 'end', problem: refusalOf(error) };
}

/** Returns the problem of a turn that ended with an error that was not expected. */
export function unexpectedProblem(error: unknown): TurnProblem {
  const verdict = retryDecision(error);
  return verdict.kind === 'end' ? verdict.problem : { kind: 'unreachable', message: verdict.message };
}

function refusalOf({ kind, message }: PlatformError): TurnProblem {
  if (kind === 'auth') return { kind: 'credential', message };
  if (kind !== 'notFound') return { kind: 'refused', message };
  return { kind: 'gone', message: `${sentence(message)} Asking again begins a new thread on the platform.` };
}

/**
 * Returns the problem for an error that arrived as a line of a 200 response, by its code, because any message may contain the word “token”
 * (docs/chat.md#errors). Without such a code, a line before the answer began refuses the request; a later one means that the
 * agent failed.
 */
export function problemOfLine(message: string, code: number | string | undefined, began: boolean): TurnProblem {
  if (BUSY.test(message)) return busyProblem;
  if (code !== undefined && isCredentialCode(code)) return { kind: 'credential', message: sentence(message) };
  return { kind: began ? 'failed' : 'refused', message: sentence(message) };
}

/** Whether the code is 401, its name, or one of the codes that JSON-RPC reserves for servers. */
function isCredentialCode(code: number | string): boolean {
  if (/^(?:unauthori[sz]ed|unauthenticated|invalid[_-]?token)$/i.test(String(code))) return true;
  const number = Number(code);
  return number === 401 || (number >= -32_099 && number <= -32_000);
}

/** Returns the message for a stop that the platform did not confirm. */
export function abortNote(error: unknown): string {
  if (isPlatformError(error, 'forbidden')) {
    return 'This thread belongs to someone else, so the platform did not stop its answer.';
  }
  if (isPlatformError(error, 'notFound'))
    return 'This thread no longer exists on the platform; there was nothing to stop.';
  if (!isPlatformError(error) || error.kind === 'network' || error.kind === 'timeout')
    return 'The platform could not be reached to confirm the stop; the answer may still be running there.';
  const status = error.status === undefined ? '' : ` (status ${error.status})`;
  return `The platform did not confirm the stop${status}, so the answer may still be running there.`;
}

/** The note for a stop that cannot be sent yet. */
export const unnamedNote =
  'The platform has not named this thread yet, so the answer may still be running there. It is stopped as soon as the thread is known.';

/** The note for a stop that can never be sent, because the thread of the answer is unknown. */
export const lostUnnamedNote =
  'The connection ended before the platform named this thread, so the answer may still be running there.';

/** The note for a stop whose window or extension host ended before the platform had responded. */
export const abandonedNote =
  'The window was closed before the platform confirmed the stop; the answer may still be running there.';

const busyProblem: TurnProblem = {
  kind: 'busy',
  message: 'Another answer is still running on this thread. Follow it, or wait until it is done.',
};

/** Checks whether the body of a response reports a busy thread: the message of the error may not. */
function isBusyBody(error: unknown): boolean {
  return isPlatformError(error) && BUSY.test(JSON.stringify(error.body) ?? '');
}

function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
