import { type ClientCapabilities, MarkupKind } from 'vscode-languageserver';

/** What a client can do, and the forms of answers that it understands. What it does not say counts as missing. */
export interface ClientTerms {
  readonly hasSnippets: boolean;
  /** Whether a completion can have two ranges: one to insert it, and one to replace the rest of the word as well. */
  readonly hasTwoRanges: boolean;
  /** Whether it shows Markdown beside completions. */
  readonly hasMarkdownItems: boolean;
  readonly hasMarkdownHovers: boolean;
  /** Whether symbols of a document may contain others. */
  readonly hasNestedSymbols: boolean;
  /** Whether a definition may have the range that leads to it. */
  readonly hasLinks: boolean;
  /** Whether it asks for diagnostics and takes none that are sent. */
  readonly pullsDiagnostics: boolean;
  /** Whether it repeats its questions for diagnostics on request. */
  readonly repeatsPulls: boolean;
  /** Whether an edit may be a list of documents with their changes. */
  readonly hasDocumentChanges: boolean;
  /** Whether it shows the parts of an edit before they are applied. */
  readonly hasAnnotations: boolean;
  readonly renamesFiles: boolean;
  readonly createsFiles: boolean;
  readonly watchesFiles: boolean;
}

/** Returns what a client says of itself. One that lists no formats of a text is taken to read Markdown. */
export function termsOf({ textDocument, workspace }: ClientCapabilities): ClientTerms {
  return { ...termsOfDocuments(textDocument ?? {}), ...termsOfWorkspace(workspace ?? {}) };
}

function termsOfDocuments({
  completion: { completionItem } = {},
  hover,
  documentSymbol,
  definition,
  diagnostic,
  publishDiagnostics,
}: NonNullable<ClientCapabilities['textDocument']>) {
  return {
    hasSnippets: completionItem?.snippetSupport ?? false,
    hasTwoRanges: completionItem?.insertReplaceSupport ?? false,
    hasMarkdownItems: readsMarkdown(completionItem?.documentationFormat),
    hasMarkdownHovers: readsMarkdown(hover?.contentFormat),
    hasNestedSymbols: documentSymbol?.hierarchicalDocumentSymbolSupport ?? false,
    hasLinks: definition?.linkSupport ?? false,
    pullsDiagnostics: diagnostic !== undefined && publishDiagnostics === undefined,
  };
}

function readsMarkdown(formats: readonly MarkupKind[] | undefined): boolean {
  return formats?.includes(MarkupKind.Markdown) ?? true;
}

function termsOfWorkspace({
  workspaceEdit: { documentChanges = false, changeAnnotationSupport, resourceOperations = [] } = {},
  diagnostics,
  didChangeWatchedFiles,
}: NonNullable<ClientCapabilities['workspace']>) {
  return {
    repeatsPulls: diagnostics?.refreshSupport ?? false,
    hasDocumentChanges: documentChanges,
    hasAnnotations: documentChanges && changeAnnotationSupport !== undefined,
    renamesFiles: documentChanges && resourceOperations.includes('rename'),
    createsFiles: documentChanges && resourceOperations.includes('create'),
    watchesFiles: didChangeWatchedFiles?.dynamicRegistration ?? false,
  };
}
