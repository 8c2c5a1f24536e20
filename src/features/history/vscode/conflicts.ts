import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type { ConflictChoice, ConflictSource } from '#features/history/conflict-source.ts';
import { type ConflictEditor, FolderConflicts } from '#features/history/folder-conflicts.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileUri, mayUpload, offerRestore } from '#features/folders/vscode/index.ts';
import { bytesIfThere } from '#shell/vscode/files-on-disk.ts';
import { closeMergeEditor, type MergeSide, openCurrent } from '#shell/vscode/merge-editor.ts';
import { requireSaved } from '#shell/vscode/save-document.ts';
import { beginMerge } from './merge-session.ts';
import { openChange } from './open-change.ts';
import { gitConflictsOf } from '#features/history/stopped-steps.ts';
import type { ConflictDeps, MergeEditorDeps } from './deps.ts';
import type { StoppedStepDeps } from '#features/history/step-ports.ts';

/** Conflicts of one kind, and how to show their other side. */
export interface ShownConflicts extends ConflictSource {
  readonly theirSide: (file: FileTarget) => MergeSide;
  readonly showDifference: (file: FileTarget) => Promise<void>;
}

/** Returns the conflicts of linked folders with their dev branches. */
export function folderConflicts(deps: ConflictDeps): ShownConflicts {
  const { documents, merges, operations, syncs } = deps;
  const editor: ConflictEditor = {
    mayUpload: async (target) => mayUpload(deps, target),
    textOf: async (file) => (await openCurrent(fileUri(file))).getText(),
    bytesOf,
    finished: finishedText,
    askLocalVersion,
  };
  const { open, resolve } = new FolderConflicts({ syncs, merges, operations, editor });
  return {
    open,
    resolve,
    theirSide: (file) => ({
      uri: documents.uri(file, 'remote'),
      title: text`Platform`,
      description: textOf(syncs.ofFolder(file.folderId)?.target.branchName ?? ''),
    }),
    showDifference: async (file) => openChange(deps, file),
  };
}

/**
 * Opens VS Code's three-way merge editor on a conflict; a diff if the host has none or one side has no text. The merge starts
 * with the changes that only one side made; every conflict is still open. The local version is stored until the conflict is
 * resolved.
 */
export async function mergeConflict(deps: MergeEditorDeps, conflicts: ShownConflicts, file: FileTarget): Promise<void> {
  const opening = await conflicts.open(file);
  if (opening.kind === 'lineEndings') {
    await chooseLineEndings(conflicts, file);
    return;
  }
  const isOpened =
    opening.kind === 'merge' && (await beginMerge(deps, file, { ...opening, theirSide: conflicts.theirSide(file) }));
  if (!isOpened) await conflicts.showDifference(file);
}

/** Asks which line endings the file should have, because an editor shows no difference between them. */
async function chooseLineEndings(conflicts: ConflictSource, file: FileTarget): Promise<void> {
  const theirs = 'Use Platform’s Line Endings';
  const mine = 'Keep Local Line Endings';
  const answer = await vscode.window.showInformationMessage(
    text`“${baseName(file.path)}” differs only in its line endings.`,
    { modal: true, detail: text`Choose which line endings both sides should use.` },
    theirs,
    mine,
  );
  if (answer !== undefined) await resolveConflict(conflicts, file, answer === theirs ? 'theirs' : 'mine');
}

/** Resolves a conflict with one of the versions. Resolves to the ids of the versions that it moved to the trash. */
export async function resolveConflict(
  conflicts: ConflictSource,
  file: FileTarget,
  choice: ConflictChoice,
): Promise<readonly string[]> {
  const resolved = await conflicts.resolve(file, choice);
  if (!resolved) return [];
  await closeMergeEditor(fileUri(file));
  vscode.window.setStatusBarMessage(text`$(check) Resolved ${baseName(file.path)}; ${resolved.rest}`, 5000);
  return resolved.trashed;
}

/** Takes the platform's versions, and offers to restore the local ones. */
export async function takeTheirs(
  deps: ConflictDeps,
  conflicts: ConflictSource,
  files: readonly FileTarget[],
): Promise<void> {
  const dropped = new Map<SyncSession, string[]>();
  try {
    for (const file of files) {
      const ids = await resolveConflict(conflicts, file, 'theirs');
      const session = deps.syncs.ofFolder(file.folderId);
      if (session) dropped.set(session, [...(dropped.get(session) ?? []), ...ids]);
    }
  } finally {
    for (const [session, ids] of dropped) {
      const subject = ids.length === 1 ? 'Your version is' : `Your ${ids.length} versions are`;
      if (ids.length > 0) offerRestore(deps, session, `Took the platform’s. ${subject} in the trash.`, ids);
    }
  }
}

/** Asks which local version to use: while a merge is in progress, there are two. */
async function askLocalVersion(file: FileTarget): Promise<'beforeMerge' | 'now' | undefined> {
  const before = 'Version Before the Merge';
  const now = 'Current File';
  const answer = await vscode.window.showWarningMessage(
    text`The merge of “${baseName(file.path)}” is not finished. Which local version do you want to keep?`,
    { modal: true },
    before,
    now,
  );
  return answer === undefined ? undefined : answer === now ? 'now' : 'beforeMerge';
}

/** Resolves to the bytes of a file on disk; empty if there is no file. */
export async function bytesOf(file: FileTarget): Promise<Uint8Array> {
  return (await bytesIfThere(fileUri(file))) ?? new Uint8Array();
}

/** Saves a file and resolves to its bytes. Throws `Hint` if it still has conflict markers. */
export async function finishedText(file: FileTarget): Promise<Uint8Array> {
  const name = baseName(file.path);
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  if (output.isDirty) await requireSaved(output);
  const bytes = await vscode.workspace.fs.readFile(output.uri);
  if (/^(<{7}|>{7}) /m.test(decodedText(bytes))) {
    throw new Hint(`“${name}” still has conflict markers. Finish the merge first.`);
  }
  return bytes;
}

/** Resolves to the conflict of the argument; asks for one if there is none. */
export async function conflictOrPick(
  deps: StoppedStepDeps,
  file: FileTarget | undefined,
): Promise<FileTarget | undefined> {
  if (file) return file;
  const items = deps.syncs.all.value.flatMap((session) => {
    const paths = session.sync.status.value.conflicts.map(({ path }) => path);
    return [...paths, ...gitConflictsOf(deps, session)].map((path) => ({
      label: textOf(baseName(path)),
      description: textOf(path),
      file: { folderId: session.folder.folderId, path },
    }));
  });
  if (items.length === 0) throw new Hint('There are no conflicts.');
  if (items.length === 1) return items[0]?.file;
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which conflict do you want to resolve?` }))
    ?.file;
}
