import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { encodedText } from '#base/encoded-text.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type { BegunMerge } from '#features/folders/index.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';
import { isMerging, saveText } from '#shell/vscode/merge-editor.ts';
import { gitConflictsOf } from '#features/history/stopped-steps.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import type { MergeEndsDeps, MergeUndoDeps } from './deps.ts';
import { keepCopyOf } from './merge-session.ts';

/**
 * Handles a merge whose editor VS Code did not restore. If nothing was merged in it, the merge is undone; otherwise the user is asked,
 * because the file holds an unfinished text.
 */
export async function endInterrupted(deps: MergeEndsDeps, file: FileTarget): Promise<void> {
  const { merges } = deps;
  const begun = merges.of(file);
  if (!begun || !merges.isLeftOver(file) || isMerging(fileUri(file))) return;
  const now = await textIfThere(file);
  if (now === begun.mine) {
    await merges.end(file);
    return;
  }
  const name = baseName(file.path);
  if (now !== undefined && now === begun.start) {
    await undoMerge(deps, file);
    void vscode.window.showInformationMessage(
      text`The merge of “${name}” was interrupted. Your version is back in the file.`,
    );
    return;
  }
  const [resume, restore] = ['Continue Merge', 'Restore My Version'] as const;
  const message = text`The merge of “${name}” was interrupted, so the file is unfinished. Your version from before the merge is kept.`;
  const answer = await vscode.window.showWarningMessage(message, resume, restore);
  // It may have ended or been continued while the question was open.
  if (!merges.of(file) || isMerging(fileUri(file))) return;
  if (answer === resume) await execute('modelbench.conflict.merge', file);
  if (answer === restore) await undoMerge(deps, file);
}

async function textIfThere(file: FileTarget): Promise<string | undefined> {
  if (!(await exists(fileUri(file)))) return undefined;
  return (await vscode.workspace.openTextDocument(fileUri(file))).getText();
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
  const merged = output.getText();
  const done = 'Mark as Resolved';
  const undo = 'Undo Merge';
  const question = `Is the merge of “${baseName(file.path)}” finished? It is uploaded once it is marked as resolved.`;
  const answer =
    merged === begun.start ? undo : await vscode.window.showInformationMessage(textOf(question), done, undo);
  // The merge may have ended in another way while the question was open.
  if (!merges.of(file)) return;
  if (answer === done) await execute('modelbench.conflict.resolved', file);
  if (answer === undo && output.getText() === merged) await undoMerge(deps, file);
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

/** Restores the local version from before the merge; what was merged by then goes to the trash. */
export async function undoMerge({ merges, syncs }: MergeUndoDeps, file: FileTarget): Promise<void> {
  const begun = merges.of(file);
  if (!begun) return;
  const uri = fileUri(file);
  if (await exists(uri)) {
    const document = await vscode.workspace.openTextDocument(uri);
    const sync = syncs.ofFolder(file.folderId)?.sync;
    const isUntouched = [begun.mine, begun.start].includes(document.getText());
    if (sync && !isUntouched) await keepCopyOf(document, sync, file.path, 'unfinishedMerge');
    await saveText(document, begun.mine);
  } else await vscode.workspace.fs.writeFile(uri, encodedText(begun.mine, new Uint8Array()));
  await merges.end(file);
}
