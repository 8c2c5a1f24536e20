import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { branchKey } from '#features/platform/build-watch.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { retention, type TrashRow, trashRows, versionsToRestore } from '#features/folders/trash.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { restoreOnBranch } from './remote-changes.ts';
import { exists, fileUri } from './folder-uris.ts';
import type { BranchTrashDeps, FolderTrashDeps } from './deps.ts';

interface Row extends vscode.QuickPickItem {
  readonly item: TrashItem;
}

const compare: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: text`Compare with Current File`,
};

/** Shows what sync set aside of a folder, or of one of its files, and restores what the user chooses. */
export async function restoreFromTrash(deps: FolderTrashDeps, session: SyncSession, path?: string): Promise<void> {
  const rows = trashRows(await session.sync.trashed(), { path });
  if (rows.length === 0) {
    const said =
      path === undefined
        ? text`The trash is empty: sync has not replaced or deleted anything in this folder.`
        : text`The trash holds no version of “${baseName(path)}”.`;
    void vscode.window.showInformationMessage(said);
    return;
  }
  const chosen = await chooseVersions(deps, folderPlace(deps, session), rows);
  if (chosen.length > 0) await restore(deps, session, chosen);
}

/** As {@link restoreFromTrash}, for what was saved and deleted in documents of a branch. */
export async function restoreFromBranchTrash(
  deps: BranchTrashDeps,
  target: BranchTarget,
  path?: string,
): Promise<void> {
  const rows = trashRows(await deps.branchTrash.list(target), { path });
  if (rows.length === 0) {
    void vscode.window.showInformationMessage(
      text`The trash of “${target.branchName}” is empty. It keeps what documents opened from this branch replace or delete.`,
    );
    return;
  }
  const items = versionsToRestore(await chooseVersions(deps, branchPlace(deps, target), rows));
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

/** Where versions of a trash come from, and what they are compared with. */
interface TrashPlace {
  readonly name: string;
  /** The file as it is now. */
  readonly now: (path: string) => vscode.Uri;
  readonly version: (path: string, id: string) => vscode.Uri;
}

function folderPlace({ documents }: FolderTrashDeps, { folder: { folderId, name } }: SyncSession): TrashPlace {
  return {
    name,
    now: (path) => fileUri({ folderId, path }),
    version: (path, id) => documents.trashed({ folderId, path }, id),
  };
}

function branchPlace({ documents, remote }: BranchTrashDeps, target: BranchTarget): TrashPlace {
  return {
    name: target.branchName,
    now: (path) => remote.uri(target, path),
    version: (path, id) => documents.trashedOnBranch(target, path, id),
  };
}

/** Says what a run took away from the folder, and offers to put it back. */
export function offerRestore(deps: FolderTrashDeps, session: SyncSession, said: string, ids: readonly string[]): void {
  const button = ids.length === 1 ? 'Restore' : 'Restore…';
  void vscode.window.showInformationMessage(textOf(said), button).then(async (answer) => {
    if (answer !== button) return;
    try {
      const rows = trashRows(await session.sync.trashed(), { ids });
      const chosen =
        rows.length === 1 ? rows.map(({ item }) => item) : await chooseVersions(deps, folderPlace(deps, session), rows);
      if (chosen.length > 0) await restore(deps, session, chosen);
    } catch (error) {
      await deps.boundary('Restoring from the trash', error);
    }
  });
}

/** Any number of rows; the one under the cursor where none is ticked. A row can be compared before it is chosen. */
async function chooseVersions(
  { documents, boundary }: FolderTrashDeps,
  place: TrashPlace,
  rows: readonly TrashRow[],
): Promise<readonly TrashItem[]> {
  const pick = vscode.window.createQuickPick<Row>();
  pick.title = text`Restore from Trash: ${place.name}`;
  pick.placeholder = textOf(retention);
  pick.canSelectMany = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  // It stays while a version is compared.
  pick.ignoreFocusOut = true;
  pick.buttons = [compare];
  const show = async ({ item }: Row): Promise<void> => {
    const now = place.now(item.path);
    const left = (await exists(now)) ? now : documents.empty(item.path);
    const title = text`${baseName(item.path)} (Now ↔ Trash, ${new Date(item.time).toLocaleString()})`;
    const options = { preview: true, preserveFocus: true };
    await openDiff(left, place.version(item.path, item.id), title, options);
  };
  const showOr = (row: Row | undefined): void => {
    if (row) show(row).catch((error: unknown) => boundary('Comparing with the trash', error));
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

async function restore(
  { operations, documents }: FolderTrashDeps,
  { folder, sync }: SyncSession,
  chosen: readonly TrashItem[],
): Promise<void> {
  const items = versionsToRestore(chosen);
  const refusals: string[] = [];
  let setAside = 0;
  await operations.run({
    label: text`Restoring from the trash`,
    key: folder.folderId,
    run: async () => {
      for (const item of items) {
        const { status, message, trashed } = await sync.restore(item);
        setAside += trashed.length;
        if (status !== 'done') refusals.push(message);
      }
    },
  });
  documents.refresh();
  if (refusals.length > 0) throw new UserError(refusals.join(' '));
  const [only] = items;
  const what = items.length === 1 && only ? baseName(only.path) : plural(items.length, 'file');
  const rest = setAside === 0 ? '' : '; the replaced version is in the trash';
  vscode.window.setStatusBarMessage(text`$(check) Restored ${what}${rest}`, 8000);
}
