import { asError, abortable, abortReason, CancelledError, isCancelled, SingleFlight } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { expiryOf, isJwt } from './jwt.ts';

/** The user's credential for a target: the API secret of its deployment, or a token that it signed. */
export interface QueryCredential {
  readonly kind: 'secret' | 'token';
  readonly value: string;
}

/** The reason why the user is asked: there is no credential, or it is no longer accepted. */
export type AskReason = 'nothing' | 'expired' | 'refused';

/** Validates the user's input: an error message keeps the form open, `undefined` accepts the input. */
export type CheckAnswer = (typed: string, signal: AbortSignal) => Promise<string | undefined>;

/** Gets and stores the tokens of one target. Every method that calls a server throws `PlatformError`. */
export interface TokenPorts {
  readonly clock: Clock;
  /** Resolves to a token that the server issues; `undefined` if it does not offer that, or not to this account. */
  issue(): Promise<{ readonly token: string; readonly expiresAt?: number | undefined } | undefined>;
  /** Signs a token on this machine. */
  mint(secret: string): Promise<string>;
  /** Resolves to whether the target accepts a token for queries; without a token, whether it needs none. */
  test(token: string | undefined, signal?: AbortSignal): Promise<boolean>;
  /** Resolves to a stored credential; `earlier` is a token that an earlier version stored without testing it. */
  read(kind: QueryCredential['kind'] | 'earlier'): Promise<string | undefined>;
  keep(credential: QueryCredential): Promise<void>;
  drop(kind: QueryCredential['kind'] | 'earlier'): Promise<void>;
  /** Shows the form until an input is accepted or the user closes it. */
  ask(reason: AskReason, check: CheckAnswer): Promise<void>;
}

/** The conditions under which a request gets a token. */
export interface Need {
  /** Whether the user may be asked. */
  readonly mayAsk: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** Returns the error for a missing token that the user may not be asked for. It has no status, because no server was called. */
function noToken(): PlatformError {
  return new PlatformError({
    kind: 'auth',
    operation: 'queryData',
    message: 'Querying needs a token. Run a query yourself to be asked for it.',
  });
}

type Source = 'issued' | 'secret' | 'token' | 'none';
const sources: readonly Source[] = ['issued', 'secret', 'token', 'none'];

interface Grant {
  readonly source: Source;
  /** `undefined` if the target needs none. */
  readonly token: string | undefined;
  readonly expiresAt: number | undefined;
}

/** The attempts of one request. */
interface Tried extends Need {
  asked: boolean;
  readonly refusals: Map<Source, number>;
  lastRefusal?: PlatformError;
}

/** The minimum lifetime of a token to send: with less it could expire on the way. */
const marginMs = 30_000;
/** How long a source is not tried after its tokens were refused. */
const pauseMs = 5 * 60_000;
/** A request fails after this many refusals, whatever other requests do meanwhile. */
const mostRefusals = 6;

/**
 * Gets the tokens of one target (docs/data-api.md#tokens): issued by the server, signed on this machine, entered by the user, or
 * none. A refused token is never sent again; an untested token is never stored.
 */
export class TokenBroker {
  readonly #ports: TokenPorts;
  readonly #finding = new SingleFlight<Grant | undefined>();
  readonly #asking = new SingleFlight<Grant | undefined>();
  readonly #refused = new Set<string>();
  readonly #pausedUntil = new Map<Source, number>();
  #grant: Grant | undefined;
  #reason: AskReason = 'nothing';

  constructor(ports: TokenPorts) {
    this.#ports = ports;
  }

  /**
   * Sends a request with a token, and repeats it with another one if that is refused (401, 403). Throws the errors of the
   * request, `CancelledError` if the user closes the form or the signal aborts, and an `auth` error without a status if there is
   * no token and the user may not be asked.
   */
  async use<T>(need: Need, send: (token: string | undefined) => Promise<T>): Promise<T> {
    const tried: Tried = { ...need, asked: false, refusals: new Map() };
    for (;;) {
      const grant = await this.#next(tried);
      try {
        return await send(grant.token);
      } catch (error) {
        if (!isPlatformError(error, 'auth') && !isPlatformError(error, 'forbidden')) throw error;
        tried.lastRefusal = error;
        await this.#refuse(grant, tried);
      }
    }
  }

  /** Asks the user for another secret or token, even if there is one; resolves to `false` if the user closes the form. */
  async change(): Promise<boolean> {
    return (await this.#asking.run(() => this.#ask('nothing'))) !== undefined;
  }

  async #next(tried: Tried): Promise<Grant> {
    if (tried.signal?.aborted) throw abortReason(tried.signal);
    const refusals = [...tried.refusals.values()].reduce((sum, each) => sum + each, 0);
    if (refusals >= mostRefusals) throw tried.lastRefusal ?? noToken();
    const found = this.#current() ?? (await this.#waited(tried, this.#find()));
    if (found) return found;
    if (!tried.mayAsk || tried.asked) throw tried.lastRefusal ?? noToken();
    tried.asked = true;
    const given = await this.#waited(
      tried,
      this.#asking.run(() => this.#ask(this.#reason)),
    );
    if (!given) throw new CancelledError();
    // Another request may have used the token first, and the server may have refused it.
    return this.#current() ?? this.#next(tried);
  }

  /** Shares a running search with all requests. Its token may have been refused meanwhile, so the next step checks that. */
  #find(): Promise<Grant | undefined> {
    return this.#finding.run(() => this.#search());
  }

  async #waited<T>({ signal }: Need, work: Promise<T>): Promise<T> {
    return signal ? abortable(work, signal) : work;
  }

  #current(): Grant | undefined {
    const grant = this.#grant;
    return grant && this.#isTimely(grant.expiresAt) && !this.#wasRefused(grant.token) ? grant : undefined;
  }

  #isTimely(expiresAt: number | undefined): boolean {
    return expiresAt === undefined || expiresAt - this.#ports.clock.now() > marginMs;
  }

  #wasRefused(token: string | undefined): boolean {
    return token !== undefined && this.#refused.has(token);
  }

  async #search(): Promise<Grant | undefined> {
    for (const source of sources) {
      if ((this.#pausedUntil.get(source) ?? 0) > this.#ports.clock.now()) continue;
      const grant = await this.#from(source);
      if (!grant) continue;
      if (this.#wasRefused(grant.token)) {
        this.#pause(source);
        continue;
      }
      this.#grant = grant;
      return grant;
    }
    return undefined;
  }

  async #from(source: Source): Promise<Grant | undefined> {
    switch (source) {
      case 'issued': {
        const issued = await this.#ports.issue();
        return issued && issued.token !== '' ? granted(source, issued.token, issued.expiresAt) : undefined;
      }
      case 'secret': {
        const secret = await this.#ports.read('secret');
        return secret === undefined || secret === '' ? undefined : granted(source, await this.#ports.mint(secret));
      }
      case 'token':
        return (await this.#keptToken()) ?? this.#earlierToken();
      case 'none':
        if (await this.#ports.test(undefined)) return granted(source, undefined);
        this.#pause(source);
        return undefined;
      default:
        return source satisfies never;
    }
  }

  async #keptToken(): Promise<Grant | undefined> {
    const token = await this.#ports.read('token');
    if (token === undefined) return undefined;
    const grant = granted('token', token);
    if (token !== '' && this.#isTimely(grant.expiresAt)) return grant;
    await this.#dropKept('token', 'expired');
    return undefined;
  }

  /** Tests a token of an earlier version once; then stores it like any other token, or drops it. */
  async #earlierToken(): Promise<Grant | undefined> {
    const token = await this.#ports.read('earlier');
    if (token === undefined) return undefined;
    const grant = granted('token', token);
    const isGood = token !== '' && this.#isTimely(grant.expiresAt) && (await this.#ports.test(token));
    if (isGood) await this.#ports.keep({ kind: 'token', value: token });
    await this.#ports.drop('earlier');
    return isGood ? grant : undefined;
  }

  /** Drops a refused grant; throws the refusal if its cause is the request and not the token. */
  async #refuse({ source, token }: Grant, { refusals, lastRefusal }: Tried): Promise<void> {
    const times = (refusals.get(source) ?? 0) + 1;
    refusals.set(source, times);
    if (token !== undefined) this.#refused.add(token);
    if (this.#grant?.token === token) this.#grant = undefined;
    if (source === 'none') this.#pause(source);
    else if (source === 'token') await this.#dropRefused(source, token);
    // After the first refusal, the source provides another token.
    else if (times > 1) {
      const secret = source === 'secret' ? await this.#ports.read(source) : undefined;
      if (await this.#isGood(source)) throw lastRefusal ?? noToken();
      if (source === 'issued' || (await this.#dropRefused(source, secret))) this.#pause(source);
    }
  }

  /** Drops a stored credential, unless the user has entered another one meanwhile. Resolves to whether it is gone. */
  async #dropRefused(kind: QueryCredential['kind'], value: string | undefined): Promise<boolean> {
    if ((await this.#ports.read(kind)) !== value) return false;
    await this.#dropKept(kind, 'refused');
    return true;
  }

  async #dropKept(kind: QueryCredential['kind'], reason: AskReason): Promise<void> {
    this.#reason = reason;
    await this.#ports.drop(kind);
  }

  /**
   * Resolves to whether the server accepts another token of a source whose tokens were refused: then the tokens were not the
   * cause.
   */
  async #isGood(source: 'issued' | 'secret'): Promise<boolean> {
    const grant = await this.#from(source);
    if (grant?.token === undefined || this.#wasRefused(grant.token)) return false;
    if (await this.#ports.test(grant.token)) {
      this.#grant ??= grant;
      return true;
    }
    this.#refused.add(grant.token);
    return false;
  }

  #pause(source: Source): void {
    this.#pausedUntil.set(source, this.#ports.clock.now() + pauseMs);
  }

  async #ask(reason: AskReason): Promise<Grant | undefined> {
    let accepted: Grant | undefined;
    await this.#ports.ask(reason, async (typed, signal) => {
      const checked = await this.#check(typed.trim(), signal);
      if (typeof checked === 'string') return checked;
      accepted = checked;
      return undefined;
    });
    if (!accepted) return undefined;
    this.#grant = accepted;
    this.#reason = 'nothing';
    this.#pausedUntil.delete(accepted.source);
    return accepted;
  }

  /** Resolves to a grant for the user's input after testing and storing it, or to the reason why it cannot be used. */
  async #check(typed: string, signal: AbortSignal): Promise<Grant | string> {
    if (typed === '') return 'Enter the API secret or a token.';
    const kind = isJwt(typed) ? 'token' : 'secret';
    const token = kind === 'token' ? typed : await this.#ports.mint(typed);
    const grant = granted(kind, token);
    if (!this.#isTimely(grant.expiresAt)) return 'This token has expired. Enter the API secret or another token.';
    if (this.#wasRefused(token)) return refusal(kind);
    try {
      if (!(await this.#ports.test(token, signal))) {
        this.#refused.add(token);
        return refusal(kind);
      }
    } catch (error) {
      if (isCancelled(error) || signal.aborted) throw error;
      return `It could not be tested, so it was not stored. ${asError(error).message}`;
    }
    if (signal.aborted) throw new CancelledError();
    await this.#ports.keep({ kind, value: typed });
    return grant;
  }
}

function granted(source: Source, token: string | undefined, expiresAt?: number): Grant {
  return { source, token, expiresAt: expiresAt ?? (token === undefined ? undefined : expiryOf(token)) };
}

function refusal(kind: QueryCredential['kind']): string {
  return kind === 'token'
    ? 'The server refused this token. Enter the API secret or another token.'
    : 'The server refused a token that was signed with this secret. Check that it is the value of CUBEJS_API_SECRET.';
}
