import type { Connection, ServerCapabilities } from 'vscode-languageserver';
import { asError } from '#base/async.ts';
import { documentSymbols } from './ide/symbols.ts';
import { hover } from './ide/hover.ts';
import { normalizeUri } from './uris.ts';
import type { Opened, Workspace } from './workspace.ts';

/** What the server says it can do. */
export function capabilities(): ServerCapabilities {
  return { hoverProvider: true, documentSymbolProvider: true };
}

/** Answers requests. A feature that throws answers with nothing and is logged: the server and the others go on. */
export function registerFeatures(connection: Connection, workspace: Workspace): void {
  const answer = <P extends { textDocument: { uri: string } }, R>(
    name: string,
    empty: R,
    run: (opened: Opened, params: P) => R,
  ): ((params: P) => R) => {
    return (params) => {
      const opened = workspace.get(normalizeUri(params.textDocument.uri));
      if (!opened) return empty;
      try {
        return run(opened, params);
      } catch (error) {
        connection.console.error(`${name} failed: ${asError(error).stack ?? ''}`);
        return empty;
      }
    };
  };
  connection.onHover(
    answer('hover', null, (opened, { position }) => hover(opened, opened.positions.offsetAt(position))),
  );
  connection.onDocumentSymbol(answer('documentSymbol', null, (opened) => documentSymbols(opened)));
}
