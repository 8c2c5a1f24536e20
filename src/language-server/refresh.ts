import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  InlayHintRefreshRequest,
  SemanticTokensRefreshRequest,
} from 'vscode-languageserver';

/** Makes the client ask again for what it shows of open documents and what other files decide; as far as it can. */
export function refreshViews(connection: Connection, workspace: ClientCapabilities['workspace']): void {
  const requests = [
    workspace?.codeLens?.refreshSupport ? CodeLensRefreshRequest.type : undefined,
    workspace?.inlayHint?.refreshSupport ? InlayHintRefreshRequest.type : undefined,
    workspace?.semanticTokens?.refreshSupport ? SemanticTokensRefreshRequest.type : undefined,
  ];
  for (const type of requests) {
    // The client may be on its way out; nothing depends on the answer.
    if (type) connection.sendRequest(type).catch(() => undefined);
  }
}
