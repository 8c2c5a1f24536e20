import { SingleFlight } from '#base/async.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { type Credential, CredentialRedactor, sameCredential } from './credential.ts';
import { changedError, isPlatformError, PlatformError } from '#api/errors.ts';
import { cancelledError, type CallFacts, unsupportedError } from './failure.ts';
import type { AnswerOf, Operation, RequestOf } from '#api/operation.ts';
import type { Proxy } from './proxy.ts';
import { readAnswer } from './read-answer.ts';
import { type Outgoing, outgoing } from './request.ts';
import { type RetryLimits, retryPause } from './retry.ts';
import { type Fetch, sendOnce } from './send.ts';
import { checkedRequest, type RequestInput } from './validation.ts';

export interface ClientLimits extends RetryLimits {
  /** The limit for one attempt, in milliseconds (times the operation's `timeoutFactor`); with `open`, until its headers. */
  readonly timeoutMs: number;
  /** The largest JSON response in bytes; reading a larger one fails. */
  readonly maxAnswerBytes: number;
}

export const defaultLimits: ClientLimits = {
  timeoutMs: 30_000,
  maxAnswerBytes: 64 * 1024 * 1024,
  attempts: 4,
  backoffMs: 300,
  maxBackoffMs: 10_000,
  maxRetryAfterMs: 60_000,
};

type CredentialSource = () => Promise<Credential | undefined> | Credential | undefined;

export interface ClientOptions {
  /** `https://{tenant}.<domain>` or a custom domain; see `tenant-url.ts`. */
  readonly baseUrl: string;
  readonly credential: CredentialSource;
  readonly logger: Logger;
  /** The base URL of the chat API; without it, chat operations are refused. */
  readonly chatUrl?: string | undefined;
  /** The chat's own authentication (docs/chat.md#credentials); by default the platform's bearer token is sent as an API key. */
  readonly chatCredential?: CredentialSource | undefined;
  /** The host's `fetch`, or an in-memory one. */
  readonly fetch?: Fetch | undefined;
  readonly clock?: Clock | undefined;
  /** 0 ≤ x < 1, for jitter. */
  readonly random?: (() => number) | undefined;
  readonly newRequestId?: (() => string) | undefined;
  readonly limits?: Partial<ClientLimits> | undefined;
  /** Called once for a 401; resolves to true when the credential was renewed, and the call is then sent again once. */
  readonly onUnauthorized?: (() => Promise<boolean>) | undefined;
  /** Whether the server has an optional operation (docs/platform-api.md#capabilities); if not given, all are sent. */
  readonly supports?: ((op: Operation) => boolean | Promise<boolean>) | undefined;
  readonly userAgent?: string | undefined;
  /** The proxy that a request goes through, for messages. */
  readonly proxyOf?: ((target: URL) => Proxy | undefined) | undefined;
  /** Finds out the outcome of a change whose reply was lost; without it, the outcome remains unknown. */
  readonly resolveLostReply?: ResolveLostReply | undefined;
}

/** A change whose reply was lost, or that was refused after such a loss. */
export interface LostChange {
  readonly client: Client;
  readonly op: Operation;
  readonly request: RequestInput;
  readonly error: PlatformError;
  readonly options: CallOptions;
  /** Whether it is sent again if the platform does not show it. */
  readonly isRetried: boolean;
}

/**
 * Resolves to the answer of a change that was made after all, or to `undefined` if it may be sent again. Throws
 * otherwise, with what is known.
 */
export type ResolveLostReply = (lost: LostChange) => Promise<{ readonly answer: unknown } | undefined>;

/** The outcome of a change whose reply was lost, as the platform shows it. */
export type ChangeOutcome =
  /** It was made; `answer` is the content of the lost reply, as far as it is known. */
  | { readonly kind: 'done'; readonly answer?: unknown }
  | { readonly kind: 'notDone' }
  /** The platform has nothing to read that would show it. */
  | { readonly kind: 'unknown' };

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's own limit. */
  readonly timeoutMs?: number | undefined;
  /**
   * Make one attempt, whatever its outcome: for effects that must not be repeated before their caller has checked the
   * outcome of the first attempt. A refused key is still renewed; the error is `retryable` when there is a new key.
   */
  readonly once?: boolean | undefined;
  /** Finds out the outcome of this change, where the caller knows more about the state before it. */
  readonly checkOutcome?: (() => Promise<ChangeOutcome>) | undefined;
  /**
   * Called before the request is sent again after a pause or with a new key, which the user may take minutes to enter. Ends the
   * call with whatever it throws.
   */
  readonly beforeRetry?: (() => Promise<void>) | undefined;
  /** Additional headers; those that carry the credential cannot be set here. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** The typed client of the platform: every operation is validated, authenticated, and retried where that is safe. */
export interface Client {
  /** Sends an operation and reads its whole response. Throws only `PlatformError`, and what `beforeRetry` throws. */
  call<const Op extends Operation>(op: Op, request: RequestOf<Op>, options?: CallOptions): Promise<AnswerOf<Op>>;
  /**
   * Sends an operation and resolves to the successful response with its body unread (CSV, NDJSON, the API explorer).
   * Throws `PlatformError`. The signal also ends the body.
   */
  open<const Op extends Operation>(op: Op, request: RequestOf<Op>, options?: CallOptions): Promise<Response>;
}

/** The clients of the signed-in accounts. */
export interface AccountClients {
  client(accountId: string): Client;
}

/** Creates the client of one platform. Its `call` throws `TypeError` for an operation that returns a stream. */
export function createClient(options: ClientOptions): Client {
  const runner = new CallRunner(options, () => client);
  const client: Client = {
    call: async (op, request, callOptions = {}) => {
      if (op.answerKind === 'csv' || op.answerKind === 'ndjson') {
        throw new TypeError(`${op.id} answers a stream: use open().`);
      }
      return (await runner.run(op, request, callOptions, 'read')) as AnswerOf<typeof op>;
    },
    open: async (op, request, callOptions = {}) => (await runner.run(op, request, callOptions, 'open')) as Response,
  };
  return client;
}

interface Prepared {
  readonly checked: RequestInput;
  readonly request: Outgoing;
}

/** The state of one attempt of a call. */
interface Attempt {
  readonly op: Operation;
  readonly request: Outgoing;
  readonly options: CallOptions;
  readonly mode: 'read' | 'open';
  readonly requestId: string;
  readonly number: number;
  readonly redactor: CredentialRedactor;
}

/** A failed attempt, with its number. */
interface Failed extends Omit<LostChange, 'client' | 'isRetried'> {
  readonly number: number;
  readonly mode: 'read' | 'open';
  /** Whether an earlier attempt may have made the change. */
  readonly mayBeDone: boolean;
}

class CallRunner {
  readonly #options: ClientOptions;
  readonly #client: () => Client;
  readonly #limits: ClientLimits;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #fetch: Fetch;
  readonly #refreshing = new SingleFlight<boolean>();

  constructor(options: ClientOptions, client: () => Client) {
    this.#options = options;
    this.#client = client;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#clock = options.clock ?? systemClock;
    this.#random = options.random ?? Math.random;
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  async run(op: Operation, input: RequestInput, options: CallOptions, mode: 'read' | 'open'): Promise<unknown> {
    const requestId = (this.#options.newRequestId ?? (() => crypto.randomUUID()))();
    const { checked, request } = await this.#prepared(op, input, requestId);
    let refreshed = false;
    let mayBeDone = false;
    for (let number = 1; ;) {
      const credential = await this.#credentialOf(op);
      try {
        const redactor = new CredentialRedactor(credential, checked.body);
        return await this.#attempt({ op, request, options, mode, requestId, number, redactor }, credential);
      } catch (error) {
        if (!isPlatformError(error)) throw error;
        const renewed = !refreshed && (await this.#renewed(op, credential, error));
        if (options.once) throw changedError(error, { retryable: renewed || error.retryable });
        if (renewed) {
          refreshed = true;
          await options.beforeRetry?.();
          continue;
        }
        const failed = { op, request: checked, error, options, number, mode, mayBeDone };
        const done = await this.#beforeNext(failed);
        mayBeDone ||= error.mayBeDone;
        if (done) return done.answer;
        await options.beforeRetry?.();
        number += 1;
      }
    }
  }

  /** Checks a request and builds it. Problems before anything is sent are logged like a failed request. */
  async #prepared(op: Operation, input: RequestInput, requestId: string): Promise<Prepared> {
    try {
      await this.#refuseUnsupported(op);
      const checked = checkedRequest(op, input);
      return { checked, request: outgoing(op, this.#baseUrlOf(op), checked) };
    } catch (error) {
      const { kind, field } = isPlatformError(error) ? error : { kind: 'bug', field: undefined };
      this.#options.logger.warn('Request not sent', { operation: op.id, kind, field, requestId });
      throw error;
    }
  }

  async #attempt(attempt: Attempt, credential: Credential | undefined): Promise<unknown> {
    const { op, request, options, mode, requestId, redactor } = attempt;
    const { url } = request;
    const facts: CallFacts = { op, requestId, redactor, host: url.host, proxy: this.#options.proxyOf?.(url) };
    const started = this.#clock.now();
    try {
      const timeoutMs = options.timeoutMs ?? this.#limits.timeoutMs * (op.timeoutFactor ?? 1);
      const { response, value } = await sendOnce({
        facts,
        request,
        credential: credential ?? { kind: 'none' },
        headers: this.#headers(options),
        fetch: this.#fetch,
        timeoutMs,
        signal: options.signal,
        read: (answer, signal) =>
          readAnswer(facts, answer, { mode, maxBytes: this.#limits.maxAnswerBytes, now: this.#clock.now() }, signal),
      });
      this.#log(attempt, started, response.status);
      return value;
    } catch (error) {
      this.#log(attempt, started, isPlatformError(error) ? error.status : undefined, error);
      throw error;
    }
  }

  #headers(options: CallOptions): Headers {
    const headers = new Headers(options.headers);
    if (this.#options.userAgent !== undefined) headers.set('user-agent', this.#options.userAgent);
    return headers;
  }

  #baseUrlOf(op: Operation): string {
    if (op.host !== 'chat') return this.#options.baseUrl;
    if (this.#options.chatUrl !== undefined) return this.#options.chatUrl;
    throw new PlatformError({
      kind: 'invalidRequest',
      operation: op.id,
      field: 'chatUrl',
      message: 'No Chat API URL is set. Copy it from the agent settings or the API credentials of the deployment.',
    });
  }

  /** Reads the credential. The system's keyring can fail, which is reported like any other problem with the key. */
  async #credentialOf(op: Operation): Promise<Credential | undefined> {
    try {
      return await this.#heldCredential(op);
    } catch (error) {
      if (isPlatformError(error)) throw error;
      this.#options.logger.warn('Credential not read', { operation: op.id });
      throw new PlatformError({
        kind: 'auth',
        operation: op.id,
        message:
          'The saved API key or token could not be read. Sign in again; if that fails, check the keyring of this system.',
      });
    }
  }

  async #heldCredential(op: Operation): Promise<Credential | undefined> {
    if (op.anonymous) return undefined;
    if (op.host !== 'chat') return this.#options.credential();
    if (this.#options.chatCredential) return this.#options.chatCredential();
    const own = await this.#options.credential();
    return own?.kind === 'bearer' ? { kind: 'apiKey', token: own.token, origin: own.origin } : own;
  }

  /** Checks whether the call may be sent again: another call renewed the credential meanwhile, or `onUnauthorized` does now. */
  async #renewed(op: Operation, used: Credential | undefined, error: PlatformError): Promise<boolean> {
    const { onUnauthorized } = this.#options;
    if (error.status !== 401 || op.anonymous) return false;
    if (!sameCredential(await this.#credentialOf(op), used)) return true;
    // Signing in does not renew the chat's own credential.
    const isOwn = op.host === 'chat' && this.#options.chatCredential !== undefined;
    return onUnauthorized !== undefined && !isOwn && this.#refreshing.run(onUnauthorized);
  }

  /** Waits for the next attempt, or throws if there is none; resolves to the content of a lost reply. */
  async #beforeNext(failed: Failed): Promise<{ readonly answer: unknown } | undefined> {
    const { op, error, options, number, mayBeDone } = failed;
    const isChange = failed.mode === 'read' && op.method !== 'GET';
    if (isChange && mayBeDone && isGone(op, error)) return { answer: undefined };
    const pause = retryPause(op, error, number, this.#limits, this.#random);
    const resolveLostReply = isChange && (mayBeDone || error.mayBeDone) ? this.#options.resolveLostReply : undefined;
    if (pause === undefined && !resolveLostReply) throw error;
    await this.#pause(op, error, pause ?? this.#random() * this.#limits.backoffMs, options.signal);
    return resolveLostReply?.({ ...failed, client: this.#client(), isRetried: pause !== undefined });
  }

  async #pause(op: Operation, error: PlatformError, pause: number, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#clock.sleep(pause, signal);
    } catch {
      throw cancelledError({ op, requestId: error.requestId ?? '' });
    }
  }

  async #refuseUnsupported(op: Operation): Promise<void> {
    if (!op.described || op.anonymous || !this.#options.supports || (await this.#options.supports(op))) return;
    throw unsupportedError(op);
  }

  #log(attempt: Attempt, started: number, status: number | undefined, error?: unknown): void {
    const fields = {
      operation: attempt.op.id,
      status,
      duration: Math.round(this.#clock.now() - started),
      requestId: attempt.requestId,
      attempt: attempt.number,
    };
    if (error === undefined) this.#options.logger.debug('Request', fields);
    else if (isPlatformError(error, 'cancelled')) this.#options.logger.debug('Request cancelled', fields);
    else {
      const kind = isPlatformError(error) ? error.kind : 'bug';
      this.#options.logger.warn('Request failed', { ...fields, kind });
    }
  }
}

/** Whether an earlier attempt, whose reply was lost, has already deleted the object. */
function isGone(op: Operation, error: PlatformError): boolean {
  return op.method === 'DELETE' && op.body === undefined && op.answerKind === 'none' && error.kind === 'notFound';
}
