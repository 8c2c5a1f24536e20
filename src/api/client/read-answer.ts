import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';
import {
  AnswerTooLargeError,
  cancelBody,
  isCut,
  jsonRpcError,
  parseJson,
  readText,
  isWebPage,
  webPageError,
} from './answer.ts';
import { changedError, isPlatformError, PlatformError } from '#api/errors.ts';
import { type CallFacts, invalidResponse, quoting, statusError } from './failure.ts';
import type { Operation } from '#api/operation.ts';
import { checkedAnswer } from './validation.ts';
import { isHtml } from './web-page.ts';

/** The maximum number of bytes read of an error response; the details that a user needs are in its first lines. */
const maxErrorBytes = 256 * 1024;

export interface Reading {
  readonly mode: 'read' | 'open';
  readonly maxBytes: number;
  readonly now: number;
}

/** Turns a response into the operation's answer (`read`), or checks it and returns it unread (`open`). */
export async function readAnswer(
  facts: CallFacts,
  response: Response,
  reading: Reading,
  signal: AbortSignal,
): Promise<unknown> {
  if (!response.ok) throw await failed(facts, response, reading, signal);
  if (isHtml(response)) {
    cancelBody(response);
    throw webPageError(facts);
  }
  if (reading.mode === 'open') return response;
  const isChange = facts.op.method !== 'GET' && (facts.op.host ?? 'platform') === 'platform';
  try {
    return await checkedBody(facts, response, reading, signal);
  } catch (error) {
    if (signal.aborted || isWebPage(error) || !isChange) throw error;
    return doneAllTheSame(facts.op, error);
  }
}

/**
 * Returns the answer of a change whose response cannot be read, because the change was made; throws if the status alone
 * does not show enough.
 */
function doneAllTheSame(op: Operation, error: unknown): unknown {
  const done = answerOfChange(op);
  if (done && !(op.reportsEach && isCut(error))) return done.answer;
  throw isPlatformError(error) ? changedError(error, { mayBeDone: true }) : error;
}

async function checkedBody(
  facts: CallFacts,
  response: Response,
  { maxBytes }: Reading,
  signal: AbortSignal,
): Promise<unknown> {
  const text = await bodyText(facts, response, maxBytes, signal);
  if (facts.op.host === 'chat') confirmed(facts, response.status, text);
  if (!facts.op.answer) return undefined;
  return checkedAnswer(facts.op, facts.op.answer, parseJson(facts, text), facts.requestId);
}

/**
 * Returns the answer of a change whose body cannot be read. Most changes promise only “2xx”, so the status alone shows
 * that the change was made: reporting it as failed would invite the user to make it twice. `undefined` if the answer is
 * needed.
 * @param seen what another reading of the platform found in place of the answer
 */
export function answerOfChange(op: Operation, seen: unknown = {}): { readonly answer: unknown } | undefined {
  if (!op.answer) return { answer: undefined };
  const read = v.safeParse(op.answer, seen);
  return read.success ? { answer: read.output } : undefined;
}

async function bodyText(facts: CallFacts, response: Response, maxBytes: number, signal: AbortSignal): Promise<string> {
  try {
    return await readText(response, maxBytes, signal);
  } catch (error) {
    if (!(error instanceof AnswerTooLargeError)) throw error;
    throw invalidResponse(
      facts,
      `it is larger than ${Math.round(maxBytes / 1024 / 1024)} MiB and was not read to its end. Ask for less (a smaller page or a filter).`,
    );
  }
}

async function failed(
  facts: CallFacts,
  response: Response,
  reading: Reading,
  signal: AbortSignal,
): Promise<PlatformError> {
  // A data API never refuses with a page: something in front of it did, which knows nothing about its tokens.
  if (facts.op.host === 'data' && response.status < 500 && isHtml(response)) {
    cancelBody(response);
    return webPageError(facts, response.status);
  }
  const text = await errorText(response, signal);
  return statusError(facts, response, parsedJson(text) ?? text, reading.now);
}

/**
 * Reads the body of an error response, which only adds to the status: one that is too long or breaks off is not another
 * error.
 */
async function errorText(response: Response, signal: AbortSignal): Promise<string> {
  try {
    return await readText(response, maxErrorBytes, signal);
  } catch (error) {
    if (signal.aborted) throw error;
    return '';
  }
}

const refusedCredential = 'The chat does not accept this API key or token. Check the credential of the chat.';

/**
 * Throws unless the status is 204, the only signal of success (docs/chat.md#abortchatbyagent); a wrong credential
 * returns 200 with a JSON-RPC error (docs/chat.md#errors).
 */
function confirmed(facts: CallFacts, status: number, text: string): void {
  if (status === 204) return;
  const error = jsonRpcError(parsedJson(text));
  if (!error) throw invalidResponse(facts, 'the chat did not confirm it. Try again.');
  const serverMessage = facts.redactor.text(error.message);
  throw new PlatformError({
    kind: 'auth',
    operation: facts.op.id,
    status,
    requestId: facts.requestId,
    message: serverMessage === '' ? refusedCredential : quoting(refusedCredential, serverMessage),
  });
}
