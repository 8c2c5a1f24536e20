import { append } from '#base/long-lists.ts';
import {
  type CodeAction,
  type CompletionItem,
  type CompletionList,
  type DocumentSymbol,
  type Hover,
  InsertTextFormat,
  type MarkupContent,
  MarkupKind,
  type SymbolInformation,
  TextDocumentEdit,
  type TextEdit,
  type WorkspaceEdit,
} from 'vscode-languageserver';
import type { ClientTerms } from './client-terms.ts';
import { plainText } from '#language-server/ide/markdown-text.ts';
import { withoutPlaceholders } from '#language-server/ide/completion/snippet-text.ts';
import type { Positions } from '#language-server/documents/lines.ts';

/**
 * Returns completions in a form that the client understands: without snippets it would insert their placeholders as text. `at`: the
 * line of the cursor.
 */
export function completionIn(terms: ClientTerms, list: CompletionList, at: LineOfText): CompletionList {
  if (terms.hasSnippets && terms.hasMarkdownItems && terms.hasTwoRanges) return list;
  const indent = indentOf(at);
  return { ...list, items: list.items.map((item) => itemIn(terms, item, indent)) };
}

function itemIn(
  { hasSnippets, hasMarkdownItems, hasTwoRanges }: ClientTerms,
  item: CompletionItem,
  indent: string,
): CompletionItem {
  const { documentation, insertTextFormat, insertText, textEdit, ...rest } = item;
  const isPlain = hasSnippets || insertTextFormat !== InsertTextFormat.Snippet;
  const text = (snippet: string): string => (isPlain ? snippet : withoutPlaceholders(snippet, indent));
  return {
    ...rest,
    ...(insertTextFormat === undefined
      ? {}
      : { insertTextFormat: isPlain ? insertTextFormat : InsertTextFormat.PlainText }),
    ...(insertText === undefined ? {} : { insertText: text(insertText) }),
    ...(textEdit === undefined ? {} : { textEdit: editOf(textEdit, text(textEdit.newText), hasTwoRanges) }),
    ...(documentation === undefined
      ? {}
      : {
          documentation: hasMarkdownItems || typeof documentation === 'string' ? documentation : asPlain(documentation),
        }),
  };
}

type ItemEdit = NonNullable<CompletionItem['textEdit']>;

function editOf(edit: ItemEdit, newText: string, hasTwoRanges: boolean): ItemEdit {
  return 'insert' in edit && !hasTwoRanges ? { range: edit.insert, newText } : { ...edit, newText };
}

/** Returns a hover in a form that the client understands. */
export function hoverIn({ hasMarkdownHovers }: ClientTerms, hover: Hover | null): Hover | null {
  if (!hover || hasMarkdownHovers || !isMarkup(hover.contents)) return hover;
  return { ...hover, contents: asPlain(hover.contents) };
}

function isMarkup(contents: Hover['contents']): contents is MarkupContent {
  return typeof contents === 'object' && 'kind' in contents;
}

function asPlain({ kind, value }: MarkupContent): MarkupContent {
  return { kind: MarkupKind.PlainText, value: kind === MarkupKind.Markdown ? plainText(value) : value };
}

/** Returns the symbols of a document in a form that the client understands: one list, or each in the one that contains it. */
export function symbolsIn(
  { hasNestedSymbols }: ClientTerms,
  uri: string,
  symbols: DocumentSymbol[] | null,
): DocumentSymbol[] | SymbolInformation[] | null {
  return symbols && !hasNestedSymbols ? listed(uri, symbols) : symbols;
}

function listed(uri: string, symbols: readonly DocumentSymbol[], containerName?: string): SymbolInformation[] {
  return symbols.flatMap(({ name, kind, tags, range, children = [] }) => [
    {
      name,
      kind,
      location: { uri, range },
      ...(tags ? { tags } : {}),
      ...(containerName === undefined ? {} : { containerName }),
    },
    ...listed(uri, children, name),
  ]);
}

/**
 * Returns an edit in a form that the client understands. Files are created and renamed only for clients with `documentChanges`, so
 * nothing else is lost.
 */
export function editIn<T extends WorkspaceEdit | null>(
  { hasDocumentChanges }: ClientTerms,
  edit: T,
): T | WorkspaceEdit {
  if (!edit?.documentChanges || hasDocumentChanges) return edit;
  const changes: Record<string, TextEdit[]> = { ...edit.changes };
  for (const change of edit.documentChanges) {
    if (!TextDocumentEdit.is(change)) continue;
    const edits = change.edits.flatMap((each) =>
      'newText' in each ? [{ range: each.range, newText: each.newText }] : [],
    );
    append((changes[change.textDocument.uri] ??= []), edits);
  }
  return { changes };
}

/** Returns code actions whose edits the client understands. */
export function actionsIn(terms: ClientTerms, actions: CodeAction[] | null): CodeAction[] | null {
  return actions?.map((action) => (action.edit ? { ...action, edit: editIn(terms, action.edit) } : action)) ?? null;
}

interface LineOfText {
  /** Returns the text between two offsets: for a long text, reading a piece of it must not copy all of it. */
  readonly read: (start: number, end: number) => string;
  readonly positions: Positions;
  readonly line: number;
}

/** Returns the spaces before the first character of a line. */
function indentOf({ read, positions, line }: LineOfText): string {
  const start = positions.offsetAt({ line, character: 0 });
  const end = positions.offsetAt({ line: line + 1, character: 0 });
  return /^[ \t]*/.exec(read(start, end))?.[0] ?? '';
}
