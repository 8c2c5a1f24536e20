import { abortable } from '#base/async.ts';
import { originOf } from '#base/origin.ts';
import ky, { isNetworkError } from 'ky';
import { cancelBody } from './answer.ts';
import { authorize, type Credential } from './credential.ts';
import { isPlatformError, PlatformError } from '#api/errors.ts';
import { addressName, type CallFacts, cancelledError, invalidResponse, networkError, timeoutError } from './failure.ts';
import type { Outgoing } from './request.ts';

export type Fetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

export interface Sending<T> {
  readonly facts: CallFacts;
  readonly request: Outgoing;
  readonly credential: Credential;
  /** The caller's additional headers. */
  readonly headers: Headers;
  readonly fetch: Fetch;
  /** For the whole attempt, including the reading. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  readonly read: (response: Response, signal: AbortSignal) => Promise<T>;
}

const maxRedirects = 5;

/** Sends a request once, follows redirects to the same origin and reads the response, all within the timeout. */
export async function sendOnce<T>(sending: Sending<T>): Promise<{ readonly response: Response; readonly value: T }> {
  const { facts, timeoutMs, signal: caller } = sending;
  if (caller?.aborted) throw cancelledError(facts);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), Math.min(timeoutMs, 2 ** 31 - 1));
  const signal = caller ? AbortSignal.any([caller, timeout.signal]) : timeout.signal;
  try {
    const response = await followed(sending, signal);
    return { response, value: await sending.read(response, signal) };
  } catch (error) {
    if (isPlatformError(error)) throw error;
    if (caller?.aborted) throw cancelledError(facts);
    if (timeout.signal.aborted) throw timeoutError(facts, timeoutMs);
    // Keep only the innermost error: ky's own contain the request, and with it the key.
    throw networkError(facts, isNetworkError(error) ? error.cause : error);
  } finally {
    clearTimeout(timer);
  }
}

async function followed<T>(sending: Sending<T>, signal: AbortSignal): Promise<Response> {
  let { url } = sending.request;
  let method: string = sending.facts.op.method;
  for (let hop = 0; hop <= maxRedirects; hop++) {
    const response = await exchanged(sending, url, method, signal);
    if (!isRedirect(response)) return response;
    cancelBody(response);
    const next = redirectTarget(sending.facts, url, response);
    method = methodAfter(sending.facts, response.status, method);
    url = next;
  }
  throw badRedirect(sending.facts, 'in a circle');
}

function exchanged<T>(sending: Sending<T>, url: URL, method: string, signal: AbortSignal): Promise<Response> {
  const { facts, request } = sending;
  const headers = new Headers(request.headers);
  sending.headers.forEach((value, name) => headers.set(name, value));
  headers.set('x-request-id', facts.requestId);
  authorize(headers, sending.credential, facts.op, url);
  const body = method === 'GET' ? undefined : request.body();
  const response = ky(url, {
    method,
    headers,
    ...(body === undefined ? {} : { body }),
    fetch: sending.fetch,
    redirect: 'manual',
    // The client handles retries, timeouts and statuses itself: they need its clock, its log and its errors.
    retry: 0,
    timeout: false,
    throwHttpErrors: false,
    signal,
  });
  return abortable(Promise.resolve(response), signal);
}

function isRedirect(response: Response): boolean {
  return response.type === 'opaqueredirect' || [301, 302, 303, 307, 308].includes(response.status);
}

/**
 * Returns the target of a redirect; throws `insecure` for another origin and for addresses with a user name, which must
 * not get the key.
 */
function redirectTarget(facts: CallFacts, from: URL, response: Response): URL {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from)) {
    throw badRedirect(facts, 'without saying where to');
  }
  const target = new URL(location, from);
  const hasUser = target.username !== '' || target.password !== '';
  if (originOf(target) === from.origin && !hasUser) return target;
  const leadsTo = hasUser ? 'an address that holds a user name or password' : `${target.protocol}//${target.host}`;
  throw new PlatformError({
    kind: 'insecure',
    operation: facts.op.id,
    status: response.status,
    requestId: facts.requestId,
    message: `${from.host} redirects to ${leadsTo}, where the key must not go, so it was not followed. If that is the right address, use it as ${addressName(facts.op)}.`,
  });
}

/**
 * Returns the method after a redirect: 307 and 308 keep it, 303 asks for a GET (RFC 9110 15.4). Throws if any other
 * redirect would turn a change into another request.
 */
function methodAfter(facts: CallFacts, status: number, method: string): string {
  if (method === 'GET' || status === 307 || status === 308) return method;
  if (status === 303) return 'GET';
  throw badRedirect(facts, 'a change to another address, so it was not followed');
}

function badRedirect(facts: CallFacts, how: string): PlatformError {
  return invalidResponse(facts, `the server redirects ${how}. Check ${addressName(facts.op)}.`);
}
