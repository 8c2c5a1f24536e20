import { textOf } from '#base/user-text.ts';
import type { TextChange } from '#base/text-change.ts';
import { editReview } from '#features/review/edit-review.ts';
import type { ModelComparison } from '#features/review/files-model-diff.ts';
import { moveReview } from '#features/review/move-review.ts';
import type { Reviews } from '#features/review/source.ts';
import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';

/** What reviews of edits need. */
export interface EditReviewDeps {
  readonly reviews: Pick<Reviews, 'open'>;
  readonly model: Pick<ModelComparison, 'ofFile'>;
}

/** A change of a file: its title, where it comes from (`Quick fix`), and the range that it replaces. */
export interface DocumentEdit {
  readonly title: string;
  readonly from: string;
  readonly document: vscode.TextDocument;
  readonly range: vscode.Range;
  readonly text: string;
}

/**
 * Changes a file after the user has reviewed the change on a page; resolves to whether it was made, once the page is closed. The
 * file is not saved, and the user can undo the change in its editor.
 */
export async function applyReviewed({ reviews, model }: EditReviewDeps, edit: DocumentEdit): Promise<boolean> {
  const { document, range, text, title, from } = edit;
  const { uri } = document;
  const path = vscode.workspace.asRelativePath(uri);
  const replacement = { start: document.offsetAt(range.start), end: document.offsetAt(range.end), text };
  const opened = async (): Promise<vscode.TextDocument> => vscode.workspace.openTextDocument(uri);
  return new Promise((resolve, reject) => {
    const source = editReview({ title, from, path, replacement }, document.getText(range), {
      read: async () => (await opened()).getText(),
      onDidChange: (listener) =>
        vscode.workspace.onDidChangeTextDocument(({ document: { uri: changed }, contentChanges }) => {
          if (changed.toString() !== uri.toString() || contentChanges.length === 0) return;
          listener(contentChanges.map(replacementOf));
        }),
      changes: async (before, after) => model.ofFile(path, before, after),
      diff: async (before, after) => showDiff(path, title, { before, after }),
      apply: async (at) => applyTo(await opened(), at),
      ended: (isApplied, start) => {
        resolve(isApplied);
        if (isApplied) void opened().then(async (changed) => showAt(changed, start));
      },
    });
    reviews.open(source).catch((error: unknown) => {
      reject(error);
      source.close();
    });
  });
}

/** Moves a file after the user has reviewed the move on a page; `to` does not exist yet. */
export async function moveReviewed(
  { reviews }: Pick<EditReviewDeps, 'reviews'>,
  title: string,
  uri: vscode.Uri,
  to: vscode.Uri,
): Promise<void> {
  const names = { from: vscode.workspace.asRelativePath(uri), to: vscode.workspace.asRelativePath(to) };
  const source = moveReview(
    { title, ...names },
    {
      read: async () => (await vscode.workspace.openTextDocument(uri)).getText(),
      show: async () => vscode.window.showTextDocument(uri),
      apply: async () => {
        const edit = new vscode.WorkspaceEdit();
        edit.renameFile(uri, to, { overwrite: false, ignoreIfExists: false });
        const isMoved = await vscode.workspace.applyEdit(edit);
        if (isMoved) await vscode.window.showTextDocument(to, { preview: false });
        return isMoved;
      },
    },
  );
  await reviews.open(source);
}

function replacementOf(change: vscode.TextDocumentContentChangeEvent): TextChange {
  return { start: change.rangeOffset, end: change.rangeOffset + change.rangeLength, text: change.text };
}

async function applyTo(document: vscode.TextDocument, { start, end, text }: TextChange): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  edit.replace(document.uri, new vscode.Range(document.positionAt(start), document.positionAt(end)), text);
  return vscode.workspace.applyEdit(edit);
}

/** Shows the line of a change in the editor that already shows its file, if there is one. */
async function showAt(document: vscode.TextDocument, offset: number): Promise<void> {
  const at = document.positionAt(offset);
  const editor = vscode.window.visibleTextEditors.find(({ document: shown }) => shown === document);
  await vscode.window.showTextDocument(document, {
    selection: new vscode.Range(at, at),
    ...(editor?.viewColumn === undefined ? {} : { viewColumn: editor.viewColumn }),
  });
}

const SCHEME = 'modelbench-edit';
/** The number of the last difference. Each gets its own URI, because VS Code caches the text of a URI. */
let shown = 0;

/** Shows two texts of a file side by side; VS Code asks for both once, when it opens them. */
async function showDiff(path: string, title: string, texts: Record<'before' | 'after', string>): Promise<void> {
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: ({ query }) => texts[query.startsWith('before') ? 'before' : 'after'],
  });
  shown += 1;
  const uri = (side: keyof typeof texts): vscode.Uri =>
    vscode.Uri.from({ scheme: SCHEME, path: `/${path}`, query: `${side} ${shown}` });
  const [before, after] = [uri('before'), uri('after')];
  try {
    await vscode.workspace.openTextDocument(before);
    await vscode.workspace.openTextDocument(after);
    await openDiff(before, after, textOf(title));
  } finally {
    provider.dispose();
  }
}
