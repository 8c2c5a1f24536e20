import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import { deleteNotification, listNotifications, type Notification } from '#api/notifications.ts';
import { connectReportToWorkbook } from '#api/reports.ts';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import type { AdminDocument, DocumentEdit } from '#features/administration/document.ts';
import {
  type ItemPlace,
  newNotificationDocument,
  notificationDocument,
  reportDocument,
  workbookDocument,
} from '#features/workspace/item-documents.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import type { OpenOptions } from '#features/administration/vscode/admin-documents.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { titleOf } from '#features/platform/vscode/document-title.ts';
import type { OfferedData } from '#features/platform/vscode/deps.ts';
import type { DataDeps, ItemDeps } from './deps.ts';
import { askNotificationFilter, type NotificationFilter } from './notification-filter.ts';
import type { ItemRecipe } from '#shell/vscode/recipe.ts';
import type { Chosen } from './organise-items.ts';

/** Opens a report or a workbook as a document; saving updates it by its public id or slug (docs/platform-api.md#workspace). */
export async function edit(services: ItemDeps, { target, items }: Chosen): Promise<void> {
  const [item] = items;
  if (!item || item.type === 'FOLDER') throw new UserError('Choose a report or a workbook.');
  if (item.publicId === undefined) {
    const word = item.type === 'REPORT' ? 'public id' : 'slug';
    throw new UserError(`The platform does not say the ${word} of “${item.name}”, so it cannot be changed from here.`);
  }
  const kind = item.type === 'REPORT' ? 'report' : 'workbook';
  await open(services, { kind, target, id: item.publicId, name: item.name });
}

/** Opens the report or workbook of a public id or slug that the user names; saving makes one that is not there yet. */
export async function create(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: text`Report`,
        detail: text`known by a public id that you choose`,
        what: 'report' as const,
        word: 'public id',
      },
      { label: text`Workbook`, detail: text`known by a slug that you choose`, what: 'workbook' as const, word: 'slug' },
    ],
    { title: text`New Report or Workbook`, placeHolder: text`What do you want to create?` },
  );
  if (!picked) return;
  const id = await askChecked({
    title: text`New ${picked.label}`,
    prompt: text`Its ${picked.word}, which links will use. If it already exists, the existing one is opened.`,
    validate: (typed) => (/^[\w.-]+$/.test(typed.trim()) ? undefined : 'Enter letters, digits, ., - and _ only.'),
  });
  if (id !== undefined) await open(services, { kind: picked.what, target, id: id.trim() });
}

/** Links a report to a place in an external spreadsheet (docs/platform-api.md#connectreporttoworkbook). */
export async function connectSpreadsheet(services: DataDeps, { target, items }: Chosen): Promise<void> {
  const [report] = items;
  if (report?.type !== 'REPORT') throw new UserError('Choose a report: only reports are connected to spreadsheets.');
  const ask = async (step: number, prompt: string, placeholder: string): Promise<string | undefined> => {
    const what = prompt.charAt(0).toLowerCase() + prompt.slice(1);
    const typed = await askChecked({
      title: text`Connect “${report.name}” to a Spreadsheet`,
      step,
      totalSteps: 3,
      prompt,
      placeholder,
      validate: (value) => (value.trim() === '' ? `Enter ${what}.` : undefined),
    });
    return typed?.trim();
  };
  const externalWorkbookId = await ask(1, 'The id of the spreadsheet', 'sheet-weekly');
  if (externalWorkbookId === undefined) return;
  const resultLocation = await ask(2, 'The cell where the result begins', 'Sheet1!A1');
  if (resultLocation === undefined) return;
  const endResultCell = await ask(3, 'The last cell of the result', 'D13');
  if (endResultCell === undefined) return;
  await services.data.client(target.accountId).call(connectReportToWorkbook, {
    params: { deploymentId: target.deploymentId, reportId: report.id },
    body: { externalWorkbookId, resultLocation, endResultCell },
  });
  vscode.window.setStatusBarMessage(text`$(check) “${report.name}” is connected to ${externalWorkbookId}`, 5000);
}

/** Lists the scheduled notifications, all or those of a dashboard or a user; opens the chosen one. */
export async function showNotifications(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  const query = await askNotificationFilter(services, target);
  if (!query) return;
  const chosen = await pickNotification(services, target, query);
  if (chosen) await open(services, { kind: 'notification', target, id: chosen.id });
}

/** Opens a new notification; saving it makes it. */
export async function createNotification(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  await open(services, { kind: 'newNotification', target, number: made + 1 });
}

/** Tells new documents of a window apart. */
let made = 0;

/** Deletes a notification that the user picks and names again (docs/platform-api.md#deletenotification). */
export async function removeNotification(services: DataDeps, target: DeploymentTarget): Promise<void> {
  const chosen = await pickNotification(services, target, {});
  if (!chosen) return;
  const sure = await confirm({
    title: text`Delete the notification “${chosen.name ?? chosen.id}”`,
    detail: text`Its recipients no longer get it. This cannot be undone.`,
    button: 'Delete',
    typed: chosen.name ?? chosen.id,
  });
  if (!sure) return;
  await services.data
    .client(target.accountId)
    .call(deleteNotification, { params: { deploymentId: target.deploymentId, id: chosen.id } });
  vscode.window.setStatusBarMessage(text`$(check) Deleted “${chosen.name ?? chosen.id}”`, 5000);
}

async function open(services: ItemDeps, recipe: ItemRecipe): Promise<void> {
  const { document, options } = itemDocument(services, recipe);
  await services.forms.open(accountOf(services, recipe.target), document, options);
}

/** The document of a report, a workbook or a notification, in this window or an earlier one. */
export function itemDocument(
  services: OfferedData,
  made: ItemRecipe,
): { readonly document: AdminDocument; readonly options: OpenOptions } {
  // What was saved has another name, or was only then made: a reload reads that again.
  let recipe = made;
  const follow = (now: ItemRecipe): void => void (recipe = now);
  const document = documentOf(placeOf(services, made.target), made, follow);
  const options: OpenOptions = {
    get recipe() {
      return recipe;
    },
    onSaved: async () => refresh(services, made.target),
  };
  return { document: inDeployment(services, made.target, document), options };
}

function documentOf(place: ItemPlace, recipe: ItemRecipe, follow: (now: ItemRecipe) => void): AdminDocument {
  const { kind, target } = recipe;
  const known = kind === 'newNotification' ? 'notification' : kind;
  const named = (id: string, name: string): void => follow({ kind: known, target, id, name });
  switch (kind) {
    case 'report':
      return reportDocument(place, recipe.id, recipe.name, named);
    case 'workbook':
      return workbookDocument(place, recipe.id, recipe.name, named);
    case 'notification':
      return notificationDocument(place, recipe.id);
    case 'newNotification':
      made = Math.max(made, recipe.number);
      return newNotificationDocument(place, recipe.number, named);
    default:
      return unreachable(kind);
  }
}

/** Deployments have documents of the same names; what a document becomes by saving stays where it is. */
function inDeployment(services: DataDeps, target: DeploymentTarget, document: AdminDocument): AdminDocument {
  const { edit } = document;
  const send: DocumentEdit['send'] | undefined =
    edit && (async (fields, before) => inDeployment(services, target, await edit.send(fields, before)));
  return {
    ...document,
    ...(edit && send ? { edit: { ...edit, send } } : {}),
    path: `/${titleOf(services, target)} ${target.deploymentId}${document.path}`,
  };
}

function accountOf({ accounts }: Pick<ItemDeps, 'accounts'>, { accountId }: DeploymentTarget) {
  const account = accounts.get(accountId);
  if (!account)
    throw new UserError('You are signed out of this tenant.', { title: 'Sign In', command: 'modelbench.signIn' });
  return account;
}

const placeOf = (
  { data, offers, learnOffers }: OfferedData,
  { accountId, deploymentId }: DeploymentTarget,
): ItemPlace => ({
  client: data.client(accountId),
  deploymentId,
  listsWorkbooks: async () => {
    await learnOffers(accountId);
    return offers(accountId, 'listWorkbooks');
  },
});

async function refresh({ data }: DataDeps, target: DeploymentTarget): Promise<void> {
  const { reports, workbooks } = data.of(target);
  await Promise.all(
    [reports, workbooks].filter(({ state }) => state.value.value !== undefined).map((list) => list.refresh()),
  );
}

async function listed(
  { data }: DataDeps,
  { accountId, deploymentId }: DeploymentTarget,
  query: NotificationFilter,
): Promise<readonly Notification[]> {
  return (await data.client(accountId).call(listNotifications, { params: { deploymentId }, query })).data;
}

async function pickNotification(
  services: DataDeps,
  target: DeploymentTarget,
  query: NotificationFilter,
): Promise<Notification | undefined> {
  const all = await listed(services, target, query);
  if (all.length === 0) throw new UserError('There is no such notification.');
  const items = all.map((notification) => ({
    label: withIcon(
      notification.enabled === false ? 'bell-slash' : 'bell',
      textOf(notification.name ?? notification.id),
    ),
    description: textOf(notification.dashboardPublicId ?? ''),
    detail: textOf([notification.schedule, notification.timezone].filter((part) => part !== undefined).join(' · ')),
    notification,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Notifications of ${titleOf(services, target)}`,
    placeHolder: textOf(plural(all.length, 'notification')),
    matchOnDescription: true,
  });
  return picked?.notification;
}
