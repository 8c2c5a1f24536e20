import * as vscode from 'vscode';
import { duplicateWorkbook } from '#api/workbooks.ts';
import { type BulkOutcome, deleteItems, type ItemReference, moveItems } from '#features/console/bulk.ts';
import type { FolderNode, ItemNode } from '#features/trees/workspace-tree.ts';
import { plural } from '#features/trees/plan-tree.ts';
import { UserError } from '#features/user-error.ts';
import { reportPage, workbookPage } from '#features/workspace-lists.ts';
import type { WorkspaceItem } from '#features/workspace-items.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { confirm } from '../protection.ts';
import type { ConsoleServices } from './deps.ts';

/** Items that a command acts on, and whose deployment they belong to. */
export interface Chosen {
  readonly target: DeploymentTarget;
  readonly items: readonly ItemReference[];
}

/** The selected rows, else one that the person searches for. */
export async function chosenItems(
  services: ConsoleServices,
  argument: unknown,
  selection: unknown,
): Promise<Chosen | undefined> {
  const rows = chosenRows(Array.isArray(selection) && selection.length > 0 ? selection : [argument]);
  if (rows) return rows;
  const found = await searchItem(services, 'Which item?');
  return found && { target: found.target, items: [ofItem(found.item)] };
}

/** What rows of the tree stand for; rows that are no items are left out. */
export function chosenRows(nodes: readonly unknown[]): Chosen | undefined {
  const rows = nodes.filter(isRow);
  const [first] = rows;
  return first && { target: first, items: rows.map(referenceOf) };
}

function isRow(node: unknown): node is FolderNode | ItemNode {
  return (
    typeof node === 'object' && node !== null && 'kind' in node && (node.kind === 'folder' || node.kind === 'item')
  );
}

function referenceOf(node: FolderNode | ItemNode): ItemReference {
  return node.kind === 'folder' ? { type: 'FOLDER', id: node.itemId, name: node.name } : ofItem(node.item);
}

const ofItem = ({ type, id, name, publicId }: WorkspaceItem): ItemReference => ({ type, id, name, publicId });

interface Found extends vscode.QuickPickItem {
  readonly item: WorkspaceItem;
}

/** Searches reports and workbooks on the server while the person types. */
export async function searchItem(
  services: ConsoleServices,
  placeholder: string,
): Promise<{ readonly target: DeploymentTarget; readonly item: WorkspaceItem } | undefined> {
  const target = services.session.active.value;
  if (!target) throw new UserError('Select a deployment first.', selectDeployment);
  const box = vscode.window.createQuickPick<Found>();
  box.placeholder = placeholder;
  box.matchOnDescription = true;
  let asked = new AbortController();
  const search = async (text: string): Promise<void> => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    box.busy = true;
    try {
      const items = await itemsMatching(services, target, text, signal);
      if (signal.aborted) return;
      box.items = items.map((item) => ({
        label: `$(${item.type === 'REPORT' ? 'graph' : 'notebook'}) ${item.name}`,
        description: item.folderPath.join(' / '),
        // The server has matched already, also by what the label does not show.
        alwaysShow: true,
        item,
      }));
      box.busy = false;
    } catch (error) {
      if (!signal.aborted) box.hide();
      if (!signal.aborted) void services.boundary('modelbench.workspace.search', error);
    }
  };
  const picked = await new Promise<Found | undefined>((resolve) => {
    box.onDidChangeValue((text) => void search(text));
    box.onDidAccept(() => resolve(box.selectedItems[0]));
    box.onDidHide(() => resolve(undefined));
    void search('');
    box.show();
  });
  asked.abort();
  box.dispose();
  return picked && { target, item: picked.item };
}

const selectDeployment = { title: 'Select Deployment', command: 'modelbench.selectDeployment' } as const;

async function itemsMatching(
  { data, offers }: ConsoleServices,
  target: DeploymentTarget,
  search: string,
  signal: AbortSignal,
): Promise<readonly WorkspaceItem[]> {
  const client = data.client(target.accountId);
  const [workbooks, reports] = await Promise.all([
    offers(target.accountId, 'listWorkbooks')
      ? workbookPage(client, target.deploymentId, { search }, signal)
      : { items: [] },
    reportPage(client, target.deploymentId, { search }, signal),
  ]);
  return [...workbooks.items, ...reports.items];
}

/** Moves items to a folder that the person chooses, or that they were dropped on. */
export async function move(services: ConsoleServices, { target, items }: Chosen): Promise<void> {
  const { folders } = services.data.of(target);
  await folders.ensure();
  while (folders.state.value.value?.next !== undefined) await folders.loadMore();
  const choices = [
    { label: '$(home) Top of the Workspace', id: undefined },
    ...(folders.state.value.value?.items ?? [])
      .filter(({ id }) => !items.some((item) => item.type === 'FOLDER' && item.id === id))
      .map(({ id, name }) => ({ label: `$(folder) ${name}`, id })),
  ];
  const picked = await vscode.window.showQuickPick(choices, { placeHolder: `Move ${named(items)} to which folder?` });
  if (!picked) return;
  const client = services.data.client(target.accountId);
  await report(services, target, 'moved', await moveItems(client, target.deploymentId, items, picked.id), (failed) =>
    move(services, { target, items: failed }),
  );
}

/** Moves items that were dropped on a folder, or on the top (`undefined`). */
export async function moveTo(
  services: ConsoleServices,
  { target, items }: Chosen,
  folderId: string | undefined,
): Promise<void> {
  const client = services.data.client(target.accountId);
  const moved = items.filter((item) => item.type !== 'FOLDER' || item.id !== folderId);
  if (moved.length === 0) return;
  const outcome = await services.operations.run({
    label: `Moving ${named(moved)}`,
    key: `workspace ${target.accountId} ${target.deploymentId}`,
    run: async () => moveItems(client, target.deploymentId, moved, folderId),
  });
  await report(services, target, 'moved', outcome, (failed) => moveTo(services, { target, items: failed }, folderId));
}

export async function remove(services: ConsoleServices, { target, items }: Chosen): Promise<void> {
  const sure = await confirm({
    title: `Delete ${named(items)}?`,
    detail: `${items.map(({ name }) => name).join(', ')}\n\nThis cannot be undone.`,
    button: 'Delete',
    typed: undefined,
  });
  if (!sure) return;
  const client = services.data.client(target.accountId);
  const outcome = await deleteItems(client, target.deploymentId, items);
  // Only reports and workbooks are favourites.
  await services.favourites.remove(target, outcome.done);
  await report(services, target, 'deleted', outcome, (failed) => remove(services, { target, items: failed }));
}

/** Copies a workbook. */
export async function duplicate(services: ConsoleServices, { target, items }: Chosen): Promise<void> {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new UserError('Only workbooks can be duplicated.');
  const shared = await vscode.window.showQuickPick(
    [
      { label: 'My copy', shared: false },
      { label: 'From the shared workspace', shared: true },
    ],
    { placeHolder: `Duplicate “${item.name}” how?` },
  );
  if (!shared) return;
  await services.data.client(target.accountId).call(duplicateWorkbook, {
    params: { deploymentId: target.deploymentId, workbookId: item.id },
    body: shared.shared ? { shared: true } : {},
  });
  await refresh(services, target);
  vscode.window.setStatusBarMessage(`$(check) Duplicated “${item.name}”`, 5000);
}

async function report(
  services: ConsoleServices,
  target: DeploymentTarget,
  verb: string,
  { done, failed }: BulkOutcome,
  again: (failed: readonly ItemReference[]) => Promise<void>,
): Promise<void> {
  await refresh(services, target);
  if (failed.length === 0) {
    vscode.window.setStatusBarMessage(`$(check) ${plural(done.length, 'item')} ${verb}`, 5000);
    return;
  }
  const reasons = failed.map(({ item, error }) => `${item.name}: ${error}`).join(' ');
  const retry = 'Try Those Again';
  const answer = await vscode.window.showWarningMessage(
    `${plural(done.length, 'item')} ${verb}, ${failed.length} not. ${reasons}`,
    retry,
  );
  if (answer === retry) await again(failed.map(({ item }) => item));
}

async function refresh({ data }: ConsoleServices, target: DeploymentTarget): Promise<void> {
  const known = data.of(target);
  const opened = [...known.contents.values()].flatMap(({ reports, workbooks }) => [reports, workbooks]);
  const lists = [known.folders, known.reports, known.workbooks, ...opened].filter(
    ({ state }) => state.value.value !== undefined,
  );
  await Promise.all(lists.map((list) => list.refresh()));
}

function named(items: readonly ItemReference[]): string {
  return items.length === 1 ? `“${items[0]?.name ?? ''}”` : plural(items.length, 'item');
}
