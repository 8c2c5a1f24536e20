import type { Middleware } from 'vscode-languageclient/node';
import { asError } from '#base/async.ts';
import { textOf } from '#base/user-text.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/**
 * Escapes names of the repository for which VS Code would show icons or links: in lenses, in lists of symbols, in suggestions and
 * in the notification about a refused rename.
 */
export const shownText: Middleware = {
  provideCodeLenses: async (document, token, next) => {
    const lenses = await next(document, token);
    return lenses?.map(lensWithPlainTitle);
  },
  resolveCodeLens: async (lens, token, next) => {
    const resolved = await next(lens, token);
    return resolved && lensWithPlainTitle(resolved);
  },
  provideWorkspaceSymbols: async (query, token, next) => {
    const symbols = await next(query, token);
    for (const symbol of symbols ?? []) symbol.name = textOf(symbol.name);
    return symbols;
  },
  provideDocumentSymbols: async (document, token, next) => {
    const symbols = await next(document, token);
    for (const symbol of symbols ?? []) plainNames(symbol);
    return symbols;
  },
  provideCompletionItem: async (document, position, context, token, next) => {
    const answer = await next(document, position, context, token);
    const items = Array.isArray(answer) ? answer : (answer?.items ?? []);
    for (const item of items) plainLabel(item);
    return answer;
  },
  prepareRename: (document, position, token, next) => plainError(() => next(document, position, token)),
  provideRenameEdits: (document, position, name, token, next) =>
    plainError(() => next(document, position, name, token)),
};

function lensWithPlainTitle(lens: vscode.CodeLens): vscode.CodeLens {
  if (lens.command) lens.command = { ...lens.command, title: textOf(lens.command.title) };
  return lens;
}

function plainNames(symbol: vscode.SymbolInformation | vscode.DocumentSymbol): void {
  symbol.name = textOf(symbol.name);
  if (symbol instanceof vscode.DocumentSymbol) for (const child of symbol.children) plainNames(child);
}

/** Escapes the label; the typed and inserted text stays the name itself. */
function plainLabel(item: Pick<vscode.CompletionItem, 'insertText' | 'filterText'> & { label: string | object }): void {
  if (typeof item.label !== 'string' || !item.label.includes('$(')) return;
  item.insertText ??= item.label;
  item.filterText ??= item.label;
  item.label = textOf(item.label);
}

async function plainError<T>(ask: () => T): Promise<Awaited<T>> {
  try {
    return await ask();
  } catch (error) {
    throw new Error(textOf(asError(error).message), { cause: error });
  }
}
