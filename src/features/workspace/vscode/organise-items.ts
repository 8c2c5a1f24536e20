import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { duplicateWorkbook } from '#api/workbooks.ts';
import { type BulkOutcome, deleteItems, type ItemReference, moveItems } from '#shell/bulk.ts';
import { deletionOrder, movePlan, moveTargets } from '#features/workspace/moving.ts';
import { dropPlace, type FolderNode, type ItemNode, type WorkspaceNode } from '#features/workspace/workspace-tree.ts';
import { errorWords } from '#shell/error-words.ts';
import { UserError } from '#shell/user-error.ts';
import { reportPage, workbookPage } from '#features/platform/workspace-lists.ts';
import type { WorkspaceItem } from '#features/platform/workspace-items.ts';
import { type DeploymentTarget, type TreeRow, treeRow } from '#shell/targets.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { namesOf, reportBulk } from '#shell/vscode/bulk-report.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { OfferedData } from '#features/platform/vscode/deps.ts';
import type { DataDeps, DropDeps, FoundItem, MoveDeps, RemoveDeps, SearchDeps } from './deps.ts';

/** Items that a command acts on, and whose deployment they belong to. */
export interface Chosen {
  readonly target: DeploymentTarget;
  readonly items: readonly ItemReference[];
}

/** What a user is asked for, and what is offered then: reports and workbooks, or those of one type. */
export interface Sought {
  readonly question: string;
  readonly type?: Exclude<ItemReference['type'], 'FOLDER'> | undefined;
}

/** The selected rows, else one that the user searches for. */
export async function chosenItems(
  services: SearchDeps,
  selected: readonly TreeRow[],
  sought: Sought,
): Promise<Chosen | undefined> {
  const rows = chosenRows(selected);
  if (rows) return rows;
  const found = await searchItem(services, sought);
  return found && { target: found.target, items: [ofItem(found.item)] };
}

/** What rows of the tree stand for; rows that are no items are left out. */
function chosenRows(nodes: readonly TreeRow[]): Chosen | undefined {
  const rows = nodes.filter(isRow);
  const [first] = rows;
  if (!first) return undefined;
  const { accountId, deploymentId } = first;
  return { target: { accountId, deploymentId }, items: rows.map(referenceOf) };
}

function isRow(row: TreeRow): row is FolderNode | ItemNode {
  return row.kind === 'folder' || row.kind === 'item';
}

/** The item of a row; undefined where it is none. */
export function itemOf(row: TreeRow): WorkspaceItem | undefined {
  return isRow(row) && row.kind === 'item' ? row.item : undefined;
}

function referenceOf(node: FolderNode | ItemNode): ItemReference {
  return node.kind === 'folder' ? { type: 'FOLDER', id: node.itemId, name: node.name } : ofItem(node.item);
}

function ofItem({ type, id, name, publicId, folderId }: WorkspaceItem): ItemReference {
  return { type, id, name, publicId, folderId };
}

interface Found extends vscode.QuickPickItem {
  /** Without one: the row that lists the reports of a spreadsheet, or the one that says why there is nothing to see. */
  readonly item?: WorkspaceItem;
  readonly repeats?: true;
}

const ofSpreadsheet: Found = { label: text`$(table) Reports of a Spreadsheet…`, alwaysShow: true };

/** Searches reports and workbooks on the server while the user types. */
export async function searchItem(services: SearchDeps, { question, type }: Sought): Promise<FoundItem | undefined> {
  const target = services.session.active.value;
  if (!target) throw new UserError('Select a deployment first.', selectDeployment);
  const box = vscode.window.createQuickPick<Found>();
  box.placeholder = textOf(question);
  box.matchOnDescription = true;
  let asked = new AbortController();
  const search = async (query: string): Promise<void> => {
    asked.abort();
    asked = new AbortController();
    const { signal } = asked;
    box.busy = true;
    try {
      const items = await itemsMatching(services, target, { text: query, type }, signal);
      if (signal.aborted) return;
      box.items = [...items.map(foundRow), ...(type === 'WORKBOOK' ? [] : [ofSpreadsheet])];
      box.busy = false;
    } catch (error) {
      if (signal.aborted) return;
      // What was typed stays: it is searched for again.
      const words = errorWords(error);
      const message = words.kind === 'silent' ? 'The search was cancelled.' : words.message;
      const failed = text`$(error) The search failed`;
      box.items = [{ label: failed, detail: textOf(message), alwaysShow: true, repeats: true }];
      box.busy = false;
    }
  };
  const picked = await new Promise<Found | undefined>((resolve) => {
    box.onDidChangeValue((query) => void search(query));
    box.onDidAccept(() => {
      const [chosen] = box.selectedItems;
      if (chosen?.repeats) void search(box.value);
      else resolve(chosen);
    });
    box.onDidHide(() => resolve(undefined));
    void search('');
    box.show();
  });
  asked.abort();
  box.dispose();
  if (!picked) return undefined;
  const item = picked.item ?? (await reportOfSpreadsheet(services, target));
  return item && { target, item };
}

const foundRow = (item: WorkspaceItem): Found => ({
  label: withIcon(item.type === 'REPORT' ? 'graph' : 'notebook', textOf(item.name)),
  description: textOf(item.folderPath.join(' / ')),
  // The server has matched already, also by what the label does not show.
  alwaysShow: true,
  item,
});

/** Asks for the id of an external spreadsheet and lists the reports that are connected to it (docs/platform-api.md#listreports). */
async function reportOfSpreadsheet({ data }: DataDeps, target: DeploymentTarget): Promise<WorkspaceItem | undefined> {
  let items: readonly WorkspaceItem[] = [];
  const typed = await askChecked({
    title: text`Reports of a Spreadsheet`,
    prompt: text`The id of the spreadsheet that reports are connected to`,
    validate: (value) => (value.trim() === '' ? 'Enter the id of a spreadsheet.' : undefined),
    // A refusal is shown below what was typed, which stays.
    check: async (value, signal) => {
      const request = { externalWorkbookId: value.trim() };
      ({ items } = await reportPage(data.client(target.accountId), target.deploymentId, request, signal));
      return items.length === 0 ? `No report is connected to the spreadsheet “${value.trim()}”.` : undefined;
    },
  });
  if (typed === undefined) return undefined;
  const rows = items.map((item) => ({
    ...foundRow(item),
    detail: textOf((item.facts ?? []).find((fact) => fact.includes(typed.trim()))),
  }));
  const picked = await vscode.window.showQuickPick<Found>(rows, {
    title: text`Reports of Spreadsheet ${typed.trim()}`,
    placeHolder: text`${plural(items.length, 'report')}`,
  });
  return picked?.item;
}

const selectDeployment = { title: 'Select Deployment', command: 'modelbench.selectDeployment' } as const;

async function itemsMatching(
  { data, offers, learnOffers }: OfferedData,
  target: DeploymentTarget,
  { text: search, type }: Pick<Sought, 'type'> & { readonly text: string },
  signal: AbortSignal,
): Promise<readonly WorkspaceItem[]> {
  await learnOffers(target.accountId);
  const client = data.client(target.accountId);
  const hasWorkbooks = offers(target.accountId, 'listWorkbooks');
  if (type === 'WORKBOOK' && !hasWorkbooks) throw new UserError('This platform’s description lists no workbooks.');
  const none = { items: [] };
  const [workbooks, reports] = await Promise.all([
    hasWorkbooks && type !== 'REPORT' ? workbookPage(client, target.deploymentId, { search }, signal) : none,
    type === 'WORKBOOK' ? none : reportPage(client, target.deploymentId, { search }, signal),
  ]);
  return [...workbooks.items, ...reports.items];
}

/** Moves items to a folder that the user chooses; folders are offered page by page. */
export async function move(services: MoveDeps, chosen: Chosen): Promise<void> {
  const { target, items } = chosen;
  const { folders } = services.data.of(target);
  await folders.ensure();
  for (;;) {
    const { value, error } = folders.state.value;
    if (!value) throw error ?? new Error('No folders were loaded.');
    const picked = await vscode.window.showQuickPick(
      [
        { label: text`$(home) Top of the Workspace`, id: undefined, more: false },
        ...moveTargets(items, value.items).map(({ id, name, path }) => ({
          label: text`$(folder) ${name}`,
          description: textOf(path.join(' / ')),
          id,
          more: false,
        })),
        ...(value.next === undefined ? [] : [{ label: loadMore, alwaysShow: true, id: undefined, more: true }]),
      ],
      { placeHolder: text`Which folder do you want to move ${named(items)} to?`, matchOnDescription: true },
    );
    if (!picked) return;
    if (!picked.more) return moveTo(services, chosen, picked.id);
    await folders.loadMore();
  }
}

const loadMore = text`$(ellipsis) Load More…`;

/**
 * What rows do that are dropped: on a folder they go into it, on an item to where it is, on the favourites they become
 * some, on anything else they go to the top.
 */
export async function drop(
  services: DropDeps,
  rows: readonly unknown[],
  onto: WorkspaceNode | undefined,
): Promise<void> {
  const place = dropPlace(onto);
  const items = rows.flatMap((row) => treeRow(row) ?? []).filter(isRow);
  if (place.kind === 'nowhere') return;
  if (place.kind === 'favourites') {
    const [first] = items;
    const added = items.flatMap((row) => (row.kind === 'item' ? row.item : []));
    if (first && added.length > 0) await services.favourites.add(first, added);
    return;
  }
  requireTrust(services);
  const chosen = chosenRows(items);
  if (chosen) await moveTo(services, chosen, place.folderId);
}

/** Moves items to a folder, or to the top (`undefined`). */
async function moveTo(services: MoveDeps, { target, items }: Chosen, folderId: string | undefined): Promise<void> {
  const folders = services.data.known(target)?.folders.state.value.value?.items ?? [];
  const { moved, refused } = movePlan(items, folderId, folders);
  const [first] = refused;
  if (moved.length === 0 && first) throw new UserError(`“${first.item.name}” was not moved. ${first.error}`);
  if (moved.length === 0) {
    vscode.window.setStatusBarMessage(text`$(check) Already in this folder: ${named(items)}`, 5000);
    return;
  }
  const { done, failed } = await services.operations.run({
    label: text`Moving ${named(moved)}`,
    key: keyOf(target),
    run: async () => moveItems(services.data.client(target.accountId), target.deploymentId, moved, folderId),
  });
  const outcome = { done, failed: [...failed, ...refused] };
  await report(services, target, 'moved', outcome, (left) => moveTo(services, { target, items: left }, folderId));
}

/** Deletes items after their name, or how many they are, was typed: there is no way back. */
export async function remove(services: RemoveDeps, chosen: Chosen): Promise<void> {
  const { target } = chosen;
  const folders = services.data.known(target)?.folders.state.value.value?.items ?? [];
  const items = deletionOrder(chosen.items, folders);
  const [first] = items;
  if (!first) return;
  const sure = await confirm({
    title: text`Delete ${named(items)} of ${services.data.nameOf(target)}`,
    detail: text`${items.length === 1 ? '' : `${namesOf(items)}. `}This cannot be undone.`,
    button: 'Delete',
    typed: items.length === 1 ? first.name : plural(items.length, 'item'),
  });
  if (!sure) return;
  const outcome = await services.operations.run({
    label: text`Deleting ${named(items)}`,
    key: keyOf(target),
    run: async () => deleteItems(services.data.client(target.accountId), target.deploymentId, items),
  });
  // Only reports and workbooks are favourites.
  await services.favourites.remove(target, outcome.done);
  await report(services, target, 'deleted', outcome, (failed) => remove(services, { target, items: failed }));
}

const keyOf = ({ accountId, deploymentId }: DeploymentTarget): string => `workspace ${accountId} ${deploymentId}`;

/** Copies a workbook. */
export async function duplicate(services: DataDeps, { target, items }: Chosen): Promise<void> {
  const [item] = items;
  if (!item || item.type !== 'WORKBOOK') throw new UserError('Only workbooks can be duplicated.');
  const shared = await vscode.window.showQuickPick(
    [
      { label: text`My copy`, shared: false },
      { label: text`From the shared workspace`, shared: true },
    ],
    { placeHolder: text`How do you want to duplicate “${item.name}”?` },
  );
  if (!shared) return;
  await services.data.client(target.accountId).call(duplicateWorkbook, {
    params: { deploymentId: target.deploymentId, workbookId: item.id },
    body: shared.shared ? { shared: true } : {},
  });
  await refresh(services, target);
  vscode.window.setStatusBarMessage(text`$(check) Duplicated “${item.name}”`, 5000);
}

/** Says what was done after loading anew what it touched. */
async function report(
  services: DataDeps,
  target: DeploymentTarget,
  verb: string,
  { done, failed }: BulkOutcome,
  again: (failed: readonly ItemReference[]) => Promise<void>,
): Promise<void> {
  await refresh(services, target);
  await reportBulk({
    done: plural(done.length, 'item'),
    verb,
    failed: failed.map(({ item: { name }, error }) => ({ name, error })),
    retry: () => again(failed.map(({ item }) => item)),
  });
}

async function refresh({ data }: DataDeps, target: DeploymentTarget): Promise<void> {
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
