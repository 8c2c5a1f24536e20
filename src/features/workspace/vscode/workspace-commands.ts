import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { reportOrders, type WorkspaceItem } from '#features/platform/index.ts';
import type { ItemNode } from '#features/workspace/workspace-tree.ts';
import { Hint } from '#shell/user-error.ts';
import type { WorkspaceCommands } from '#shell/commands/commands.ts';
import type { DeploymentTarget, TreeRow } from '#shell/targets.ts';
import type { ArrangeDeps } from './deps.ts';
import { refreshWorkspace } from '#features/deployments/index.ts';
import { type Handlers, selectedRows } from '#shell/vscode/register.ts';

/**
 * Returns the handlers that arrange the Workspace view: its order and the user's favourites. They change nothing on the platform.
 */
export function workspaceCommands(services: ArrangeDeps): Handlers<WorkspaceCommands> {
  const { favourites } = services;
  return {
    'modelbench.workspace.sort': async () => sort(services),
    'modelbench.workspace.addFavourite': async (row, selection) => {
      const rows = chosen(row, selection);
      const one = rows.length > 0 ? rows : await found(services);
      const [first] = one;
      if (first) await favourites.add(first, itemsOf(one));
    },
    'modelbench.workspace.removeFavourite': async (row, selection) => {
      const rows = chosen(row, selection);
      const one = rows.length > 0 ? rows : await pickFavourite(services);
      const [first] = one;
      if (first) await favourites.remove(first, itemsOf(one));
    },
  };
}

/** An item and its deployment. */
type Chosen = DeploymentTarget & { readonly item: WorkspaceItem };

const itemsOf = (rows: readonly Chosen[]): readonly WorkspaceItem[] => rows.map(({ item }) => item);

/** Returns the selected items of the view; empty if the command came from the Command Palette. */
function chosen(row: TreeRow | undefined, selection: readonly TreeRow[] | undefined): readonly Chosen[] {
  return selectedRows(row, selection).filter(isItem);
}

function isItem(row: TreeRow): row is ItemNode {
  return row.kind === 'item';
}

async function found(services: ArrangeDeps): Promise<readonly Chosen[]> {
  const answer = await services.findItem('Which report or workbook?');
  return answer ? [{ ...answer.target, item: answer.item }] : [];
}

async function pickFavourite({ favourites, session }: ArrangeDeps): Promise<readonly Chosen[]> {
  const target = session.active.value;
  const items = target ? favourites.of(target) : [];
  if (!target || items.length === 0)
    throw new Hint('You have no favourites yet. Click a star in the Workspace view to add one.');
  const picked = await vscode.window.showQuickPick(
    items.map((item) => ({ label: textOf(item.name), description: textOf(item.folderPath.join(' / ')), item })),
    { placeHolder: text`Which favourite do you want to remove?` },
  );
  return picked ? [{ ...target, item: picked.item }] : [];
}

async function sort(services: ArrangeDeps): Promise<void> {
  const { reportOrder } = services;
  const accountId = services.session.active.value?.accountId;
  const served = accountId === undefined ? undefined : await services.capabilitiesOf(accountId);
  const items = reportOrders(served?.description).map(({ order, label }) => ({
    label: textOf(label),
    description: order === reportOrder.order.value ? text`present` : text``,
    // docs/platform-api.md#listreports: this order has no cursor.
    ...(order === 'lastViewedAt' ? { detail: text`In this order, the platform lists only the first page.` } : {}),
    order,
  }));
  const picked = await vscode.window.showQuickPick(items, { placeHolder: text`How should reports be sorted?` });
  if (!picked) return;
  await reportOrder.choose(picked.order);
  await refreshWorkspace(services);
}
