import type { ResponseError } from 'vscode-languageserver';
import type { OpenedQuery } from './query-files.ts';
import type { Opened } from './workspace.ts';

/** Whether a request was given up. */
export interface Token {
  readonly isCancellationRequested: boolean;
}

/** What a request about a file names. */
export type Document = { readonly textDocument: { readonly uri: string } };

/** An answer that fails with nothing, of a request beyond files. */
export type Guard = <P, R>(
  name: string,
  empty: R,
  run: (params: P) => R,
) => (params: P, token: Token) => Promise<R | ResponseError>;

/** Answers for a file of a model, and where the request has a meaning in query files, for one of these. */
export type InFile = <P extends Document, R>(
  name: string,
  empty: R,
  run: (opened: Opened, params: P) => R,
  inQuery?: (opened: OpenedQuery, params: P) => R,
) => (params: P, token: Token) => Promise<R | ResponseError>;
