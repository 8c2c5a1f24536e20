/** The kind of a failure, as far as callers need to distinguish them. */
export type PlatformErrorKind =
  /** 401: credential missing, malformed or expired. */
  | 'auth'
  /** 402 or 403: the credential is valid but does not cover this, or a rule of the platform forbids it (writes to a non-dev branch). */
  | 'forbidden'
  | 'notFound'
  /** 409, 412 or 423: overtaken, in conflict, or not possible in the current state; only a 412 shows which. */
  | 'conflict'
  /** The client found the request wrong before sending, or the server answered 400, 422 or another 4xx without a kind of its own. */
  | 'invalidRequest'
  | 'rateLimit'
  | 'server'
  /** No response: name not found, refused, reset, offline. */
  | 'network'
  | 'timeout'
  /** The response does not match the operation: HTML, broken JSON, a missing required field, too large. */
  | 'invalidResponse'
  /** The address is not HTTPS (except loopback), or a redirect would send the key elsewhere. */
  | 'insecure'
  /** The server's description does not list this operation. */
  | 'unsupported'
  | 'cancelled';

/**
 * The rule of the platform behind a refusal, derived from its message: the status code alone does not show it
 * (docs/platform-api.md#refusals).
 */
export type RefusalReason =
  /** A write to a branch that is not an active dev branch. */
  | 'readOnlyBranch'
  /** The dev branch belongs to someone else. */
  | 'othersBranch'
  /** A staging environment for a dev branch or the production branch. */
  | 'stagingNotAllowed'
  /** A new message to a thread that is already answering. */
  | 'threadBusy'
  /** A merge while the dev branch has uncommitted work. */
  | 'uncommittedWork'
  /** A commit of a branch that has no changes. */
  | 'nothingToCommit'
  /** A step whose result is there already: both branches are the same. */
  | 'nothingToDo'
  /** A commit while the parent branch has moved: pull first. */
  | 'parentMoved'
  /** A real Git conflict; `conflictPaths(error.body)` lists the files. */
  | 'gitConflict'
  /** An API key with the deployment form of the Chat API URL. */
  | 'agentRequired'
  /** The key is scoped to other deployments. */
  | 'outOfScope';

export interface PlatformErrorInit {
  readonly kind: PlatformErrorKind;
  /** The operation's id, for example `listDeployments`. */
  readonly operation: string;
  readonly message: string;
  /** The end of the message that says what to do, if it has one. */
  readonly advice?: string | undefined;
  readonly status?: number | undefined;
  readonly retryable?: boolean;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** The invalid field, as a dotted path. */
  readonly field?: string | undefined;
  /** The parsed error body, if there was one (for example `{error, conflicts}` of a 409). */
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly reason?: RefusalReason | undefined;
  /** The platform may have carried out the request, although no response confirms it. */
  readonly mayBeDone?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The only error that the platform client throws. Its message, body and cause never contain a credential; a cancelled
 * call has the name `AbortError`, so that `isCancelled` recognizes it.
 */
export class PlatformError extends Error {
  override readonly name: string;
  readonly kind: PlatformErrorKind;
  readonly operation: string;
  readonly advice: string | undefined;
  readonly status: number | undefined;
  readonly retryable: boolean;
  readonly retryAfter: number | undefined;
  readonly field: string | undefined;
  readonly body: unknown;
  readonly requestId: string | undefined;
  readonly reason: RefusalReason | undefined;
  readonly mayBeDone: boolean;

  constructor(init: PlatformErrorInit) {
    super(init.message, init.cause === undefined ? undefined : { cause: init.cause });
    this.name = init.kind === 'cancelled' ? 'AbortError' : 'PlatformError';
    this.kind = init.kind;
    this.operation = init.operation;
    this.advice = init.advice;
    this.status = init.status;
    this.retryable = init.retryable ?? false;
    this.retryAfter = init.retryAfter;
    this.field = init.field;
    this.body = init.body;
    this.requestId = init.requestId;
    this.reason = init.reason;
    this.mayBeDone = init.mayBeDone ?? false;
  }
}

/** Returns a copy of the error with other fields. */
export function changedError(error: PlatformError, change: Partial<PlatformErrorInit>): PlatformError {
  const { kind, operation, status, message, retryable, retryAfter, field, body, requestId, reason, mayBeDone, cause } =
    error;
  const init = { kind, operation, status, message, retryable, retryAfter, field, body, requestId, reason, mayBeDone };
  return new PlatformError({ ...init, advice: error.advice, cause, ...change });
}

/** Returns a copy of the error whose message ends with other advice: a user needs one, not two. */
export function advisedError(error: PlatformError, advice: string, mayBeDone = error.mayBeDone): PlatformError {
  const { advice: old, message } = error;
  const happened = old !== undefined && message.endsWith(old) ? message.slice(0, -old.length).trimEnd() : message;
  return changedError(error, { message: `${happened} ${advice}`, advice, mayBeDone });
}

/** Checks whether a thrown value is a `PlatformError`, of this kind if one is given. */
export function isPlatformError(error: unknown, kind?: PlatformErrorKind): error is PlatformError {
  return isOurs(error) && (kind === undefined || error.kind === kind);
}

/** Checks the properties, not the class: the extension consists of several bundles, each with its own class. */
function isOurs(error: unknown): error is PlatformError {
  return error instanceof Error && 'kind' in error && 'operation' in error && 'retryable' in error;
}
