import * as vscode from 'vscode';
import { listEmbedTenants } from '#api/embed.ts';
import { UserError } from '#features/user-error.ts';
import type { DeploymentTarget } from '#protocol/targets.ts';
import { askChecked } from '../platform/checked-input.ts';
import type { ConsoleServices } from './deps.ts';

/** Which notifications are listed (management 4.11): all, or those of a dashboard or to somebody. */
export interface NotificationFilter {
  readonly dashboardPublicId?: string;
  readonly recipientEmail?: string;
  readonly recipientUserId?: string;
  readonly recipientEmbedTenantName?: string;
  readonly recipientExternalId?: string;
}

const choices = [
  { label: 'All', field: undefined, prompt: '' },
  {
    label: 'Of a Dashboard…',
    description: 'by its public id',
    field: 'dashboardPublicId',
    prompt: 'The dashboard’s public id',
  },
  {
    label: 'To a Person…',
    description: 'by their e-mail address',
    field: 'recipientEmail',
    prompt: 'The person’s e-mail address',
  },
  { label: 'To a User…', description: 'by their id', field: 'recipientUserId', prompt: 'The user’s id' },
  {
    label: 'To an Embed User…',
    description: 'by embed tenant and external id',
    field: 'recipientExternalId',
    prompt: 'The embed user’s external id',
  },
] as const;

/** Asks which notifications; nothing when the person gives up. */
export async function askNotificationFilter(
  services: ConsoleServices,
  target: DeploymentTarget,
): Promise<NotificationFilter | undefined> {
  const picked = await vscode.window.showQuickPick(choices, {
    title: 'Notifications',
    placeHolder: 'Which notifications?',
  });
  if (!picked) return undefined;
  if (picked.field === undefined) return {};
  const isEmbed = picked.field === 'recipientExternalId';
  const tenant = isEmbed ? await pickTenant(services, target) : undefined;
  if (isEmbed && tenant === undefined) return undefined;
  const typed = await askChecked({
    title: 'Notifications',
    prompt: picked.prompt,
    validate: (value) => (value.trim() === '' ? 'Enter a value, or press Esc.' : undefined),
  });
  if (typed === undefined) return undefined;
  return { [picked.field]: typed.trim(), ...(tenant === undefined ? {} : { recipientEmbedTenantName: tenant }) };
}

async function pickTenant({ data }: ConsoleServices, target: DeploymentTarget): Promise<string | undefined> {
  const tenants = (await data.client(target.accountId).call(listEmbedTenants, {})).data;
  if (tenants.length === 0) throw new UserError('This tenant has no embed tenants.');
  const items = tenants.map(({ name, displayName }) => ({ label: name, description: displayName ?? '' }));
  return (await vscode.window.showQuickPick(items, { placeHolder: 'Of which embed tenant?' }))?.label;
}
