import { describe, expect, it } from 'vitest';
import { isPlatformError } from '#api/errors.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import { valuesDocument } from '#features/administration/attribute-values.ts';
import { newDocument } from '#features/administration/object-documents.ts';
import { documentOf } from '#features/administration/open-document.ts';
import { settings } from '#features/administration/read-rows.ts';
import type { AdminRow, TopList } from '#features/administration/rows.ts';
import { createdDeployment } from '#features/deployments/created-deployment.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { fetchBranches, fetchDeployments, fetchEnvironments, fetchVersions } from '#features/platform/gateway.ts';
import { shownRows } from '#shell/shown-rows.ts';
import { folderPage, reportPage } from '#features/platform/workspace-lists.ts';
import { getEmbedAccess } from '#api/resources/workbooks.ts';
import { setDashboardEmbedding, runPythonReport } from '#api/resources/embed.ts';
import { listNotifications } from '#api/resources/notifications.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { readModes } from '#platform/modes/modes.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { commitBranch } from '#support/confirmed-steps.ts';

/** Features on a platform that answers the fields that the documented API lists and none besides. */
const open = async (): Promise<Desk> => openDesk({ modes: readModes('bare') });

/** A platform whose answers at a path are these. */
const answering = async (path: string, answer: object): Promise<Desk> =>
  openDesk({
    through: async (request, send) => (request.url.includes(path) ? Response.json(answer) : send(request)),
  });

async function listed(desk: Desk, list: TopList): Promise<readonly AdminRow[] | string> {
  const rows = new AdminData({ data: { client: () => desk.client }, state: new MemoryState() }).of(desk.account.id, {
    list,
  });
  await rows.ensure();
  const { error, value } = rows.state.value;
  return error ? (isPlatformError(error) ? error.kind : error.message) : (value?.items ?? []);
}

describe('with the documented fields only', () => {
  it('deployments, their versions, environments and branches have rows', async () => {
    const { client } = await open();
    const plain = await openDesk();
    const names = (rows: readonly { readonly name: string }[]): readonly string[] => rows.map(({ name }) => name);
    expect(names(await fetchDeployments(client))).toEqual(names(await fetchDeployments(plain.client)));
    expect(names(await fetchEnvironments(client, '1'))).toEqual(names(await fetchEnvironments(plain.client, '1')));
    expect(names(await fetchBranches(client, '1'))).toEqual(names(await fetchBranches(plain.client, '1')));
    expect(await fetchVersions(client, '1')).toEqual(await fetchVersions(plain.client, '1'));
  });

  it('a created deployment is found in the list', async () => {
    const { data, account } = await open();
    expect(await createdDeployment(data, account.id, { name: 'Second' })).toMatch(/^\d+$/);
  });

  it('a commit is done, at the commit that the list of branches shows', async () => {
    const desk = await open();
    const dev = await startDevMode(desk, { accountId: desk.account.id, deploymentId: '1', branchName: 'main' });
    const body = { branchName: dev.branchName, files: [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    expect(await commitBranch(desk.data, dev, 'New')).toMatchObject({
      ok: true,
      value: { lastHash: /^[0-9a-f]{40}$/ },
    });
  });

  it('folders and reports have rows', async () => {
    const { client } = await open();
    for (const page of [folderPage, reportPage]) {
      const { items } = await page(client, '1', {});
      expect(items.length).toBeGreaterThan(0);
      expect(items.every(({ id, name }) => id !== '' && name !== '')).toBe(true);
    }
  });

  it('notifications have rows', async () => {
    const { client } = await open();
    const { data } = await client.call(listNotifications, { params: { deploymentId: '1' } });
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(['1']));
  });

  it.each(['attributes', 'oauthIntegrations', 'oidcConfigs'] as const)(
    'the rows of %s have their ids as names',
    async (list) => {
      const rows = await listed(await open(), list);
      if (typeof rows === 'string') throw new Error(rows);
      expect(rows.length).toBeGreaterThan(0);
      expect(rows.map(({ name }) => name)).toEqual(rows.map(({ id }) => id));
    },
  );

  it.each(['users', 'groups', 'oauthTokens', 'embedTenants'] as const)(
    'a list of %s that names nothing is an error, and not an empty list',
    async (list) => {
      expect(await listed(await open(), list)).toBe('invalidResponse');
    },
  );

  it('values of user attributes that name no attribute are an error, and not “no values”', async () => {
    const desk = await answering('/user-attribute-values/', { data: [{}] });
    const user: AdminRow = { type: 'user', id: '1', name: 'Ada', detail: '', fields: {} };
    const document = await valuesDocument(desk.client, user);
    await expect(document.read()).rejects.toThrow('does not say which attributes these values belong to');
  });

  it('settings that are not shown are not settings, and only what is typed is sent', async () => {
    const { client } = await open();
    const [row] = settings;
    const document = row && documentOf(client, row);
    expect(await document?.read()).toEqual({});
  });

  it('an object that was created is reported as created', async () => {
    const { client } = await open();
    const made = newDocument(client, 'attribute', 1, { onCreated: () => Promise.resolve() });
    await expect(made.edit?.send({ name: 'unit', type: 'string' }, {})).resolves.toBeDefined();
  });

  it('embed access can be set although what is granted is not shown', async () => {
    const { client } = await open();
    const params = { deploymentId: '1', workbookId: '1' };
    expect(await shownRows(async () => client.call(getEmbedAccess, { params }))).toBeUndefined();
  });

  it('embedding and Python reports are done whatever is answered', async () => {
    const { client } = await answering('/embed/dashboard/', {});
    const params = { publicId: 'dashboard-store-performance' };
    await expect(client.call(setDashboardEmbedding, { params, body: { enabled: true } })).resolves.toBeDefined();
    await expect(client.call(runPythonReport, { params, body: {} })).resolves.toBeDefined();
  });
});
