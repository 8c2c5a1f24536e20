import { openDiff } from '#shell/vscode/guarded/diff.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { decodedText } from '#base/decoded-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { branchKey } from '#features/platform/index.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import { fileReview } from '#features/folders/file-review.ts';
import { retention, type TrashRow, trashRows, versionsToRestore } from '#features/folders/trash.ts';
import type { ModelTexts } from '#features/review/index.ts';
import type { ReviewRow } from '#features/review/messages.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import { restoreOnBranch } from './remote-changes.ts';
import { exists, fileUri } from './folder-uris.ts';
import { modelTexts } from './model-texts.ts';
import type { BranchTrashDeps, FolderTrashDeps, RestoreDeps } from './deps.ts';

interface Row extends vscode.QuickPickItem {
  readonly item: TrashItem;
}

const compare: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon('diff'),
  tooltip: text`Compare with Current File`,
};

/** Shows what sync set aside of a folder, or of one of its files, and restores what the user chooses; `ids` are chosen already. */
export async function restoreFromTrash(
  deps: RestoreDeps,
  session: SyncSession,
  only: { readonly path?: string | undefined; readonly ids?: readonly string[] | undefined } = {},
): Promise<void> {
  const { path, ids } = only;
  const rows = trashRows(await session.sync.trashed(), only);
  if (rows.length === 0) {
    const said =
      path === undefined
        ? text`The trash is empty: sync has not replaced or deleted anything in this folder.`
        : text`The trash holds no version of “${baseName(path)}”.`;
    void vscode.window.showInformationMessage(said);
    return;
  }
  const place = trashOfFolder(deps, session);
  const chosen = ids ? rows.map(({ item }) => item) : await chooseVersions(deps, place, rows);
  const items = await reviewed(deps, place, rows, versionsToRestore(chosen));
  if (items.length > 0) await putBack(deps, session, items);
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
  const place = trashOfBranch(deps, target);
  const chosen = versionsToRestore(await chooseVersions(deps, place, rows));
  const items = await reviewed(deps, place, rows, chosen);
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
interface TrashLocation {
  readonly name: string;
  /** The file as it is now. */
  readonly now: (path: string) => vscode.Uri;
  readonly version: (path: string, id: string) => vscode.Uri;
  /** The content of a version; `undefined` where it is no longer kept. */
  readonly text: (id: string) => Promise<string | undefined>;
  /** The other models of the place. */
  readonly others: (named: ReadonlySet<string>) => Promise<ModelTexts>;
}

function trashOfFolder({ documents }: FolderTrashDeps, { folder, sync }: SyncSession): TrashLocation {
  const { folderId, name } = folder;
  return {
    name,
    now: (path) => fileUri({ folderId, path }),
    version: (path, id) => documents.trashed({ folderId, path }, id),
    text: async (id) => decodedText(await sync.trashedContent(id)),
    others: async (named) => modelTexts(folder, named),
  };
}

function trashOfBranch(
  { branchFiles, branchTrash, documents, remote }: BranchTrashDeps,
  target: BranchTarget,
): TrashLocation {
  return {
    name: target.branchName,
    now: (path) => remote.uri(target, path),
    version: (path, id) => documents.trashedOnBranch(target, path, id),
    text: async (id) => branchTrash.text(target, id),
    others: async (named) => new Map([...textsOf(await branchFiles.tree(target))].filter(([path]) => !named.has(path))),
  };
}

/** Says what a run took away from the folder, and offers to put it back. */
export function offerRestore(deps: FolderTrashDeps, session: SyncSession, said: string, ids: readonly string[]): void {
  const button = ids.length === 1 ? 'Restore' : 'Restore…';
  void vscode.window.showInformationMessage(textOf(said), button).then(async (answer) => {
    if (answer !== button) return;
    try {
      const items = trashRows(await session.sync.trashed(), { ids }).map(({ item }) => item);
      if (items.length === 1) await putBack(deps, session, items);
      // The command shows them on a page.
      else await execute('modelbench.trash.restore', { folderId: session.folder.folderId, ids });
    } catch (error) {
      await deps.boundary('Restoring from the trash', error);
    }
  });
}

/**
 * What is restored of these versions. One file is restored at once, as Git does it: what it replaces is in the trash. Several files
 * are shown on a page first, because the user has not seen all of them.
 */
async function reviewed(
  deps: RestoreDeps,
  place: TrashLocation,
  rows: readonly TrashRow[],
  items: readonly TrashItem[],
): Promise<readonly TrashItem[]> {
  if (items.length < 2) return items;
  const now = async (path: string): Promise<string | undefined> =>
    (await exists(place.now(path))) ? decodedText(await vscode.workspace.fs.readFile(place.now(path))) : undefined;
  const byPath = new Map(items.map((item) => [item.path, item]));
  const { source, answer } = fileReview({
    key: `trash ${place.name}`,
    title: `Restore from trash: ${place.name}`,
    from: 'Trash',
    to: place.name,
    heading: 'Restore',
    rows: await Promise.all(
      rows.flatMap(({ item, detail }) =>
        byPath.get(item.path) === item ? [rowOf(item, detail, exists(place.now(item.path)))] : [],
      ),
    ),
    button: (files) => `Restore ${files}`,
    texts: async (path) => {
      const item = byPath.get(path);
      const after = item && (await place.text(item.id));
      if (after === undefined) throw new UserError(`This version of ${path} is no longer in the trash.`);
      return { before: await now(path), after };
    },
    diff: async (path) => {
      const item = byPath.get(path);
      if (item) await compareWith(deps, place, item);
    },
    model: { ...deps.filePages.model, others: async () => place.others(new Set(byPath.keys())) },
  });
  await deps.filePages.open(source);
  const chosen = await answer;
  return items.filter(({ path }) => chosen?.has(path) ?? false);
}

async function rowOf({ path, size }: TrashItem, detail: string, isThere: Promise<boolean>): Promise<ReviewRow> {
  return { id: path, path, kind: (await isThere) ? 'change' : 'add', canTick: true, size, note: detail };
}

/** Any number of rows; the one under the cursor where none is ticked. A row can be compared before it is chosen. */
async function chooseVersions(
  deps: FolderTrashDeps,
  place: TrashLocation,
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
  const showOr = (row: Row | undefined): void => {
    if (!row) return;
    compareWith(deps, place, row.item).catch((error: unknown) => deps.boundary('Comparing with the trash', error));
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
  place: TrashLocation,
  { path, id, time }: TrashItem,
): Promise<void> {
  const now = place.now(path);
  const left = (await exists(now)) ? now : documents.empty(path);
  const title = text`${baseName(path)} (Now ↔ Trash, ${new Date(time).toLocaleString()})`;
  await openDiff(left, place.version(path, id), title, { preview: true, preserveFocus: true });
}

async function putBack(
  { operations, documents }: FolderTrashDeps,
  { folder, sync }: SyncSession,
  items: readonly TrashItem[],
): Promise<void> {
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
