import type { NamedOperation } from './documented.ts';

/** A request as modes see it. */
export interface Asked {
  /** Undefined: it is not documented. */
  readonly operation: NamedOperation | undefined;
  readonly url: URL;
  readonly headers: Headers;
  /** The body, where it is JSON. */
  readonly json: unknown;
}

/** An answer as modes see it: JSON, or (where `json` is undefined) a text. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly json: unknown;
  readonly text?: string;
}

/**
 * A way of answering that the documented API allows, beside that of the local platform itself: pure functions on requests and
 * answers, which look an operation up in the list of documented operations.
 */
export interface Mode {
  /** Another request, or the refusal that stands in the place of an answer. */
  readonly ask?: (asked: Asked) => Asked | Answered;
  readonly answer?: (operation: NamedOperation, answered: Answered) => Answered;
  /** What becomes of one line of NDJSON. */
  readonly line?: (operation: NamedOperation, line: unknown) => readonly unknown[];
}

/** A refusal as the documented API shows it (docs/platform-api.md#errors). */
export const refusal = (status: number, error: string): Answered => ({
  status,
  headers: new Headers({ 'content-type': 'application/json' }),
  json: { error },
});

export const isDone = ({ status }: Pick<Answered, 'status'>): boolean => status >= 200 && status < 300;
