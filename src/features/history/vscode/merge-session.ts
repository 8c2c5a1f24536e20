import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { encodedText } from '#base/encoded-text.ts';
import { mergeLines } from '#base/merge-lines.ts';
import { baseName } from '#base/path.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { bytesIfThere } from '#shell/vscode/files-on-disk.ts';
import { type MergeSide, openCurrent, openMergeEditor, replaceText } from '#shell/vscode/merge-editor.ts';
import type { OtherVersion } from '#features/history/conflict-source.ts';
import { Hint } from '#shell/user-error.ts';
import type { MergeEditorDeps } from './deps.ts';

/** The other version of a file, and how it is labelled. */
export interface MergeVersions extends OtherVersion {
  readonly theirSide: MergeSide;
}

/**
 * Opens VS Code's merge editor on a file. The merge starts with the changes that only one side made; every conflict is still
 * open. The local version is stored until the conflict is resolved, and a copy of it is in the trash, because VS Code’s merge editor
 * saves the file when it opens. Resolves to `false`, with the file unchanged, if the host has no merge editor. Throws `Hint` in a
 * window that does not sync the folder.
 */
export async function beginMerge(deps: MergeEditorDeps, file: FileTarget, input: MergeVersions): Promise<boolean> {
  const { documents, merges } = deps;
  const { remote, inStep } = input;
  const output = await openCurrent(fileUri(file));
  const text = output.getText();
  const begun = merges.of(file);
  const goesOn = begun?.remote === remote && begun.mine !== text;
  const mine = goesOn ? begun.mine : text;
  const theirs = withEndsOf(output, input.theirs);
  const made = typeof input.base === 'string' ? undefined : input.base(mine, theirs);
  const base = typeof input.base === 'string' ? withEndsOf(output, input.base) : (made ?? '');
  const { text: start, conflicts } = mergeLines(base, mine, theirs);
  const accountId = goesOn ? begun.accountId : await keepLocal(deps, file, output);
  await merges.keep(file, { accountId, mine, remote, inStep, base: made, start: conflicts > 0 ? start : undefined });
  documents.refresh();
  if (!goesOn) await replaceText(output, start);
  const isOpened = await openMergeEditor(output.uri, {
    base: documents.uri(file, made === undefined ? 'base' : 'common'),
    theirs: input.theirSide,
    mine: { uri: documents.uri(file, 'mine'), title: 'Local', description: 'this folder' },
  });
  if (isOpened) return true;
  if (!goesOn) {
    await replaceText(output, text);
    await merges.end(file);
  }
  return false;
}

/** Copies the local version to the trash, with what is not saved. Resolves to the account whose trash it is. */
async function keepLocal({ syncs }: MergeEditorDeps, file: FileTarget, output: vscode.TextDocument): Promise<string> {
  const session = await syncs.opened(file.folderId);
  const name = baseName(file.path);
  if (!session) throw new Hint(`The folder of “${name}” is not in sync with a branch now. Try again when it is.`);
  const { sync, target } = session;
  if (sync.status.value.readOnly === 'otherWindow') {
    throw new Hint(`Another window syncs the folder of “${name}”. Merge the file there.`);
  }
  await keepCopyOf(output, sync, file.path, 'merge');
  return target.accountId;
}

/** Copies what a file holds to the trash, with what is not saved. */
export async function keepCopyOf(
  document: vscode.TextDocument,
  sync: Pick<FolderSync, 'keepCopy'>,
  path: string,
  cause: 'merge' | 'unfinishedMerge',
): Promise<void> {
  const replaced = (await bytesIfThere(document.uri)) ?? new Uint8Array();
  await sync.keepCopy(path, cause, document.isDirty ? encodedText(document.getText(), replaced) : undefined);
}

/** Converts a version's line endings to those of the document. */
function withEndsOf({ eol }: vscode.TextDocument, text: string): string {
  return text.replaceAll(/\r?\n/g, eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n');
}
