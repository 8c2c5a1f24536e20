import {
  type ClientCapabilities,
  CodeLensRefreshRequest,
  type Connection,
  InlayHintRefreshRequest,
  SemanticTokensRefreshRequest,
} from 'vscode-languageserver';

/** Makes the client refresh what it shows of open documents but other files determine, as far as it can. */
export function refreshViews(connection: Connection, workspace: ClientCapabilities['workspace']): void {
  const requests = [
    workspace?.codeLens?.refreshSupport ? CodeLensRefreshRequest.type : undefined,
    workspace?.inlayHint?.refreshSupport ? InlayHintRefreshRequest.type : undefined,
    workspace?.semanticTokens?.refreshSupport ? SemanticTokensRefreshRequest.type : undefined,
  ];
  for (const type of requests) {
    // The client may be shutting down; nothing depends on the answer.
    if (type) connection.sendRequest(type).catch(() => undefined);
  }
}
