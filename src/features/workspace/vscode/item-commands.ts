import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import type { Notification } from '#api/resources/notifications.ts';
import { plural } from '#base/words.ts';
import {
  type NotificationFilter,
  notificationsOf,
  removeNotification as removeOnPlatform,
} from '#features/workspace/notifications.ts';
import { itemDocument, newNotification, recipeOf } from '#features/workspace/open-items.ts';
import type { Chosen } from '#features/workspace/organise-items.ts';
import { renameItem } from '#features/workspace/rename.ts';
import { connectReport, onlyReport } from '#features/workspace/spreadsheets.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { titleOf } from '#features/platform/index.ts';
import type { DataDeps, ItemDeps } from './deps.ts';
import { askNotificationFilter } from './notification-filter.ts';
import type { ItemRecipe } from '#shell/recipe.ts';

/** Opens a report or a workbook as a document; saving updates it by its public id or slug (docs/platform-api.md#workspace). */
export async function edit(services: ItemDeps, chosen: Chosen): Promise<void> {
  await open(services, recipeOf(chosen));
}

/** Asks for a new name of a report or a workbook and renames it. */
export async function rename(services: ItemDeps, chosen: Chosen): Promise<void> {
  const recipe = recipeOf(chosen);
  const [item] = chosen.items;
  const before = item?.name ?? '';
  const typed = await askChecked({
    title: text`Rename “${before}”`,
    prompt: text`The new name. Everyone who uses this workspace sees it.`,
    value: before,
    validate: (value) => (value.trim() === '' ? 'Enter a name.' : undefined),
    // Show an error below the input, which keeps its text.
    check: async (value) => {
      if (value.trim() !== before) await renameItem(services, recipe, value.trim());
      return undefined;
    },
  });
  if (typed === undefined || typed.trim() === before) return;
  vscode.window.setStatusBarMessage(text`$(check) Renamed “${before}” to “${typed.trim()}”`, 5000);
}

/** Opens the report or workbook with a public id or slug that the user types; saving creates it if it does not exist. */
export async function create(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: text`Report`,
        detail: text`identified by a public id that you choose`,
        what: 'report' as const,
        word: 'public id',
      },
      {
        label: text`Workbook`,
        detail: text`identified by a slug that you choose`,
        what: 'workbook' as const,
        word: 'slug',
      },
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

/** Asks for a range in an external spreadsheet and links a report to it. */
export async function connectSpreadsheet(services: DataDeps, chosen: Chosen): Promise<void> {
  const report = onlyReport(chosen);
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
  const connection = { externalWorkbookId, resultLocation, endResultCell };
  await connectReport(services.data, chosen.target, report.id, connection);
  vscode.window.setStatusBarMessage(text`$(check) “${report.name}” is connected to ${externalWorkbookId}`, 5000);
}

/** Lists the scheduled notifications, all or those of a dashboard or a recipient; opens the chosen one. */
export async function showNotifications(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  const query = await askNotificationFilter(services, target);
  if (!query) return;
  const chosen = await pickNotification(services, target, query);
  if (chosen) await open(services, { kind: 'notification', target, id: chosen.id });
}

/** Opens a new notification, which saving creates. */
export async function createNotification(services: ItemDeps, target: DeploymentTarget): Promise<void> {
  await open(services, newNotification(target));
}

/** Deletes a notification that the user picks and confirms by typing its name. */
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
  await removeOnPlatform(services.data, target, chosen.id);
  vscode.window.setStatusBarMessage(text`$(check) Deleted “${chosen.name ?? chosen.id}”`, 5000);
}

async function open(services: ItemDeps, recipe: ItemRecipe): Promise<void> {
  const { document, options } = itemDocument(services, recipe);
  await services.forms.open(accountOf(services, recipe.target), document, options);
}

function accountOf({ accounts }: Pick<ItemDeps, 'accounts'>, { accountId }: DeploymentTarget) {
  const account = accounts.get(accountId);
  if (!account)
    throw new Hint('You are signed out of this tenant.', { title: 'Sign In', command: 'modelbench.signIn' });
  return account;
}

async function pickNotification(
  services: DataDeps,
  target: DeploymentTarget,
  query: NotificationFilter,
): Promise<Notification | undefined> {
  const all = await notificationsOf(services.data, target, query);
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
