import { describe, expect, it } from 'vitest';
import { listNotifications } from '#api/resources/notifications.ts';
import { deleteRows, removeMembers } from '#features/administration/bulk-actions.ts';
import { newDocument } from '#features/administration/object-documents.ts';
import type { AdminRow } from '#features/administration/rows.ts';
import { deleteItems } from '#shell/bulk.ts';
import { createdDeployment } from '#features/deployments/created-deployment.ts';
import { newNotificationDocument } from '#features/workspace/item-documents.ts';
import { createBranch, startDevMode } from '#features/branches/dev-mode.ts';
import { fetchBranches, fetchDeployments } from '#features/platform/gateway.ts';
import { reportPage } from '#features/platform/workspace-lists.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { listEmbedTenants, listEmbedTenantUsers } from '#api/resources/embed.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { commitBranch, mergeBranch } from '#support/confirmed-steps.ts';

/** What users do while replies are lost: what was made is not reported as failed, and nothing is made twice. */

interface Losing extends Desk {
  readonly target: { readonly accountId: string; readonly deploymentId: string };
  /** Loses the next reply to requests of this kind (`POST …/commit`), before or after the platform did what was asked. */
  readonly lose: (kind: RegExp, when: 'before' | 'after') => void;
}

async function losing(): Promise<Losing> {
  let next: { readonly kind: RegExp; readonly when: 'before' | 'after' } | undefined;
  const desk = await openDesk({
    through: async (request, send) => {
      if (!next?.kind.test(`${request.method} ${new URL(request.url).pathname}`)) return send(request);
      const { when } = next;
      next = undefined;
      if (when === 'after') await send(request);
      throw Object.assign(new Error('reset'), { code: 'ECONNRESET' });
    },
  });
  const target = { accountId: desk.account.id, deploymentId: '1' };
  return { ...desk, target, lose: (kind, when) => void (next = { kind, when }) };
}

describe('a Git step whose reply is lost', () => {
  const working = async (): Promise<Losing & { readonly dev: Awaited<ReturnType<typeof startDevMode>> }> => {
    const desk = await losing();
    await createBranch(desk, desk.target, { name: 'shared-1', parentBranch: 'main' });
    const dev = await startDevMode(desk, { ...desk.target, branchName: 'shared-1' });
    const files = [{ path: 'model/cubes/more.yml', content: 'cubes: []\n' }];
    const body = { branchName: dev.branchName, files };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    return { ...desk, dev };
  };
  const hashOf = async ({ client }: Desk, name: string): Promise<string | undefined> =>
    (await fetchBranches(client, '1')).find((each) => each.name === name)?.lastHash;

  it('is done where the branch has another commit, and says so otherwise', async () => {
    const desk = await working();
    desk.lose(/^POST .*\/commit$/, 'before');
    await expect(commitBranch(desk.data, desk.dev, 'More')).rejects.toThrow(/did not show the change/);
    desk.lose(/^POST .*\/commit$/, 'after');
    expect(await commitBranch(desk.data, desk.dev, 'More')).toMatchObject({ ok: true });
    const options = { squashCommits: false, switchToParentBranch: false, deleteBranch: false };
    desk.lose(/^POST .*\/merge$/, 'before');
    const before = await hashOf(desk, 'shared-1');
    await expect(mergeBranch(desk.data, desk.dev, options)).rejects.toThrow(/may have been done/);
    expect(await hashOf(desk, 'shared-1')).toBe(before);
    desk.lose(/^POST .*\/merge$/, 'after');
    // A commit has gone to the parent branch already, so that nothing shows the merge.
    await expect(mergeBranch(desk.data, desk.dev, options)).rejects.toThrow(/may have been done/);
  });

  it('counts as done when the branch that it deletes is gone', async () => {
    const desk = await working();
    await commitBranch(desk.data, desk.dev, 'More');
    const options = { squashCommits: true, switchToParentBranch: true, deleteBranch: true };
    desk.lose(/^POST .*\/merge$/, 'after');
    expect(await mergeBranch(desk.data, desk.dev, options)).toMatchObject({ ok: true });
  });
});

describe('something new whose reply is lost', () => {
  it('is found in its list, and made once', async () => {
    const desk = await losing();
    const { client, lose } = desk;
    lose(/^POST .*\/deployments\/$/, 'after');
    const body = { name: 'Second', creationMethod: 'upload', deployMode: 'cli' } as const;
    const id = await createdDeployment(desk.data, desk.account.id, body);
    const seconds = (await fetchDeployments(client)).filter(({ name }) => name === 'Second');
    expect(seconds.map((each) => each.id)).toEqual([id]);

    const made: string[] = [];
    const onCreated = (row: AdminRow): Promise<void> => Promise.resolve(void made.push(`${row.type} ${row.name}`));
    for (const [type, fields] of [
      ['attribute', { name: 'unit', type: 'string' }],
      ['oidcConfig', { name: 'Mine' }],
      ['oauthIntegration', { name: 'Mine' }],
      ['user', { email: 'new@example.com' }],
    ] as const) {
      lose(/^POST /, 'after');
      await newDocument(client, type, 1, { onCreated }).edit?.send(fields, {});
      lose(/^POST /, 'before');
      const other = { ...fields, ...(type === 'user' ? { email: 'x@example.com' } : { name: 'other' }) };
      const failed = newDocument(client, type, 2, { onCreated }).edit?.send(other, {});
      await expect(failed).rejects.toThrow(/did not show the change/);
    }
    expect(made).toEqual(['attribute unit', 'oidcConfig Mine', 'oauthIntegration Mine', 'user new@example.com']);

    lose(/^POST .*\/notifications$/, 'after');
    const [known] = (await client.call(listNotifications, { params: { deploymentId: '1' } })).data;
    const fields = {
      dashboardPublicId: known?.dashboardPublicId,
      name: 'Daily',
      schedule: '0 8 * * *',
      recipients: [],
    };
    const place = { client, deploymentId: '1' };
    const saved = await newNotificationDocument(place, 1).edit?.send(fields, {});
    expect(saved?.readonlyReason).toBeUndefined();
    const { data } = await client.call(listNotifications, { params: { deploymentId: '1' } });
    expect(data.filter(({ name }) => name === 'Daily')).toHaveLength(1);
  });
});

describe('deletions whose reply is lost', () => {
  it('are done, and each item that is still there is named', async () => {
    const desk = await losing();
    const { client, lose } = desk;
    const [first, second] = (await reportPage(client, '1', {})).items;
    if (!first || !second) throw new Error('There are two reports.');
    lose(/^POST .*\/workspace\/bulk-delete$/, 'after');
    const outcome = await deleteItems(client, '1', [first, second]);
    expect([outcome.done.length, outcome.failed.length]).toEqual([2, 0]);
    lose(/^DELETE .*\/embed-tenants\//, 'after');
    const name = (await client.call(listEmbedTenants, {})).data.at(-1)?.name ?? '';
    const row: AdminRow = { type: 'embedTenant', id: name, name, detail: '', fields: {} };
    expect(await deleteRows(client, [row])).toMatchObject({ done: [{ name }], failed: [] });
  });

  it('count as done for members, although the second request finds none of them', async () => {
    const desk = await losing();
    const { client, lose } = desk;
    const [tenant] = (await client.call(listEmbedTenants, {})).data;
    const params = { embedTenantName: tenant?.name ?? '' };
    const [user] = (await client.call(listEmbedTenantUsers, { params })).data;
    expect(user).toBeDefined();
    let groupId = '';
    const onCreated = ({ id }: AdminRow): Promise<void> => Promise.resolve(void (groupId = id));
    await newDocument(client, 'embedGroup', 1, { tenant: params.embedTenantName, onCreated }).edit?.send(
      { name: 'Team' },
      {},
    );
    const member: AdminRow = { type: 'embedUser', id: user?.id ?? '', name: '', detail: '', fields: {} };
    const group = { tenant: params.embedTenantName, groupId };
    lose(/^DELETE .*\/users$/, 'after');
    await expect(removeMembers(client, group, [member])).resolves.toBeUndefined();
  });
});
