import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { fetchEmbedTenants } from '#features/platform/index.ts';
import type { NotificationFilter } from '#features/workspace/notifications.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { typeEmbedTenant } from '#features/platform/vscode/index.ts';
import type { DataDeps } from './deps.ts';

const choices = [
  { label: text`All`, field: undefined, prompt: text`` },
  {
    label: text`By Dashboard…`,
    description: text`by its public id`,
    field: 'dashboardPublicId',
    prompt: text`The dashboard’s public id`,
  },
  {
    label: text`By E-mail Address…`,
    description: text`of the user who gets them`,
    field: 'recipientEmail',
    prompt: text`The user’s e-mail address`,
  },
  { label: text`By User…`, description: text`by their id`, field: 'recipientUserId', prompt: text`The user’s id` },
  {
    label: text`By Embed User…`,
    description: text`by embed tenant and external id`,
    field: 'recipientExternalId',
    prompt: text`The embed user’s external id`,
  },
] as const;

/** Asks which notifications to list; `undefined` if the user cancels. */
export async function askNotificationFilter(
  services: DataDeps,
  target: DeploymentTarget,
): Promise<NotificationFilter | undefined> {
  const picked = await vscode.window.showQuickPick(choices, {
    title: text`Notifications`,
    placeHolder: text`Which notifications?`,
  });
  if (!picked) return undefined;
  if (picked.field === undefined) return {};
  const isEmbed = picked.field === 'recipientExternalId';
  const tenant = isEmbed ? await pickTenant(services, target) : undefined;
  if (isEmbed && tenant === undefined) return undefined;
  const typed = await askChecked({
    title: text`Notifications`,
    prompt: picked.prompt,
    validate: (value) => (value.trim() === '' ? 'Enter a value, or press Esc.' : undefined),
  });
  if (typed === undefined) return undefined;
  return { [picked.field]: typed.trim(), ...(tenant === undefined ? {} : { recipientEmbedTenantName: tenant }) };
}

async function pickTenant({ data }: DataDeps, target: DeploymentTarget): Promise<string | undefined> {
  const tenants = await fetchEmbedTenants(data, target.accountId);
  if (tenants === undefined) return typeEmbedTenant();
  if (tenants.length === 0) throw new Hint('This tenant has no embed tenants.');
  const items = tenants.map(({ name, displayName }) => ({
    label: textOf(name),
    description: textOf(displayName ?? ''),
    name,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which embed tenant?` }))?.name;
}
