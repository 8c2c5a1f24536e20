import { type Connection, LSPErrorCodes, ResponseError, type SemanticTokens } from 'vscode-languageserver';
import type { OpenDocuments } from '#language-server/documents/documents.ts';
import type { LanguageHost } from '#language-server/host.ts';
import { tokensIn } from '#language-server/ide/tokens/semantic-tokens.ts';
import type { Document, Guard, InFile } from './request-guards.ts';
import { prepareTokens, TokenCache } from './token-cache.ts';
import { normalizeUri } from '#language-server/documents/uris.ts';
import type { Opened, Workspace } from '#language-server/workspace/workspace.ts';

export interface TokenNeeds {
  readonly workspace: Workspace;
  readonly documents: Pick<OpenDocuments, 'onDidClose'>;
  readonly host: LanguageHost;
}

/** Handles requests for semantic tokens: of a whole document, of what changed in it, and of some of its lines. */
export function registerTokens(
  connection: Connection,
  { workspace, documents, host }: TokenNeeds,
  inFile: InFile,
  guard: Guard,
): void {
  const tokens = new TokenCache();
  documents.onDidClose((uri) => tokens.forget(uri));
  const colours = <P extends Document, R>(name: string, answer: (opened: Opened, params: P) => R) =>
    guard<P, R | SemanticTokens>(name, { data: [] }, async (params, token) => {
      const open = (): Opened | undefined => workspace.get(normalizeUri(params.textDocument.uri));
      await prepareTokens(open, host, () => token.isCancellationRequested);
      if (token.isCancellationRequested) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'Cancelled');
      const opened = open();
      return opened ? answer(opened, params) : { data: [] };
    });
  const { semanticTokens } = connection.languages;
  semanticTokens.on(colours('semanticTokens', (opened) => tokens.full(opened)));
  semanticTokens.onDelta(
    colours('semanticTokensDelta', (opened, { previousResultId }) => tokens.delta(opened, previousResultId)),
  );
  semanticTokens.onRange(inFile('semanticTokensRange', { data: [] }, (opened, { range }) => tokensIn(opened, range)));
}
