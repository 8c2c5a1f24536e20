import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type { BegunMerge } from '#features/folders/index.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { isMerging, saveText } from '#shell/vscode/merge-editor.ts';
import { gitConflictsOf } from '#features/history/stopped-steps.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import type { MergeEndsDeps, MergeUndoDeps } from './deps.ts';

/** Undoes a merge whose editor VS Code did not restore, if nothing was merged in it. */
export async function undoForgotten(deps: MergeEndsDeps, file: FileTarget): Promise<void> {
  if (!deps.merges.isLeftOver(file) || isMerging(fileUri(file))) return;
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  if (output.getText() === deps.merges.of(file)?.start) await undoMerge(deps, file);
}

/**
 * Ends a merge whose editor was closed: VS Code's *Complete Merge* only saves and closes. A merge without any choice is undone,
 * otherwise the user is asked.
 */
export async function afterMerge(deps: MergeEndsDeps, file: FileTarget): Promise<void> {
  const { merges } = deps;
  const begun = merges.of(file);
  if (!begun) return;
  if (!(await isOpen(deps, file, begun))) {
    await merges.end(file);
    return;
  }
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  const text = output.getText();
  const done = 'Mark as Resolved';
  const undo = 'Undo Merge';
  const question = `Is the merge of “${baseName(file.path)}” finished? It is uploaded once it is marked as resolved.`;
  const answer = text === begun.start ? undo : await vscode.window.showInformationMessage(textOf(question), done, undo);
  // The merge may have ended in another way while the question was open.
  if (!merges.of(file)) return;
  if (answer === done) await execute('modelbench.conflict.resolved', file);
  if (answer === undo && output.getText() === text) await undoMerge(deps, file);
}

/**
 * Resolves to whether the conflict still exists: both sides may have become equal. A file that cannot be compared counts as open.
 */
async function isOpen(deps: MergeEndsDeps, file: FileTarget, { inStep }: BegunMerge): Promise<boolean> {
  const session = deps.syncs.ofFolder(file.folderId);
  if (!session) return true;
  if (inStep === true) return gitConflictsOf(deps, session).includes(file.path);
  const plan = await session.sync.plan().catch(() => undefined);
  return plan === undefined || plan.entries.some(({ path }) => path === file.path);
}

/** Restores the local version from before the merge. */
export async function undoMerge({ merges }: MergeUndoDeps, file: FileTarget): Promise<void> {
  const begun = merges.of(file);
  if (!begun) return;
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  await saveText(output, begun.mine);
  await merges.end(file);
}
