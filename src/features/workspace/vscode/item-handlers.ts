import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { openingOf } from '#features/workspace/open-items.ts';
import { type Chosen, chosenRows, itemOf } from '#features/workspace/organise-items.ts';
import { deploymentOrPick, type DeploymentPickDeps } from '#features/platform/vscode/index.ts';
import type { DeploymentWorkCommands } from '#shell/commands/workspace-commands.ts';
import type { TreeRow } from '#shell/targets.ts';
import { requireTrust, type WindowTrust } from '#shell/trust.ts';
import { Hint } from '#shell/user-error.ts';
import { execute } from '#shell/vscode/guarded/commands.ts';
import { type Handler, type Handlers, selectedRows } from '#shell/vscode/register.ts';
import type { ItemDeps, RemoveDeps, SearchDeps } from './deps.ts';
import * as items from './item-commands.ts';
import { chosenItems, searchItem, type ItemQuestion } from './choose-items.ts';
import * as workspace from './organise-items.ts';
import { search } from './search.ts';

/** The dependencies of the commands on reports and workbooks. */
export interface ItemHandlerDeps extends WindowTrust {
  readonly documents: ItemDeps;
  readonly moving: RemoveDeps;
  readonly picking: DeploymentPickDeps;
  readonly searching: SearchDeps;
}

type ItemCommands = Pick<
  DeploymentWorkCommands,
  Extract<keyof DeploymentWorkCommands, `modelbench.workspace.${string}`>
>;

/** Returns the handlers of the commands on reports and workbooks. */
export function itemHandlers(deps: ItemHandlerDeps): Handlers<ItemCommands> {
  const { documents, moving, picking, searching } = deps;
  const { data } = moving;
  const onItems =
    (
      question: string,
      act: (chosen: Chosen) => Promise<void>,
      only: Omit<ItemQuestion, 'question'> = {},
    ): Handler<TreeRow> =>
    async (row, selection) => {
      requireTrust(deps);
      const chosen = await chosenItems(searching, selectedRows(row, selection), { question, ...only });
      if (chosen) await act(chosen);
    };
  return {
    'modelbench.workspace.search': async () => search(searching),
    'modelbench.workspace.move': onItems(
      'Which report or workbook do you want to move?',
      (chosen) => workspace.move(moving, chosen),
      editable,
    ),
    'modelbench.workspace.delete': onItems(
      'Which report or workbook do you want to delete?',
      (chosen) => workspace.remove(moving, chosen),
      { offers: ({ canManage }) => canManage },
    ),
    'modelbench.workspace.duplicate': onItems(
      'Which workbook do you want to duplicate?',
      (chosen) => workspace.duplicate({ data }, chosen),
      { type: 'WORKBOOK' },
    ),
    'modelbench.workspace.edit': onItems(
      'Which report or workbook do you want to edit?',
      (chosen) => items.edit(documents, chosen),
      editable,
    ),
    'modelbench.workspace.connectSpreadsheet': onItems(
      'Which report do you want to connect to a spreadsheet?',
      (chosen) => items.connectSpreadsheet({ data }, chosen),
      { type: 'REPORT' },
    ),
    'modelbench.workspace.create': async (given) => {
      requireTrust(deps);
      const target = await deploymentOrPick(picking, given);
      if (target) await items.create(documents, target);
    },
    'modelbench.workspace.rename': onItems(
      'Which report or workbook do you want to rename?',
      (chosen) => items.rename(documents, chosen),
      editable,
    ),
    'modelbench.workspace.open': async (row) => open(searching, row),
    'modelbench.workspace.copyId': async (row) => copyId(searching, row),
  };
}

const editable: Pick<ItemQuestion, 'offers'> = { offers: ({ canEdit }) => canEdit };

/** Opens what a click on a row opens. */
async function open({ offers }: Pick<SearchDeps, 'offers'>, row: TreeRow | undefined): Promise<void> {
  const item = row && itemOf(row);
  const chosen = row && chosenRows([row]);
  if (!item || !chosen) throw new Hint('Choose a report or a workbook.');
  const { accountId } = chosen.target;
  const opening = openingOf(item, offers(accountId, 'getWorkbookDashboard'));
  if (opening !== 'nothing') return execute(openingCommands[opening], row);
  const action = {
    title: 'Open Tenant in Browser',
    command: 'modelbench.openInBrowser',
    argument: { accountId },
  } as const;
  throw new Hint(`“${item.name}” opens on the platform only.`, action);
}

const openingCommands = {
  dashboardPreview: 'modelbench.dashboard.preview',
  publishedDashboard: 'modelbench.dashboard.openPublished',
  document: 'modelbench.workspace.edit',
} as const;

async function copyId(services: SearchDeps, row: TreeRow | undefined): Promise<void> {
  const picked =
    (row && itemOf(row)) ?? (await searchItem(services, { question: 'Which item’s id do you want to copy?' }))?.item;
  if (!picked) return;
  const choices = [
    { label: textOf(picked.id), description: text`id` },
    ...(picked.publicId === undefined
      ? []
      : [{ label: textOf(picked.publicId), description: text`public id or slug` }]),
  ];
  const choice =
    choices.length === 1
      ? choices[0]
      : await vscode.window.showQuickPick(choices, { placeHolder: textOf(picked.name) });
  if (!choice) return;
  await vscode.env.clipboard.writeText(choice.label);
  vscode.window.setStatusBarMessage('$(check) Copied', 3000);
}
