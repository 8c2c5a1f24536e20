import type { ResponseError } from 'vscode-languageserver';
import type { OpenedQuery } from '#language-server/workspace/query-files.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** Whether a request was cancelled. */
export interface Cancellation {
  readonly isCancellationRequested: boolean;
}

/** The parameters of a request about a file. */
export type Document = { readonly textDocument: { readonly uri: string } };

/** Wraps a handler of a request that is not about one file: if it fails, the answer is `empty`. */
export type Guard = <P, R>(
  name: string,
  empty: R,
  run: (params: P, token: Cancellation) => R | Promise<R>,
) => (params: P, token: Cancellation) => Promise<R | ResponseError>;

/**
 * Wraps a handler of a request about a file of a model; `inQuery` handles it in query files, where the request has a meaning
 * there.
 */
export type InFile = <P extends Document, R>(
  name: string,
  empty: R,
  run: (opened: Opened, params: P) => R,
  inQuery?: (opened: OpenedQuery, params: P) => R,
) => (params: P, token: Cancellation) => Promise<R | ResponseError>;
