import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import { removeMembers } from '#features/administration/bulk-actions.ts';
import { findEmbedGroup } from '#features/administration/embed-groups.ts';
import { addGroupMembers } from '#features/administration/group-members.ts';
import type { AdminList } from '#features/administration/rows.ts';
import { refreshAfter } from '#features/administration/new-object.ts';
import { adminError } from '#features/administration/admin-error.ts';
import { Hint } from '#shell/user-error.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { followingClientOf } from '#shell/following-client.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { chooseAccount, type ChosenRows, pickRows } from './choose.ts';
import type { AdminHandlerDeps } from './deps.ts';
import { openRows, pickTenant } from './objects.ts';

/** Opens a group of an embed tenant by its id and keeps it in the view, because the platform does not list groups. */
export async function openGroup(
  services: AdminHandlerDeps,
  parent: { readonly accountId: string; readonly list: AdminList } | undefined,
): Promise<void> {
  const accountId = parent?.accountId ?? (await chooseAccount(services));
  if (accountId === undefined) return;
  const named = parent && 'tenant' in parent.list ? parent.list.tenant : undefined;
  const tenant = named ?? (await pickTenant(services, accountId));
  if (tenant === undefined) return;
  const id = await askChecked({
    title: `Group of ${tenant}`,
    prompt: 'ID of the group. The platform does not list groups; a group that you open once stays in the view.',
    validate: (typed) => (typed.trim() === '' ? 'Enter the id of a group.' : undefined),
    check: async (typed, signal) => {
      const found = await findEmbedGroup(services, { accountId, tenant, id: typed }, signal);
      return found ? undefined : `“${tenant}” has no group with the id ${typed.trim()}.`;
    },
  });
  if (id === undefined) return;
  await services.admin.groups.add(accountId, tenant, id.trim());
  await refreshAfter(services.admin, accountId, 'embedGroup');
  const row = await findEmbedGroup(services, { accountId, tenant, id });
  if (row) await openRows(services, { accountId, list: { list: 'embedGroups', tenant }, rows: [row] });
}

/** Asks which users of the embed tenant to add to a group, and adds them. */
export async function addMembers(services: AdminHandlerDeps, { accountId, rows }: ChosenRows): Promise<void> {
  const [{ type, id, tenant, name }] = rows;
  if (type !== 'embedGroup' || tenant === undefined) throw new Hint('Choose a group of an embed tenant.');
  const members = services.admin.of(accountId, { list: 'members', tenant, groupId: id });
  await members.ensure();
  const { value: known, error } = members.state.value;
  if (!known) throw adminError(error ?? new Error('No members were loaded.'), 'read the members of this group');
  const present = new Set(known.items.map((row) => row.id));
  const users = await pickRows(
    services,
    accountId,
    { list: 'embedUsers', tenant },
    {
      placeHolder: `Which users of ${tenant} do you want to add to “${name}”?`,
      many: true,
      offers: (row) => !present.has(row.id),
    },
  );
  if (!users) return;
  const userIds = users.rows.map((row) => row.id);
  await addGroupMembers(followingClientOf(services, accountId), { tenant, id }, userIds);
  await refreshAfter(services.admin, accountId, 'embedUser');
  vscode.window.setStatusBarMessage(text`$(check) ${plural(userIds.length, 'member')} added to “${name}”`, 5000);
}

/** Removes the selected members from their group. */
export async function takeOut(services: AdminHandlerDeps, { accountId, list, rows }: ChosenRows): Promise<void> {
  if (!('groupId' in list) || list.tenant === '') throw new Hint('Choose members of a group of an embed tenant.');
  const { tenant, groupId: id } = list;
  const name = (await findEmbedGroup(services, { accountId, tenant, id }))?.name ?? id;
  const names = rows.map((row) => row.name).join(', ');
  const sure = await confirm({
    title: `Remove ${plural(rows.length, 'member')} from the group “${name}”?`,
    detail: `${names}\n\nThey remain users of ${tenant}.`,
    button: 'Remove',
  });
  if (!sure) return;
  await removeMembers(followingClientOf(services, accountId), list, rows);
  await refreshAfter(services.admin, accountId, 'embedUser');
  vscode.window.setStatusBarMessage(text`$(check) ${plural(rows.length, 'member')} removed`, 5000);
}
