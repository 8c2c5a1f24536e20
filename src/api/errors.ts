/** Why an operation failed, in the words a caller can act on. */
export type PlatformErrorKind =
  /** 401: credential missing, malformed or expired. */
  | 'auth'
  /** 403: the credential is valid but not for this, or the platform refuses it by rule (writes to a non-dev branch). */
  | 'forbidden'
  | 'notFound'
  /** 409, 412 or 423: overtaken, in conflict, or not possible in the present state; only a 412 says which. */
  | 'conflict'
  /** The client found the request wrong before sending, or the server answered 400/422. */
  | 'invalidRequest'
  | 'rateLimit'
  | 'server'
  /** No answer: name not found, refused, reset, offline. */
  | 'network'
  | 'timeout'
  /** The answer was not what the operation promises: HTML, broken JSON, a missing needed field, too large. */
  | 'invalidResponse'
  /** The address is not HTTPS (loopback excepted), or a redirect would carry the key elsewhere. */
  | 'insecure'
  /** The server's description does not list this operation. */
  | 'unsupported'
  | 'cancelled';

/**
 * A refusal by a rule of the platform, read from its message: the status code alone does not show it
 * (docs/platform-api.md#refusals).
 */
export type RefusalReason =
  /** A write to a branch that is not an active dev branch. */
  | 'readOnlyBranch'
  /** The dev branch belongs to someone else. */
  | 'othersBranch'
  /** A staging environment asked for a dev branch or the production branch. */
  | 'stagingNotAllowed'
  /** A new message to a thread that is already answering. */
  | 'threadBusy'
  /** A merge while the dev branch has work that is not committed. */
  | 'uncommittedWork'
  /** A commit of a branch that has no changes. */
  | 'nothingToCommit'
  /** A commit while the parent branch has moved: pull first. */
  | 'parentMoved'
  /** A real Git conflict; `conflictPaths(error.body)` lists the files. */
  | 'gitConflict'
  /** An API key on the deployment form of the chat. */
  | 'agentRequired'
  /** The key is scoped to other deployments. */
  | 'outOfScope';

export interface PlatformErrorInit {
  readonly kind: PlatformErrorKind;
  /** The operation's id, for example `listDeployments`. */
  readonly operation: string;
  readonly message: string;
  readonly status?: number | undefined;
  readonly retryable?: boolean;
  /** Seconds to wait, from `Retry-After`. */
  readonly retryAfter?: number | undefined;
  /** The field that is wrong, as a dotted path. */
  readonly field?: string | undefined;
  /** The parsed error body, where there was one (for example `{error, conflicts}` of a 409). */
  readonly body?: unknown;
  readonly requestId?: string | undefined;
  readonly reason?: RefusalReason | undefined;
  /** The platform may have done what it was asked for, although no answer says so. */
  readonly mayBeDone?: boolean | undefined;
  readonly cause?: unknown;
}

/**
 * The one error of the platform client. Its message, body and cause never hold a credential; a cancelled call is named
 * `AbortError`, so that `isCancelled` knows it.
 */
export class PlatformError extends Error {
  override readonly name: string;
  readonly kind: PlatformErrorKind;
  readonly operation: string;
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

/** The same error with other fields. */
export function changedError(error: PlatformError, change: Partial<PlatformErrorInit>): PlatformError {
  const { kind, operation, status, message, retryable, retryAfter, field, body, requestId, reason, mayBeDone, cause } =
    error;
  const init = { kind, operation, status, message, retryable, retryAfter, field, body, requestId, reason, mayBeDone };
  return new PlatformError({ ...init, cause, ...change });
}

/** Whether something thrown is a `PlatformError`, of this kind where one is given. */
export function isPlatformError(error: unknown, kind?: PlatformErrorKind): error is PlatformError {
  return isOurs(error) && (kind === undefined || error.kind === kind);
}

/** By its parts, not by its class: the extension is several bundles, and each holds a class of its own. */
function isOurs(error: unknown): error is PlatformError {
  return error instanceof Error && 'kind' in error && 'operation' in error && 'retryable' in error;
}
