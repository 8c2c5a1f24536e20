import type { ContentfulStatusCode } from 'hono/utils/http-status';

/** A request that the platform answers with an error: status, message in plain English, further properties of the body. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: ContentfulStatusCode;
  readonly extra: Readonly<Record<string, unknown>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: ContentfulStatusCode,
    message: string,
    extra: Readonly<Record<string, unknown>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.extra = extra;
    this.headers = headers;
  }
}

/** 400: the request is wrong; an error body holds nothing but `error` (docs/platform-api.md#lists), so the message names the field. */
export const invalid = (message: string): Refusal => new Refusal(400, message);

export const forbidden = (message: string): Refusal => new Refusal(403, message);

export const notFound = (what: string): Refusal => new Refusal(404, `${what} was not found.`);

/** 409: the state of things does not allow it; with the conflicting paths where there are any. */
export const conflict = (message: string, conflicts?: readonly string[]): Refusal =>
  new Refusal(409, message, conflicts === undefined ? {} : { conflicts });
