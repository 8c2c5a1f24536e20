import { type Clock, systemClock } from '#base/clock.ts';
import type { Client } from '#api/client/client.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { isObject } from '#api/schema.ts';
import { pollDeviceSignIn, refreshSignIn, startDeviceSignIn } from './sign-in.ts';

/** The code that the user enters, and the address of the page for it. */
export interface DeviceCode {
  readonly userCode: string;
  readonly verificationUri: string;
  /** The address that includes the code, if the server has one. */
  readonly verificationUriComplete: string | undefined;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** The tokens that a browser sign-in returned (docs/platform-api.md#signing-in). */
export interface Tokens {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Milliseconds since the epoch, if the server reports it. */
  readonly expiresAt: number | undefined;
}

export interface DeviceSignInOptions {
  readonly clientId: string;
  /** Shows the code and the address to the user; the caller is responsible for copying and opening them. */
  readonly onCode: (code: DeviceCode) => void;
  readonly clock?: Clock | undefined;
  readonly signal?: AbortSignal | undefined;
}

const defaultIntervalSeconds = 5;
/** RFC 8628 3.5: `slow_down` permanently adds five seconds to the interval. */
const slowDownSeconds = 5;
const defaultLifetimeSeconds = 900;

/**
 * Signs in with a browser (RFC 8628, docs/platform-api.md#signing-in): requests a code, then polls until the user has
 * finished or refused, or the code expires. Throws `PlatformError`: `auth` when refused or expired, `notFound` or
 * `invalidResponse` if the server has no device flow, `cancelled`.
 */
export async function deviceSignIn(client: Client, options: DeviceSignInOptions): Promise<Tokens> {
  const { clientId, signal } = options;
  const clock = options.clock ?? systemClock;
  const started = await client.call(startDeviceSignIn, { body: { client_id: clientId } }, { signal });
  const expiresAt = clock.now() + (started.expiresIn ?? defaultLifetimeSeconds) * 1000;
  const { userCode, verificationUri, verificationUriComplete } = started;
  options.onCode({ userCode, verificationUri, verificationUriComplete, expiresAt });
  let interval = started.interval ?? defaultIntervalSeconds;
  for (;;) {
    await paused(clock, interval * 1000, signal);
    if (clock.now() >= expiresAt) throw refused('expired_token');
    const answer = await polled(client, clientId, started.deviceCode, signal);
    if (answer !== 'authorization_pending' && answer !== 'slow_down') return tokensOf(answer, clock.now());
    if (answer === 'slow_down') interval += slowDownSeconds;
  }
}

/**
 * Exchanges a refresh token for a new access token. If the server returns no new refresh token, the result contains the
 * old one.
 */
export async function refreshTokens(
  client: Client,
  refreshToken: string,
  options: {
    readonly clientId?: string | undefined;
    readonly clock?: Clock | undefined;
    readonly signal?: AbortSignal | undefined;
  } = {},
): Promise<Tokens> {
  const body = { grant_type: 'refresh_token', refresh_token: refreshToken, client_id: options.clientId } as const;
  const answer = await client.call(refreshSignIn, { body }, { signal: options.signal });
  const tokens = tokensOf(answer, (options.clock ?? systemClock).now());
  return { ...tokens, refreshToken: tokens.refreshToken ?? refreshToken };
}

interface TokenAnswer {
  readonly accessToken: string;
  readonly refreshToken?: string | undefined;
  readonly expiresIn?: number | undefined;
}

function tokensOf(answer: TokenAnswer, now: number): Tokens {
  const { accessToken, refreshToken, expiresIn } = answer;
  return { accessToken, refreshToken, expiresAt: expiresIn === undefined ? undefined : now + expiresIn * 1000 };
}

async function polled(
  client: Client,
  clientId: string,
  deviceCode: string,
  signal: AbortSignal | undefined,
): Promise<TokenAnswer | 'authorization_pending' | 'slow_down'> {
  const grant_type = 'urn:ietf:params:oauth:grant-type:device_code';
  try {
    return await client.call(
      pollDeviceSignIn,
      { body: { grant_type, device_code: deviceCode, client_id: clientId } },
      { signal },
    );
  } catch (error) {
    const code = isPlatformError(error) && isObject(error.body) ? error.body['error'] : undefined;
    if (code === 'authorization_pending' || code === 'slow_down') return code;
    // After a lost connection, poll again more slowly (RFC 8628 3.5).
    if (isPlatformError(error, 'network') || isPlatformError(error, 'timeout')) return 'slow_down';
    throw code === 'access_denied' || code === 'expired_token' ? refused(code) : error;
  }
}

async function paused(clock: Clock, ms: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await clock.sleep(ms, signal);
  } catch {
    throw new PlatformError({
      kind: 'cancelled',
      operation: pollDeviceSignIn.id,
      message: 'Signing in was cancelled.',
    });
  }
}

function refused(code: 'access_denied' | 'expired_token'): PlatformError {
  const message =
    code === 'access_denied'
      ? 'Signing in was refused in the browser. Sign in again to get a new code.'
      : 'The code expired before it was entered. Sign in again to get a new code.';
  return new PlatformError({ kind: 'auth', operation: pollDeviceSignIn.id, message });
}
