import type * as v from 'valibot';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A part of a request or answer that is checked against a schema; the parsed form may differ from what was written. */
type Schema = v.GenericSchema<unknown, unknown>;

/** What the answer's body is. `none`: 204 or a body that carries nothing of use. */
export type AnswerKind = 'json' | 'none' | 'csv' | 'ndjson';

/**
 * One operation of the platform: the only place that knows its method, path and shapes. Its page is the section of
 * docs/platform-api.md or docs/chat.md that has its id. The typed client, the local platform's routes, the OpenAPI description and the API explorer all read it.
 *
 * Request schemas are strict (a wrong request never leaves the client, and the local platform answers it with 400);
 * answer schemas are tolerant (unknown fields pass, missing optional ones default).
 */
export interface Operation<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema | undefined = Schema | undefined,
> {
  /** The documented name, for example `listDeployments`; the pages about the APIs have a section of this name. */
  readonly id: string;
  readonly method: HttpMethod;
  /** As documented, trailing slash included; `{name}` are the keys of `params`. */
  readonly path: string;
  readonly tag: string;
  /** One sentence that starts with a verb. */
  readonly summary: string;
  /** Optional: only offered when the served description lists it (docs/platform-api.md#capabilities). */
  readonly described?: true;
  /**
   * Safe to send again when no answer came; by default GET, PUT and DELETE are. False for what replaces a whole that was read
   * before: sent again after a pause, it would undo what others changed meanwhile.
   */
  readonly idempotent?: boolean;
  /** The answer reports the outcome of each item: a “2xx” whose answer is cut off does not say that all was done. */
  readonly reportsEach?: true;
  /** How many times longer than others it may take: merges, clones, whole models, and code that runs on the server. */
  readonly patience?: number;
  /** `chat` operations use the chat base URL and its own authentication; `data`: those of an environment or a Cube Core server. */
  readonly host?: 'platform' | 'chat' | 'data';
  /**
   * The body is a document that was read, edited and is written back: the client sends it as it is, because a platform may
   * serve fields that are not documented.
   */
  readonly roundTrip?: true;
  /**
   * The documented API does not show this body, so that its names are our guess: the client sends it under the names of the server’s
   * own description, and leaves the judgement to the server.
   */
  readonly guessedBody?: true;
  /** Sent without any credential (signing in). */
  readonly anonymous?: true;
  /** `multipart`: the body is sent as form data (upload of a file); `form`: URL-encoded (RFC 8628). */
  readonly encoding?: 'json' | 'multipart' | 'form';
  readonly answerKind: AnswerKind;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** The `patience` of what takes the server long: with the usual limits, two minutes. */
export const slow = 4;

/** Keeps the literal schema types of one operation. */
export function operation<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
>(
  spec: Omit<Operation<Params, Query, Body, Answer>, 'params' | 'query' | 'body' | 'answer'> & {
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly answer?: Answer;
  },
): Operation<Params, Query, Body, Answer> {
  return {
    ...spec,
    params: spec.params as Params,
    query: spec.query as Query,
    body: spec.body as Body,
    answer: spec.answer as Answer,
  };
}

type In<S> = S extends Schema ? v.InferInput<S> : never;
type InputOf<Name extends string, S> = S extends Schema
  ? undefined extends In<S>
    ? { readonly [K in Name]?: In<S> }
    : Record<string, never> extends In<S>
      ? { readonly [K in Name]?: In<S> }
      : { readonly [K in Name]: In<S> }
  : object;

/** What a caller passes for an operation: `params`, `query` and `body`, each only where the operation has one. */
export type RequestOf<Op extends Operation> = InputOf<'params', Op['params']> &
  InputOf<'query', Op['query']> &
  InputOf<'body', Op['body']>;

/** What an operation answers, parsed; `undefined` where there is no body. */
export type AnswerOf<Op extends Operation> = Op['answer'] extends Schema ? v.InferOutput<Op['answer']> : undefined;
