import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { Resolution, SyncStatus } from '#sync/core/folder-sync.ts';
import { fileUri, mayUpload, offerRestore } from '#features/folders/vscode/index.ts';
import { closeMergeEditor } from '#shell/vscode/merge-editor.ts';
import { beginMerge } from './merge-session.ts';
import { openChange } from './open-change.ts';
import { gitConflictsOf } from '#features/history/stopped-steps.ts';
import type { ConflictDeps } from './deps.ts';
import type { StoppedStepDeps } from '#features/history/step-ports.ts';

/**
 * Opens VS Code's three-way merge editor on a conflict; a diff where the host has none or one side has no text. The merge
 * begins with what only one side changed, every conflict still open; the local version is kept until it is resolved.
 */
export async function mergeConflict(deps: ConflictDeps, file: FileTarget): Promise<void> {
  const session = sessionOf(deps, file);
  const conflict = conflictOf(session, file);
  if (!conflict) throw new Hint(`“${baseName(file.path)}” is no longer in conflict.`);
  const { documents } = deps;
  const remote = conflict.remote;
  if (conflict.local === undefined || remote === undefined) {
    await openChange(deps, file);
    return;
  }
  if (conflict.eolOnly) {
    await settleLineEndings(deps, file);
    return;
  }
  const [base, theirs] = await Promise.all([
    session.sync.baseContent(file.path),
    session.sync.remoteContent(file.path),
  ]);
  const theirSide = {
    uri: documents.uri(file, 'remote'),
    title: text`Platform`,
    description: textOf(session.target.branchName),
  };
  const merge = { remote, base: decoded(base), theirs: decoded(theirs), theirSide };
  if (!(await beginMerge(deps, file, merge))) await openChange(deps, file);
}

/** An editor shows no difference between line endings: the user says which ones the file is to have. */
async function settleLineEndings(deps: ConflictDeps, file: FileTarget): Promise<void> {
  const theirs = 'Use Platform’s Line Endings';
  const mine = 'Keep Local Line Endings';
  const answer = await vscode.window.showInformationMessage(
    text`“${baseName(file.path)}” differs only in its line endings.`,
    { modal: true, detail: text`Choose which line endings both sides should use.` },
    theirs,
    mine,
  );
  if (answer !== undefined) await resolveConflict(deps, file, answer === theirs ? 'theirs' : 'mine');
}

function conflictOf({ sync }: SyncSession, file: FileTarget): SyncStatus['conflicts'][number] | undefined {
  return sync.status.value.conflicts.find(({ path }) => path === file.path);
}

function decoded(bytes: Uint8Array | undefined): string {
  return bytes === undefined ? '' : new TextDecoder().decode(bytes);
}

/** Takes the platform's versions; what is dropped here is offered back. */
export async function takeTheirs(deps: ConflictDeps, files: readonly FileTarget[]): Promise<void> {
  const dropped = new Map<SyncSession, string[]>();
  try {
    for (const file of files) {
      const ids = await resolveConflict(deps, file, 'theirs');
      const session = sessionOf(deps, file);
      dropped.set(session, [...(dropped.get(session) ?? []), ...ids]);
    }
  } finally {
    for (const [session, ids] of dropped) {
      const said = ids.length === 1 ? 'Your version is' : `Your ${ids.length} versions are`;
      if (ids.length > 0) offerRestore(deps, session, `Took the platform’s. ${said} in the trash.`, ids);
    }
  }
}

/** Resolves a conflict with one of the versions. Returns the ids of the versions that it moved to the trash. */
export async function resolveConflict(
  deps: ConflictDeps,
  file: FileTarget,
  choice: Resolution,
): Promise<readonly string[]> {
  const session = sessionOf(deps, file);
  const name = baseName(file.path);
  const version = choice === 'mine' ? await whichMine(deps, file) : choice;
  if (version === undefined) return [];
  if (version !== 'theirs' && !(await mayUpload(deps, session.target))) return [];
  const begun = deps.merges.of(file);
  await deps.merges.end(file);
  const outcome = await deps.operations.run({
    label: text`Resolving ${name}`,
    key: file.folderId,
    run: async ({ signal }) => session.sync.resolve(file.path, version, { signal }),
  });
  if (outcome.status !== 'done') {
    if (begun) await deps.merges.keep(file, begun);
    throw new UserError(outcome.message);
  }
  await closeMergeEditor(fileUri(file));
  const left = session.sync.status.value.conflicts.length;
  const rest = left === 0 ? 'no conflicts left' : `${left} left`;
  vscode.window.setStatusBarMessage(text`$(check) Resolved ${name}; ${rest}`, 5000);
  return outcome.trashed;
}

/** The local version: while a merge is under way, the file is not the only one. */
async function whichMine(deps: ConflictDeps, file: FileTarget): Promise<Resolution | undefined> {
  const begun = deps.merges.of(file);
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  if (!begun || begun.remote !== conflictOf(sessionOf(deps, file), file)?.remote || begun.mine === output.getText()) {
    return 'mine';
  }
  const before = 'Version Before the Merge';
  const now = 'Current File';
  const answer = await vscode.window.showWarningMessage(
    text`The merge of “${baseName(file.path)}” is not finished. Which local version do you want to keep?`,
    { modal: true },
    before,
    now,
  );
  if (answer === undefined) return undefined;
  return answer === now ? 'mine' : { merged: new TextEncoder().encode(begun.mine) };
}

/** Takes the file as it is now as the merged version; one that the platform got since the merge began is not overwritten. */
export async function markResolved(deps: ConflictDeps, file: FileTarget): Promise<void> {
  const session = sessionOf(deps, file);
  const name = baseName(file.path);
  const merged = deps.merges.of(file)?.remote ?? conflictOf(session, file)?.remote;
  const bytes = await finishedText(file);
  await session.sync.plan();
  const now = conflictOf(session, file);
  if (now && now.remote !== merged) {
    throw new UserError(`“${name}” changed on the platform again. Open the merge editor again to include that change.`);
  }
  await resolveConflict(deps, file, { merged: bytes });
}

/** The bytes of a file that a user says is merged. */
export async function finishedText(file: FileTarget): Promise<Uint8Array> {
  const name = baseName(file.path);
  const output = await vscode.workspace.openTextDocument(fileUri(file));
  if (output.isDirty && !(await output.save())) throw new UserError(`“${name}” could not be saved.`);
  const bytes = await vscode.workspace.fs.readFile(output.uri);
  if (/^(<{7}|>{7}) /m.test(new TextDecoder().decode(bytes))) {
    throw new Hint(`“${name}” still has conflict markers. Finish the merge first.`);
  }
  return bytes;
}

/** The conflict of the argument, else asks for one. */
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

function sessionOf({ syncs }: Pick<ConflictDeps, 'syncs'>, file: FileTarget): SyncSession {
  const session = syncs.ofFolder(file.folderId);
  if (session) return session;
  throw new Hint('This folder is not in sync with a dev branch.', {
    title: text`Start Dev Mode`,
    command: 'modelbench.devMode.start',
  });
}
