import { plural } from '#base/words.ts';
import { actOnUsers, type AdminOutcome, deletable, deleteRows } from '#features/administration/bulk-actions.ts';
import { refreshAfter } from '#features/administration/new-object.ts';
import { type AdminRow, typeLabels } from '#features/administration/rows.ts';
import { Hint } from '#shell/user-error.ts';
import { namesOf, reportBulk } from '#shell/vscode/bulk-report.ts';
import { followingClientOf } from '#shell/following-client.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { ChosenRows } from './choose.ts';
import type { AdminHandlerDeps } from './deps.ts';
import { accountOf } from './objects.ts';

/** Activates or deactivates users. Deactivating asks for confirmation, because these users can no longer sign in. */
export async function setActive(services: AdminHandlerDeps, chosen: ChosenRows, active: boolean): Promise<void> {
  const { accountId, rows } = chosen;
  const sure =
    active ||
    (await confirm({
      title: `Deactivate ${namedRows(rows)}?`,
      detail: `${accountOf(services, accountId).label}: they cannot sign in until they are activated again.\n\n${namesOf(rows)}`,
      button: 'Deactivate',
    }));
  if (!sure) return;
  const outcome = await services.operations.run({
    label: `${active ? 'Activating' : 'Deactivating'} ${namedRows(rows)}`,
    key: keyOf(accountId),
    run: async ({ signal }) =>
      actOnUsers(followingClientOf(services, accountId), active ? 'ACTIVATE' : 'DEACTIVATE', rows, signal),
  });
  await report(services, chosen, active ? 'activated' : 'deactivated', outcome, (failed) =>
    setActive(services, failed, active),
  );
}

/** Deletes objects after the user typed their name or, for several, their number. */
export async function remove(services: AdminHandlerDeps, chosen: ChosenRows): Promise<void> {
  const { accountId, rows } = chosen;
  const [{ type }] = rows;
  if (!deletable.has(type)) throw new Hint(`The platform has no operation that deletes a ${typeLabels[type]}.`);
  const typed = rows.length === 1 ? rows[0].name : plural(rows.length, typeLabels[type]);
  const sure = await confirm({
    title: `Delete ${namedRows(rows)} of ${accountOf(services, accountId).label}`,
    detail: `${rows.length === 1 ? '' : `${namesOf(rows)}. `}${consequences[type] ?? ''}This cannot be undone.`,
    button: 'Delete',
    typed,
  });
  if (!sure) return;
  const outcome = await services.operations.run({
    label: `Deleting ${namedRows(rows)}`,
    key: keyOf(accountId),
    run: async ({ signal }) => deleteRows(followingClientOf(services, accountId), rows, signal),
  });
  for (const row of outcome.done) {
    if (row.type === 'embedGroup') await services.admin.groups.remove(accountId, row.tenant ?? '', row.id);
  }
  await report(services, chosen, 'deleted', outcome, (failed) => remove(services, failed));
}

const consequences: Readonly<Partial<Record<AdminRow['type'], string>>> = {
  oauthIntegration: 'The tokens of all users for it stop working. ',
  oauthToken: 'You are disconnected from this integration. ',
  oidcConfig: 'Tokens of this configuration are no longer accepted. ',
  embedTenant: 'Its users and groups are deleted too, and dashboards embedded for it stop working. ',
  embedGroup: 'Its members lose the access that the group gives them. ',
};

/** Reloads the affected lists, then reports the result. */
async function report(
  services: AdminHandlerDeps,
  { accountId, list, rows: [{ type }] }: ChosenRows,
  verb: string,
  { done, failed }: AdminOutcome,
  again: (failed: ChosenRows) => Promise<void>,
): Promise<void> {
  await refreshAfter(services.admin, accountId, type);
  await reportBulk({
    done: plural(done.length, typeLabels[type]),
    verb,
    failed: failed.map(({ row: { name }, error }) => ({ name, error })),
    retry: async () => {
      const [first, ...others] = failed.map(({ row }) => row);
      if (first) await again({ accountId, list, rows: [first, ...others] });
    },
  });
}

function namedRows(rows: ChosenRows['rows']): string {
  return rows.length === 1
    ? `${typeLabels[rows[0].type]} “${rows[0].name}”`
    : plural(rows.length, typeLabels[rows[0].type]);
}

function keyOf(accountId: string): string {
  return `administration ${accountId}`;
}
