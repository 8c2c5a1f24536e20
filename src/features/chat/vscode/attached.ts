import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import { outlinedAt } from '#features/chat/asked-about.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** The kinds that the language server gives cubes, views and groups of views. */
const ENTITY_KINDS = [vscode.SymbolKind.Class, vscode.SymbolKind.Interface, vscode.SymbolKind.Package];

/** Resolves to a whole file as an attachment, with its unsaved edits. */
export async function fileAttachment(uri: vscode.Uri): Promise<Attachment> {
  return documentAttachment(await vscode.workspace.openTextDocument(uri));
}

/** Returns a document as an attachment, with its unsaved edits. */
export function documentAttachment(document: vscode.TextDocument): Attachment {
  const path = pathOf(document.uri);
  return { id: path, label: path, detail: path, text: document.getText() };
}

/** Returns the selected text of an editor as an attachment. */
export function selectedAttachment({ document, selection }: vscode.TextEditor): Attachment {
  const lines = `${selection.start.line + 1}–${selection.end.line + 1}`;
  const path = pathOf(document.uri);
  return { id: `${path}:${lines}`, label: `${path}:${lines}`, detail: path, text: document.getText(selection) };
}

/** Resolves to a cube, view or member as an attachment: the lines that define it. */
export async function symbolAttachment(symbol: vscode.SymbolInformation): Promise<Attachment> {
  const { document, range } = await definitionOf(symbol);
  const label = wholeName(symbol);
  const detail = `${pathOf(document.uri)}:${range.start.line + 1}`;
  return { id: `member:${label}`, label, detail, text: document.getText(range) };
}

/** Resolves to the range of a symbol's definition, first to last line: the symbol's own range covers its name only. */
async function definitionOf({
  location,
}: vscode.SymbolInformation): Promise<{ readonly document: vscode.TextDocument; readonly range: vscode.Range }> {
  const document = await vscode.workspace.openTextDocument(location.uri);
  const outline = (await executeBuiltIn('vscode.executeDocumentSymbolProvider', location.uri)) ?? [];
  const all = outline.flatMap((entity) => [entity, ...entity.children]);
  const found = all.find(({ selectionRange }) => selectionRange.start.isEqual(location.range.start));
  const { start, end } = found?.range ?? location.range;
  const last = end.character === 0 && end.line > start.line ? end.line - 1 : end.line;
  return { document, range: new vscode.Range(start.line, 0, last, document.lineAt(last).text.length) };
}

/** Resolves to the cube, view or member at the cursor of the active editor as an attachment. */
export async function memberAtCursor(): Promise<Attachment | undefined> {
  const editor = vscode.window.activeTextEditor;
  if (!editor) return undefined;
  const { document, selection } = editor;
  const outline = (await executeBuiltIn('vscode.executeDocumentSymbolProvider', document.uri)) ?? [];
  const found = outlinedAt(outline, ENTITY_KINDS, ({ range }) => range.contains(selection.active));
  if (!found) return undefined;
  const { name: label, entry } = found;
  const detail = `${pathOf(document.uri)}:${entry.range.start.line + 1}`;
  return { id: `member:${label}`, label, detail, text: document.getText(entry.range) };
}

/** Returns the full name: `orders.count`, or `orders`. */
export function wholeName({ name, containerName }: vscode.SymbolInformation): string {
  return containerName === '' ? name : `${containerName}.${name}`;
}

/** Returns problems of a file as an attachment, one per line. */
export function problemsAttachment(uri: vscode.Uri, problems: readonly vscode.Diagnostic[]): Attachment {
  const path = pathOf(uri);
  return {
    id: `problems:${path}`,
    label: `Problems of ${path}`,
    detail: path,
    text: problems.map((problem) => problemLine(uri, problem)).join('\n'),
  };
}

/** Returns a problem in one line: workspace path of its file, line counted from 1, and message. */
export function problemLine(uri: vscode.Uri, { range, message }: vscode.Diagnostic): string {
  return `${pathOf(uri)}:${range.start.line + 1}: ${message}`;
}

/** Returns a path as the chat names it: inside of the workspace relative to its folder; of a document that is not a file, without a leading `/`. */
export function pathOf(uri: vscode.Uri): string {
  const path = vscode.workspace.asRelativePath(uri);
  return uri.scheme === 'file' ? path : path.replace(/^\//, '');
}
