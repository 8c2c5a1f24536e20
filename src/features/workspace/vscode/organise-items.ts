import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, type UserText } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { BulkOutcome, ItemReference } from '#shell/bulk.ts';
import { areAllIn, moveTargets } from '#features/workspace/moving.ts';
import {
  type Chosen,
  dropOf,
  duplicate as copy,
  folderName,
  inDeletionOrder,
  type Moved,
  moveBack,
  moveTo,
  namedItems,
  onlyWorkbook,
  removeItems,
} from '#features/workspace/organise-items.ts';
import type { WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import { requireTrust } from '#shell/trust.ts';
import { namesOf, reportBulk } from '#shell/vscode/bulk-report.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { DataDeps, DropDeps, MoveDeps, RemoveDeps } from './deps.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Moves items to a folder that the user chooses; the folders are listed page by page. */
export async function move(services: MoveDeps, chosen: Chosen): Promise<void> {
  const { target, items } = chosen;
  const { folders } = services.data.of(target);
  await folders.ensure();
  for (;;) {
    const { value, error } = folders.state.value;
    if (!value) throw error ?? new Error('No folders were loaded.');
    const picked = await vscode.window.showQuickPick(
      [
        ...(areAllIn(items, undefined, value.items)
          ? []
          : [{ label: text`$(home) Top of the Workspace`, id: undefined, more: false }]),
        ...moveTargets(items, value.items).map(({ id, name, path }) => ({
          label: text`$(folder) ${name}`,
          description: textOf(path.join(' / ')),
          id,
          more: false,
        })),
        ...(value.next === undefined ? [] : [{ label: loadMore, alwaysShow: true, id: undefined, more: true }]),
      ],
      {
        placeHolder: text`Which folder do you want to move ${namedItems(items)} to?`,
        matchOnDescription: true,
        none: text`There is no other folder to move ${namedItems(items)} to.`,
      },
    );
    if (!picked) return;
    if (!picked.more) return moveAndReport(services, chosen, picked.id);
    await folders.loadMore();
  }
}

const loadMore = text`$(ellipsis) Load More…`;

/** Moves dropped rows, or adds them to the favourites. */
export async function drop(
  services: DropDeps,
  rows: readonly unknown[],
  onto: WorkspaceNode | undefined,
): Promise<void> {
  const drop = dropOf(rows, onto);
  if (drop.kind === 'favour') await services.favourites.add(drop.target, drop.items);
  if (drop.kind !== 'move') return;
  requireTrust(services);
  if (drop.asks && !(await confirmMove(services, drop.chosen, drop.folderId))) return;
  await moveAndReport(services, drop.chosen, drop.folderId);
}

/**
 * Asks the user whether to move the items: everyone who uses the workspace sees a move, so it must not happen by a slip of the
 * mouse.
 */
function confirmMove({ data }: DataDeps, { target, items }: Chosen, folderId: string | undefined): Promise<boolean> {
  return confirmed(
    text`Move ${namedItems(items)} to ${folderName(data, target, folderId)}?`,
    text`Move`,
    text`${namesOf(items)}. Everyone who uses this workspace finds them there.`,
  );
}

/** Moves items to a folder, or to the top (`undefined`), and reports those that could not be moved. */
async function moveAndReport(services: MoveDeps, chosen: Chosen, folderId: string | undefined): Promise<void> {
  const outcome = await moveTo(services, chosen, folderId);
  if (!outcome) {
    vscode.window.setStatusBarMessage(text`$(check) Already in this folder: ${namedItems(chosen.items)}`, 5000);
    return;
  }
  if (outcome.failed.length > 0 || outcome.back.length === 0) {
    await report('moved', outcome, (items) => moveAndReport(services, { ...chosen, items }, folderId));
    return;
  }
  const where = folderName(services.data, chosen.target, folderId);
  // Do not wait for the user to close the notification: the move is done.
  offerUndo(services, text`Moved ${namedItems(outcome.done)} to ${where}.`, outcome.back).catch((error: unknown) =>
    services.boundary('modelbench.workspace.move', error),
  );
}

async function offerUndo(services: MoveDeps, message: UserText, back: Moved['back']): Promise<void> {
  const undo = text`Undo`;
  if ((await vscode.window.showInformationMessage(message, undo)) !== undo) return;
  await undoMove(services, back);
}

/** Moves back the items that are still where they were moved to, and reports the others. */
async function undoMove(services: MoveDeps, back: Moved['back']): Promise<void> {
  const { elsewhere, ...outcome } = await moveBack(services, back);
  if (elsewhere.length > 0) void vscode.window.showInformationMessage(stayed(elsewhere));
  if (outcome.done.length + outcome.failed.length === 0) return;
  await report('moved back', outcome, (failed) => undoMove(services, only(back, failed)));
}

function only(back: Moved['back'], items: readonly ItemReference[]): Moved['back'] {
  return back.map(({ chosen, ...way }) => ({
    ...way,
    chosen: { ...chosen, items: chosen.items.filter((item) => items.includes(item)) },
  }));
}

/** Returns the message about items that someone moved again or deleted, which undoing does not touch. */
function stayed(items: readonly ItemReference[]): UserText {
  const [verb, what] = items.length === 1 ? ['was', 'it stays as it is'] : ['were', 'they stay as they are'];
  return text`${namedItems(items)} ${verb} moved again or deleted since: ${what}.`;
}

/** Deletes items after the user typed the name or, for several, their number, because this cannot be undone. */
export async function remove(services: RemoveDeps, chosen: Chosen): Promise<void> {
  const { target } = chosen;
  const items = inDeletionOrder(services.data, chosen);
  const [first] = items;
  if (!first) return;
  const sure = await confirm({
    title: text`Delete ${namedItems(items)} of ${services.data.nameOf(target)}`,
    detail: text`${items.length === 1 ? '' : `${namesOf(items)}. `}This cannot be undone.`,
    button: 'Delete',
    typed: items.length === 1 ? first.name : plural(items.length, 'item'),
  });
  if (!sure) return;
  const outcome = await removeItems(services, { target, items });
  await report('deleted', outcome, (failed) => remove(services, { target, items: failed }));
}

/** Asks which copy to make of a workbook and makes it. */
export async function duplicate(services: DataDeps, chosen: Chosen): Promise<void> {
  const item = onlyWorkbook(chosen);
  const shared = await vscode.window.showQuickPick(
    [
      { label: text`My copy`, shared: false },
      { label: text`From the shared workspace`, shared: true },
    ],
    { placeHolder: text`How do you want to duplicate “${item.name}”?` },
  );
  if (!shared) return;
  await copy(services.data, chosen.target, item, shared.shared);
  vscode.window.setStatusBarMessage(text`$(check) Duplicated “${item.name}”`, 5000);
}

/** Reports the result, and offers to retry the failed items. */
async function report(
  verb: string,
  { done, failed }: BulkOutcome,
  again: (failed: readonly ItemReference[]) => Promise<void>,
): Promise<void> {
  await reportBulk({
    done: plural(done.length, 'item'),
    verb,
    failed: failed.map(({ item: { name }, error }) => ({ name, error })),
    retry: () => again(failed.map(({ item }) => item)),
  });
}
