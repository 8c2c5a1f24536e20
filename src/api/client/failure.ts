import { codeOf } from '#base/system-error.ts';
import { quotedEnd } from '#base/words.ts';
import type { CredentialRedactor } from './credential.ts';
import { PlatformError, type PlatformErrorKind, type RefusalReason } from '#api/errors.ts';
import type { NamedOperation, Operation } from '#api/operation.ts';
import type { Proxy } from './proxy.ts';
import { messageOf, type Refusal, refusalOf } from './refusal.ts';
import { isIdempotent, pauseText, retryAfterSeconds } from './retry.ts';
import { isObject } from '#api/schema.ts';
import { isHtml } from './web-page.ts';

/** The facts that every error of one call needs. */
export interface CallFacts {
  readonly op: Operation;
  readonly requestId: string;
  readonly redactor: CredentialRedactor;
  /** The host of the request, for messages. */
  readonly host: string;
  /** The proxy in front of it. */
  readonly proxy?: Proxy | undefined;
}

/** The facts with the proxy that may have answered instead of the server, as `via` names it; empty if none did. */
type NamedFacts = CallFacts & { readonly through: string };

/** Creates the error for a response outside 2xx; `body` is its parsed JSON, or its text. */
export function statusError(facts: CallFacts, response: Response, body: unknown, now: number): PlatformError {
  const clean = facts.redactor.json(body);
  const serverMessage = messageOf(clean);
  const refusal = refusalOf(response.status, clean, serverMessage, facts.op.host === 'chat');
  const retryAfter = retryAfterSeconds(response.headers.get('retry-after'), timeOf(response, now));
  const requestId = serverRequestId(facts, response) ?? facts.requestId;
  // Only what the platform did not say itself may come from a proxy.
  const isOfPlatform = isObject(clean) || (response.status < 500 && !isHtml(response));
  const named = { ...facts, requestId, through: isOfPlatform ? '' : via(facts) };
  const message = failureText(refusal, named, response.status, serverMessage, retryAfter);
  const field = isObject(clean) && typeof clean['field'] === 'string' ? clean['field'] : undefined;
  return new PlatformError({
    kind: refusal.kind,
    operation: facts.op.id,
    status: response.status,
    message,
    advice: adviceOf(message),
    retryable: refusal.kind === 'rateLimit' || (response.status >= 500 && response.status !== 501),
    retryAfter,
    field,
    body: clean,
    requestId,
    reason: refusal.reason,
    // A server that says when to come back has not done anything yet.
    mayBeDone:
      response.status === 408 || (response.status >= 500 && response.status !== 501 && retryAfter === undefined),
  });
}

/** Returns the sentence at the end of a message that says when to try again; `undefined` if there is none. */
function adviceOf(message: string): string | undefined {
  return /\bTry again(?: later| in [\w ]+)?\.$/.exec(message)?.[0];
}

/** Returns the time of the response by the server's clock if it sends one: ours may be hours off. */
function timeOf({ headers }: Response, now: number): number {
  const serverTime = Date.parse(headers.get('date') ?? '');
  return Number.isNaN(serverTime) ? now : serverTime;
}

/** Returns the id under which the server logged the request, if it chose its own. */
function serverRequestId(facts: CallFacts, response: Response): string | undefined {
  const id = response.headers.get('x-request-id') ?? response.headers.get('request-id');
  return id !== null && /^[\w.:-]{1,100}$/.test(id) ? facts.redactor.text(id) : undefined;
}

function failureText(
  refusal: Refusal,
  facts: NamedFacts,
  status: number,
  serverMessage: string | undefined,
  retryAfter: number | undefined,
): string {
  const { op, requestId, through } = facts;
  if (op.texts && status !== 407) {
    const host = facts.host + through;
    return op.texts.failure({ host, kind: refusal.kind, status, requestId, serverMessage, retryAfter });
  }
  const lead = sentence(refusal, facts, status, retryAfter);
  if (lead !== undefined) return serverMessage === undefined ? lead : quoting(lead, serverMessage);
  // Servers phrase one refusal in many ways and with different statuses: their message comes first, and our
  // interpretation is only a hint.
  const refused = `The platform${through} refused ${plainName(facts.op)} (status ${status})${serverMessage === undefined ? '.' : `: ${quotedEnd(serverMessage)}`}`;
  return `${refused} ${hint(refusal, facts.op, status)}`;
}

/** Inserts the server’s own message between what happened and what to do about it. */
export function quoting(lead: string, serverMessage: string): string {
  const end = lead.indexOf('. ');
  const [happened, next] = end < 0 ? [lead.replace(/\.$/, ''), ''] : [lead.slice(0, end), lead.slice(end + 1)];
  const quoted = `“${serverMessage.replace(/\.$/, '')}”`;
  return `${happened}${happened.includes(':') ? ` (${quoted})` : `: ${quoted}`}.${next}`;
}

/** Returns the sentence for a status, or for an exact documented message, that is certain; `undefined` for other refusals. */
function sentence(
  { kind, reason }: Refusal,
  facts: NamedFacts,
  status: number,
  retryAfter: number | undefined,
): string | undefined {
  const known = reason === undefined ? undefined : refusalHints[reason];
  if (known !== undefined) return known;
  if (status === 407) return proxyLogin(facts.proxy);
  const id = plainName(facts.op);
  const platform = `The platform${facts.through}`;
  const chat = facts.op.host === 'chat' && status !== 402 ? chatHints[kind] : undefined;
  if (chat !== undefined) return chat;
  switch (kind) {
    case 'auth':
      return `${platform} does not accept this API key or token: it is wrong or has expired. Sign in again.`;
    case 'notFound':
      return `${platform} does not know what ${id} asks for. It may have been deleted or renamed: refresh and try again.`;
    case 'rateLimit':
      return `${platform} asks to slow down (${id}). Try again ${pauseText(retryAfter)}.`;
    case 'timeout':
      return `${platform} gave up waiting (${id}). Try again.`;
    case 'server':
      return `${platform} failed on ${id} (status ${status}, request ${facts.requestId}). Try again later.`;
    case 'invalidResponse':
      return `${platform} gave an unexpected answer to ${id} (status ${status}). Check ${addressName(facts.op)}.`;
    default:
      return undefined;
  }
}

/** The chat has its own credentials, agents and threads (docs/chat.md#requests, docs/chat.md#credentials). */
const chatHints: Partial<Record<PlatformErrorKind, string>> = {
  auth: 'The chat does not accept this API key or token: it is wrong or has expired. Check the credential of the chat.',
  forbidden:
    'The chat thread belongs to someone else, or this credential may not use this agent. Start a new thread, or check the credential.',
  notFound: 'The chat does not know this account, agent or thread. Check the Chat API URL, or start a new thread.',
};

const refusalHints: Partial<Record<RefusalReason, string>> = {
  threadBusy: 'This thread is still answering. Wait for the answer or stop it first.',
  gitConflict: 'The same lines were changed on both sides. Resolve the conflicts, then try again.',
  agentRequired: 'An API key needs the agent form of the Chat API URL. Use the URL of an agent, or a service token.',
};

function hint({ kind, reason }: Refusal, op: Operation, status: number): string {
  const known = reason === undefined ? undefined : reasonHints[reason];
  if (known !== undefined) return known;
  if (op.host === 'chat') return chatAdvice[status] ?? 'Ask again later.';
  if (status === 412) return 'Refresh or pull, then try again.';
  switch (kind) {
    case 'forbidden':
      return 'If the key lacks a permission, use one that covers this deployment, or ask an administrator.';
    case 'invalidRequest':
      return 'Check the values and try again.';
    default:
      return 'Refresh, then try again.';
  }
}

const changeQuestion = 'Change the question and ask again.';
const checkUrl = 'Check the Chat API URL.';
const newThread = 'Ask again later, or in a new thread.';
/** What helps in the chat, by status. */
const chatAdvice: Partial<Record<number, string>> = {
  400: changeQuestion,
  402: 'Ask an administrator about the plan of this account.',
  405: checkUrl,
  406: checkUrl,
  409: newThread,
  411: checkUrl,
  413: changeQuestion,
  414: changeQuestion,
  415: checkUrl,
  421: checkUrl,
  422: changeQuestion,
  423: newThread,
  426: checkUrl,
  431: changeQuestion,
};

/** Hints that are true whatever the server meant. */
const reasonHints: Partial<Record<RefusalReason, string>> = {
  readOnlyBranch: 'If this branch is not an active dev branch, start dev mode on it and try again.',
  othersBranch: 'If the dev branch is not yours, start dev mode on its parent branch.',
  stagingNotAllowed: 'Only shared branches can have a staging environment.',
  uncommittedWork: 'If the branch has uncommitted changes, commit them first.',
  parentMoved: 'If the parent branch has moved on, pull it first.',
  outOfScope: 'If the key is limited to other deployments, use one that covers this deployment.',
};

/** Creates the error for an operation that the server's description does not list. */
export function unsupportedError(op: NamedOperation): PlatformError {
  return new PlatformError({
    kind: 'unsupported',
    operation: op.id,
    message: `This server does not offer ${plainName(op)}: its API description does not list it.`,
  });
}

/** Returns an operation's name for users: `listDeployments` is “list deployments”; the log has the id. */
export function plainName({ id, texts }: NamedOperation): string {
  if (texts) return texts.request;
  if (id.startsWith('streamChat')) return '“ask the agent”';
  if (id.startsWith('abortChat')) return '“stop the answer”';
  return `“${id.replaceAll(/([a-z\d])([A-Z])/g, '$1 $2').toLowerCase()}”`;
}

/**
 * Creates the error for a call without a response. `thrown` may contain the request and its key, so it is never stored
 * as is.
 */
export function networkError(facts: CallFacts, thrown: unknown): PlatformError {
  const { code, text, port } = rootOf(thrown);
  const message = networkText(`${code} ${text}`, facts, proxyInvolved(facts.proxy, port));
  return new PlatformError({
    kind: 'network',
    operation: facts.op.id,
    message,
    advice: message.slice(message.indexOf('. ') + 2),
    retryable: isIdempotent(facts.op) && !isCertificate(`${code} ${text}`),
    requestId: facts.requestId,
    mayBeDone: !neverSent.test(`${code} ${text}`) && !isCertificate(`${code} ${text}`),
    cause: new Error(facts.redactor.text([code, text].filter((part) => part !== '').join(': '))),
  });
}

interface Root {
  readonly code: string;
  readonly text: string;
  /** The port that refused the connection, if the runtime reports it. */
  readonly port: number | undefined;
}

/** Returns the proxy, unless the failed connection was to another port. */
function proxyInvolved(proxy: Proxy | undefined, port: number | undefined): Proxy | undefined {
  return port === undefined || proxy?.host.endsWith(`:${port}`) ? proxy : undefined;
}

/** Returns the innermost error, which has the reason: `fetch failed` around it does not. */
function rootOf(thrown: unknown): Root {
  let root: Root = { code: '', text: '', port: undefined };
  let error: unknown = thrown;
  for (let depth = 0; depth < 8 && error instanceof Error; depth++) {
    const code = codeOf(error);
    const port: unknown = 'port' in error ? error.port : undefined;
    root = {
      code: code === '' ? root.code : code,
      text: error.message,
      port: typeof port === 'number' ? port : root.port,
    };
    error = error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error.cause;
  }
  return root;
}

function isCertificate(found: string): boolean {
  return /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS|ERR_SSL/.test(found);
}

/** Returns the user-facing name of the address that an operation uses. */
export function addressName({ host }: Pick<Operation, 'host'>): string {
  if (host === 'data') return 'the address where queries run';
  return host === 'chat' ? 'the Chat API URL' : 'the tenant URL';
}

/** Errors after which the request cannot have reached the platform. */
const neverSent = /ENOTFOUND|EAI_AGAIN|NAME_NOT_RESOLVED|ECONNREFUSED|CONNECTION_REFUSED/;

/** Names the proxy between a server and the extension, after the name of the server: either may have caused a failure. */
function via({ proxy }: Pick<CallFacts, 'proxy'>): string {
  return proxy ? ` (through the proxy ${proxy.host}, from ${proxy.from})` : '';
}

function networkText(found: string, facts: CallFacts, proxy: Proxy | undefined): string {
  const { host, op } = facts;
  const address = addressName(op);
  if (/WRONG_VERSION_NUMBER|SSL_PROTOCOL_ERROR/.test(found)) {
    return `${host}${via(facts)} does not use HTTPS. Check ${address}: that of a server without HTTPS begins with http://.`;
  }
  if (/NO_APPLICATION_PROTOCOL|HPE_INVALID|HTTP\/1\.1/.test(found)) {
    return `${host}${via(facts)} does not use HTTP/1.1. Check ${address}, or let the server or a proxy in front of it accept HTTP/1.1.`;
  }
  if (isCertificate(found)) {
    return `The certificate of ${host}${via(facts)} is not trusted. Check ${address}, or add the certificate to the system's trusted ones.`;
  }
  if (proxy) return proxyText(found, host, proxy);
  if (/ENOTFOUND|EAI_AGAIN|NAME_NOT_RESOLVED/.test(found)) {
    return `The host ${host} was not found. Check ${address} and the connection.`;
  }
  if (/ECONNREFUSED|CONNECTION_REFUSED/.test(found)) {
    return `${host} refused the connection. Check ${address} and whether the server runs.`;
  }
  if (/ECONNRESET|UND_ERR_SOCKET|terminated|EPIPE|CONNECTION_RESET|CONNECTION_CLOSED|other side closed/.test(found)) {
    return `The connection to ${host} broke. Check the connection and try again.`;
  }
  return `${host} could not be reached. Check the connection and the proxy settings, then try again.`;
}

/** Describes a failure with a proxy. It names the proxy, because the tenant URL and the server may be right. */
function proxyText(found: string, host: string, named: Proxy): string {
  const { host: proxy } = named;
  const check = checkProxy(named);
  if (/ENOTFOUND|EAI_AGAIN|NAME_NOT_RESOLVED/.test(found)) return `The proxy ${proxy} was not found. ${check}`;
  if (/ECONNREFUSED|CONNECTION_REFUSED/.test(found)) return `The proxy ${proxy} refused the connection. ${check}`;
  const status = /proxy(?:(?!proxy)\D)*\b([45]\d\d)\b/i.exec(found)?.[1];
  if (status === '407') return proxyLogin(named);
  if (status !== undefined) return `The proxy ${proxy} did not connect to ${host} (status ${status}). ${check}`;
  return `${host} could not be reached through the proxy ${proxy}. ${check}`;
}

function checkProxy({ from }: Proxy): string {
  return from === 'http.proxy' ? 'Check the setting http.proxy.' : `Check the environment variable ${from}.`;
}

/** Describes the refusal that only a proxy sends; `undefined`: nothing names one. */
function proxyLogin(proxy: Proxy | undefined): string {
  const asks = 'asks for a user name and password (status 407).';
  return proxy ? `The proxy ${proxy.host} ${asks} ${checkProxy(proxy)}` : `A proxy ${asks} Check the proxy settings.`;
}

/** Creates the error for a timeout; it is retryable if repeating the operation does no harm. */
export function timeoutError(facts: CallFacts, timeoutMs: number): PlatformError {
  const seconds = Math.max(1, Math.round(timeoutMs / 1000));
  const retryable = isIdempotent(facts.op);
  const next = retryable
    ? 'Try again; if that does not help, check the connection.'
    : 'It may have been done anyway: refresh and check before you try again.';
  return new PlatformError({
    kind: 'timeout',
    operation: facts.op.id,
    message: `${facts.host}${via(facts)} did not answer ${plainName(facts.op)} within ${seconds} s. ${next}`,
    advice: next,
    retryable,
    mayBeDone: true,
    requestId: facts.requestId,
  });
}

/** Creates the error for a call that the caller’s signal ended. */
export function cancelledError(facts: Pick<CallFacts, 'op' | 'requestId'>): PlatformError {
  return new PlatformError({
    kind: 'cancelled',
    operation: facts.op.id,
    message: `${plainName(facts.op)} was cancelled.`,
    requestId: facts.requestId,
  });
}

/** Creates the error for an unexpected response; `problem` describes it without quoting its contents. */
export function invalidResponse(facts: CallFacts, problem: string): PlatformError {
  return new PlatformError({
    kind: 'invalidResponse',
    operation: facts.op.id,
    message: `The answer to ${plainName(facts.op)} cannot be used: ${problem}`,
    advice: problem.includes('. ') ? problem.slice(problem.indexOf('. ') + 2) : undefined,
    requestId: facts.requestId,
  });
}
