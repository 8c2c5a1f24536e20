import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { shortId } from '#shell/short-id.ts';
import { apiScheme } from '#shell/view-ids.ts';

/** A document of the API Explorer. `account` is the short id, `name` the operation's name in the catalogue. */
export type ApiDocument =
  | { readonly kind: 'request' | 'schema'; readonly account: string; readonly name: string }
  | { readonly kind: 'answer'; readonly account: string };

const requestEnding = '.request.json';

/** Returns the URI of an operation's request document. */
export function requestUri(accountId: string, name: string): vscode.Uri {
  return uriOf(`/${shortId(accountId)}/${name}${requestEnding}`);
}

/** Returns the URI of a request's JSON Schema; `account` is the short id. */
export function schemaUri(account: string, name: string): vscode.Uri {
  return uriOf(`/${account}/schema/${name}.json`);
}

/** Returns a new URI for every response; the title of its editor is `listReports 200.json`. */
export function answerUri(accountId: string, number: number, title: string): vscode.Uri {
  return uriOf(`/${shortId(accountId)}/answer/${number}/${title}`);
}

/** Parses a URI; `undefined` for one of another scheme or shape. */
export function apiDocument(uri: vscode.Uri): ApiDocument | undefined {
  if (uri.scheme !== apiScheme) return undefined;
  const [, account = '', first = '', second] = uri.path.split('/');
  if (first === 'schema' && second !== undefined) {
    return { kind: 'schema', account, name: second.replace(/\.json$/, '') };
  }
  if (first === 'answer') return { kind: 'answer', account };
  return first.endsWith(requestEnding)
    ? { kind: 'request', account, name: first.slice(0, -requestEnding.length) }
    : undefined;
}

const uriOf = (path: string): vscode.Uri => vscode.Uri.from({ scheme: apiScheme, path });
