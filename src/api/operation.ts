import type * as v from 'valibot';
import type { PlatformErrorKind } from './errors.ts';

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** A schema for a section of a request or response; the parsed form may differ from the input. */
type Schema = v.GenericSchema<unknown, unknown>;

/** The kind of response body. `none`: 204, or a body without useful content. */
export type AnswerKind = 'json' | 'none' | 'csv' | 'ndjson';

/**
 * One operation of the platform, and the only definition of its method, path and shapes. The section of
 * docs/platform-api.md or docs/chat.md with its id documents it. The typed client, the local platform's routes, the
 * OpenAPI description and the API explorer all use it.
 *
 * Request schemas are strict (an invalid request never leaves the client, and the local platform rejects it with 400);
 * response schemas are tolerant (unknown fields pass, missing optional ones default).
 */
export interface Operation<
  Params extends Schema | undefined = Schema | undefined,
  Query extends Schema | undefined = Schema | undefined,
  Body extends Schema | undefined = Schema | undefined,
  Answer extends Schema | undefined = Schema | undefined,
> {
  /** The documented name, for example `listDeployments`; the pages about the APIs have a section with this name. */
  readonly id: string;
  readonly method: HttpMethod;
  /** As documented, including a trailing slash; each `{name}` is a key of `params`. */
  readonly path: string;
  readonly tag: string;
  /** One sentence that starts with a verb. */
  readonly summary: string;
  /** Optional: only offered if the served description lists it (docs/platform-api.md#capabilities). */
  readonly described?: true;
  /**
   * Safe to send again without a response; by default GET, PUT and DELETE are. False for operations that replace a
   * whole that was read before: sent again after a pause, they would undo what others changed meanwhile.
   */
  readonly idempotent?: boolean;
  /** The response contains the outcome of each item: if it is cut off, a “2xx” does not mean that all items were done. */
  readonly reportsEach?: true;
  /** A factor for the time limit: for merges, clones, whole models, and code that runs on the server. */
  readonly timeoutFactor?: number;
  /**
   * `chat` operations use the chat base URL and its own authentication; `data`: those of an environment or a Cube Core
   * server.
   */
  readonly host?: 'platform' | 'chat' | 'data';
  /**
   * The body is a document that was read, edited and is written back: the client sends it unchanged, because a platform
   * may serve undocumented fields.
   */
  readonly roundTrip?: true;
  /**
   * This body is undocumented, so its field names are our guess: the client sends it with the names of the server’s own
   * description, and the server decides.
   */
  readonly guessedBody?: true;
  /** Sent without a credential (for signing in). */
  readonly anonymous?: true;
  /** `multipart`: the body is sent as form data (for a file upload); `form`: URL-encoded (RFC 8628). */
  readonly encoding?: 'json' | 'multipart' | 'form';
  readonly answerKind: AnswerKind;
  /** Parses the text of a JSON response; by default `JSON.parse`, which rounds numbers of many digits. */
  readonly parse?: (text: string) => unknown;
  /** What users read of it in place of its `id`; with the operation, so that only bundles that use it contain the texts. */
  readonly texts?: OperationTexts;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  readonly answer: Answer;
}

/** What users read of an operation. */
export interface OperationTexts {
  /** The request, as named in a sentence. */
  readonly request: string;
  /** Describes a response outside 2xx: what failed, why as far as that is known, and what to do. */
  readonly failure: (failure: OperationFailure) => string;
}

/** A response outside 2xx, for its description. */
export interface OperationFailure {
  readonly host: string;
  readonly kind: PlatformErrorKind;
  readonly status: number;
  readonly requestId: string;
  /** The server’s own message, if it has one. */
  readonly serverMessage: string | undefined;
  /** Seconds until the server accepts requests again. */
  readonly retryAfter: number | undefined;
}

/** An operation, as far as its name is needed. */
export type NamedOperation = Pick<Operation, 'id' | 'texts'>;

/** The `timeoutFactor` of operations that take the server long: with the usual limits, two minutes. */
export const slow = 4;

/** Defines an operation, with its literal schema types. */
export function operation<
  Params extends Schema | undefined = undefined,
  Query extends Schema | undefined = undefined,
  Body extends Schema | undefined = undefined,
  Answer extends Schema | undefined = undefined,
>(
  spec: Omit<Operation<Params, Query, Body, Answer>, 'answerKind' | 'params' | 'query' | 'body' | 'answer'> & {
    /** By default `json` with a schema of the answer, else `none`. */
    readonly answerKind?: AnswerKind;
    readonly params?: Params;
    readonly query?: Query;
    readonly body?: Body;
    readonly answer?: Answer;
  },
): Operation<Params, Query, Body, Answer> {
  return {
    ...spec,
    answerKind: spec.answerKind ?? (spec.answer ? 'json' : 'none'),
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

/** The input of an operation: `params`, `query` and `body`, if the operation has them. */
export type RequestOf<Op extends Operation> = InputOf<'params', Op['params']> &
  InputOf<'query', Op['query']> &
  InputOf<'body', Op['body']>;

/** The parsed response of an operation; `undefined` if it has no body. */
export type AnswerOf<Op extends Operation> = Op['answer'] extends Schema ? v.InferOutput<Op['answer']> : undefined;
