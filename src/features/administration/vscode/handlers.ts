import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { Hint, type UserError } from '#shell/user-error.ts';
import { deletable } from '#features/administration/bulk-actions.ts';
import { type AdminList, type AdminRow, listedRows, type RowType, topLists } from '#features/administration/rows.ts';
import type { AdminCommands } from '#shell/commands/administration-commands.ts';
import { views } from '#shell/view-ids.ts';
import type { TreeRow } from '#shell/targets.ts';
import { requireTrust } from '#shell/trust.ts';
import type { Handler, Handlers } from '#shell/vscode/register.ts';
import * as changes from './changes.ts';
import { chooseAccount, type ChosenRows, listOfNode, pickRows, chosenRows } from './choose.ts';
import type { AdminHandlerDeps } from './deps.ts';
import * as embedding from './embedding.ts';
import * as objects from './objects.ts';
import type { AdminTables } from './tables.ts';
import { focusView } from '#shell/vscode/guarded/commands.ts';

/** Returns the command handlers of the Administration view. */
export function adminHandlers(services: AdminHandlerDeps, tables: Pick<AdminTables, 'show'>): Handlers<AdminCommands> {
  return { ...viewHandlers(services, tables), ...rowHandlers(services) };
}

type ViewCommand = 'show' | 'showTable' | 'refresh' | 'retry' | 'loadMore' | 'create' | 'openGroup';
type ViewHandlers = Handlers<Pick<AdminCommands, `modelbench.administration.${ViewCommand}`>>;

function viewHandlers(services: AdminHandlerDeps, tables: Pick<AdminTables, 'show'>): ViewHandlers {
  const { admin } = services;
  return {
    'modelbench.administration.show': async () => {
      await vscode.workspace
        .getConfiguration('modelbench')
        .update('administration.enabled', true, vscode.ConfigurationTarget.Global);
      await focusView(views.administration);
    },
    'modelbench.administration.showTable': async (row) => {
      const node = listOfNode(row) ?? (await pickList(services));
      if (node) tables.show(node.accountId, node.list);
    },
    'modelbench.administration.refresh': async () => admin.refresh(),
    'modelbench.administration.retry': async (row) => {
      const node = listOfNode(row);
      if (node) await admin.of(node.accountId, node.list).refresh();
    },
    'modelbench.administration.loadMore': async (row) => {
      const node = listOfNode(row);
      if (node) await admin.of(node.accountId, node.list).loadMore();
    },
    'modelbench.administration.create': async (row) => {
      requireTrust(services);
      await objects.create(services, listOfNode(row));
    },
    'modelbench.administration.openGroup': async (row) => embedding.openGroup(services, listOfNode(row)),
  };
}

type RowHandlers = Handlers<Omit<AdminCommands, keyof ViewHandlers>>;

function rowHandlers(services: AdminHandlerDeps): RowHandlers {
  const { setActive, remove } = changes;
  type Act = (services: AdminHandlerDeps, chosen: ChosenRows) => Promise<void>;
  const onRows =
    (ask: () => Promise<ChosenRows | undefined>, act: Act, isChange: boolean): Handler<TreeRow> =>
    async (row, selection) => {
      if (isChange) requireTrust(services);
      const chosen = chosenRows(row, selection) ?? (await ask());
      if (chosen) await act(services, chosen);
    };
  const anything = (offers: (type: RowType) => boolean) => async (): Promise<ChosenRows | undefined> =>
    pickAnything(services, offers);
  const users =
    (placeHolder: string, offers?: (row: AdminRow) => boolean) => async (): Promise<ChosenRows | undefined> =>
      pickIn(services, { list: 'users' }, { placeHolder, many: true, ...(offers ? { offers } : {}) });
  const integration = async (): Promise<ChosenRows | undefined> =>
    pickIn(
      services,
      { list: 'oauthIntegrations' },
      { placeHolder: 'Which integration do you want to connect your account to?', many: false },
    );
  const group = (): Promise<ChosenRows | undefined> => Promise.reject(chooseGroup());
  const activate: Act = async (all, chosen) => setActive(all, chosen, true);
  const deactivate: Act = async (all, chosen) => setActive(all, chosen, false);
  return {
    'modelbench.administration.open': onRows(
      anything((type) => type !== 'embedTenant'),
      objects.openRows,
      false,
    ),
    'modelbench.administration.editValues': onRows(
      users('Whose attribute values do you want to edit?'),
      objects.openValues,
      false,
    ),
    'modelbench.administration.showScim': onRows(
      users('Whose SCIM resource do you want to see?'),
      objects.openScim,
      false,
    ),
    'modelbench.administration.activate': onRows(
      users('Which users do you want to activate?', ({ active }) => active === false),
      activate,
      true,
    ),
    'modelbench.administration.deactivate': onRows(
      users('Which users do you want to deactivate?', ({ active }) => active !== false),
      deactivate,
      true,
    ),
    'modelbench.administration.delete': onRows(
      anything((type) => deletable.has(type)),
      remove,
      true,
    ),
    'modelbench.administration.connect': onRows(integration, objects.connect, true),
    'modelbench.administration.addMembers': onRows(group, embedding.addMembers, true),
    'modelbench.administration.removeMembers': onRows(group, embedding.takeOut, true),
  };
}

function chooseGroup(): UserError {
  return new Hint('Choose a group of an embed tenant in the Administration view.', {
    title: text`Show Administration`,
    command: 'modelbench.administration.show',
  });
}

async function pickIn(
  services: AdminHandlerDeps,
  list: AdminList,
  options: Parameters<typeof pickRows>[3],
): Promise<ChosenRows | undefined> {
  const accountId = await chooseAccount(services);
  return accountId === undefined ? undefined : pickRows(services, accountId, list, options);
}

/** Asks for the kind of object, then for the object. */
async function pickAnything(
  services: AdminHandlerDeps,
  offers: (type: RowType) => boolean,
): Promise<ChosenRows | undefined> {
  const kind = await pickList(services, offers);
  return kind && pickRows(services, kind.accountId, kind.list, { placeHolder: text`Which one?`, many: false });
}

async function pickList(
  services: AdminHandlerDeps,
  offers: (type: RowType) => boolean = () => true,
): Promise<{ readonly accountId: string; readonly list: AdminList } | undefined> {
  const accountId = await chooseAccount(services);
  if (accountId === undefined) return undefined;
  const fitting = topLists.filter((list) => listedRows[list].some((type) => offers(type)));
  const kinds = fitting.map((list) => ({ label: textOf(objects.listLabel(list)), list }));
  const kind = await vscode.window.showQuickPick(kinds, { placeHolder: text`What kind of object is it?` });
  return kind && { accountId, list: { list: kind.list } };
}
