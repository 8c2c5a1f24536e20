import { readableTime } from '#base/timestamps.ts';
import { openDiff } from '#shell/vscode/guarded/diff.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { branchKey } from '#features/platform/index.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import { restoreVersions, reviewedVersions, type TrashSource } from '#features/folders/restore-versions.ts';
import { retention, type TrashRow, trashRows, versionsToRestore } from '#features/folders/trash.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { restoreOnBranch } from './remote-changes.ts';
import { fileUri } from './folder-uris.ts';
import { modelTexts } from './model-texts.ts';
import type { BranchTrashDeps, FolderTrashDeps, RestoreDeps } from './deps.ts';
import { bytesIfThere, exists } from '#shell/vscode/files-on-disk.ts';

interface Row extends vscode.QuickPickItem {
  readonly item: TrashItem;
}

const compare: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: text`Compare with Current File`,
};

/**
 * Shows the versions that sync moved to the trash of a folder or of one of its files, and restores the chosen ones; `ids`
 * preselects them.
 */
export async function restoreFromTrash(
  deps: RestoreDeps,
  session: SyncSession,
  only: { readonly path?: string | undefined; readonly ids?: readonly string[] | undefined } = {},
): Promise<void> {
  const { path, ids } = only;
  const rows = trashRows(await session.sync.trashed(), only);
  if (rows.length === 0) {
    const message =
      path === undefined
        ? text`The trash is empty: sync has not replaced or deleted anything in this folder.`
        : text`The trash holds no version of “${baseName(path)}”.`;
    void vscode.window.showInformationMessage(message);
    return;
  }
  const location = trashOfFolder(deps, session);
  const chosen = ids ? rows.map(({ item }) => item) : await chooseVersions(deps, location, rows);
  const items = await reviewedVersions(deps.filePages, sourceOf(deps, location), rows, versionsToRestore(chosen));
  if (items.length > 0) await putBack(deps, session, items);
}

/** As {@link restoreFromTrash}, for files that were replaced or deleted in documents of a branch. */
export async function restoreFromBranchTrash(deps: BranchTrashDeps, target: BranchTarget): Promise<void> {
  const rows = trashRows(await deps.branchTrash.list(target), {});
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(
      text`The trash of “${target.branchName}” is empty. It keeps what documents opened from this branch replace or delete.`,
    );
    return;
  }
  const location = trashOfBranch(deps, target);
  const chosen = versionsToRestore(await chooseVersions(deps, location, rows));
  const items = await reviewedVersions(deps.filePages, sourceOf(deps, location), rows, chosen);
  if (items.length === 0) return;
  await deps.operations.run({
    label: text`Restoring from the trash`,
    key: branchKey(target),
    run: async () => {
      for (const item of items) await restoreOnBranch(deps, target, item);
    },
  });
  vscode.window.setStatusBarMessage(
    text`$(check) Restored ${plural(items.length, 'file')} on “${target.branchName}”`,
    8000,
  );
}

/** The documents of a trash. */
interface TrashLocation extends Pick<TrashSource, 'accountId' | 'name' | 'version' | 'others'> {
  /** Returns the file as it is now. */
  readonly now: (path: string) => vscode.Uri;
  readonly versionUri: (path: string, id: string) => vscode.Uri;
}

function trashOfFolder({ documents }: FolderTrashDeps, { folder, sync, target }: SyncSession): TrashLocation {
  const { folderId, name } = folder;
  return {
    accountId: target.accountId,
    name,
    now: (path) => fileUri({ folderId, path }),
    versionUri: (path, id) => documents.trashed({ folderId, path }, id),
    version: async (id) => sync.trashedContent(id),
    others: async (named) => modelTexts(folder, named),
  };
}

function trashOfBranch(
  { branchFiles, branchTrash, documents, remote }: BranchTrashDeps,
  target: BranchTarget,
): TrashLocation {
  return {
    accountId: target.accountId,
    name: target.branchName,
    now: (path) => remote.uri(target, path),
    versionUri: (path, id) => documents.trashedOnBranch(target, path, id),
    version: async (id) => branchTrash.bytes(target, id),
    others: async (named) => new Map([...textsOf(await branchFiles.tree(target))].filter(([path]) => !named.has(path))),
  };
}

/** Reports what a run removed from the folder, and offers to restore it. */
export function offerRestore(
  deps: FolderTrashDeps,
  session: SyncSession,
  message: string,
  ids: readonly string[],
): void {
  const button = ids.length === 1 ? 'Restore' : 'Restore…';
  void vscode.window.showInformationMessage(textOf(message), button).then(async (answer) => {
    if (answer !== button) return;
    try {
      const items = trashRows(await session.sync.trashed(), { ids }).map(({ item }) => item);
      if (items.length === 1) await putBack(deps, session, items);
      // The command shows several versions on a page.
      else await execute('modelbench.trash.restore', { folderId: session.folder.folderId, ids });
    } catch (error) {
      await deps.boundary('Restoring from the trash', error);
    }
  });
}

/**
 * Lets the user pick any number of rows, or takes the focused one if none is ticked. A row can be compared before it is chosen.
 */
async function chooseVersions(
  deps: FolderTrashDeps,
  location: TrashLocation,
  rows: readonly TrashRow[],
): Promise<readonly TrashItem[]> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = text`Restore from Trash: ${location.name}`;
  pick.placeholder = textOf(retention);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  // The picker stays open while a version is compared.
  pick.ignoreFocusOut = true;
  pick.buttons = [compare];
  const showOr = (row: Row | undefined): void => {
    if (!row) return;
    compareWith(deps, location, row.item).catch((error: unknown) => deps.boundary('Comparing with the trash', error));
  };
  try {
    return await new Promise<readonly TrashItem[]>((resolve) => {
      pick.onDidTriggerButton(() => showOr(pick.activeItems[0] ?? pick.items[0]));
      pick.onDidTriggerItemButton(({ item }) => showOr(item));
      pick.onDidAccept(() => {
        const { selectedItems: ticked, activeItems } = pick;
        resolve((ticked.length > 0 ? ticked : activeItems).map(({ item }) => item));
      });
      pick.onDidHide(() => resolve([]));
      pick.items = rows.map(({ label, description, detail, item }) => ({
        label: textOf(label),
        description: textOf(description),
        detail: textOf(detail),
        item,
        buttons: [compare],
      }));
      pick.activeItems = pick.items.slice(0, 1);
      pick.show();
    });
  } finally {
    pick.dispose();
  }
}

/** Shows a version beside the file as it is now. */
async function compareWith(
  { documents }: FolderTrashDeps,
  location: TrashLocation,
  { path, id, time }: TrashItem,
): Promise<void> {
  const now = location.now(path);
  const left = (await exists(now)) ? now : documents.empty(path);
  const title = text`${baseName(path)} (Now ↔ Trash, ${readableTime(time, { seconds: true })})`;
  await openDiff(left, location.versionUri(path, id), title, { preview: true, preserveFocus: true });
}

async function putBack(
  { operations, documents }: FolderTrashDeps,
  session: SyncSession,
  items: readonly TrashItem[],
): Promise<void> {
  try {
    const restored = await restoreVersions(operations, session, items);
    vscode.window.setStatusBarMessage(text`$(check) ${restored}`, 8000);
  } finally {
    documents.refresh();
  }
}

function sourceOf(deps: FolderTrashDeps, location: TrashLocation): TrashSource {
  return {
    ...location,
    read: async (path) => bytesIfThere(location.now(path)),
    exists: async (path) => exists(location.now(path)),
    compare: async (item) => compareWith(deps, location, item),
  };
}
