import { describe, expect, it } from 'vitest';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { getApiDescription } from '#api/resources/tenant.ts';
import { readEnvVars, setEnvVars } from '#api/resources/runtime.ts';
import { AdminData } from '#features/administration/admin-data.ts';
import { actOnUsers } from '#features/administration/bulk-actions.ts';
import { mergedFields } from '#features/administration/changes.ts';
import type { AdminDocument } from '#features/administration/document.ts';
import { newDocument } from '#features/administration/object-documents.ts';
import { documentOf } from '#features/administration/open-document.ts';
import { type AdminRow, topLists } from '#features/administration/rows.ts';
import { servedEdit } from '#features/administration/served-edit.ts';
import { createdDeployment } from '#features/deployments/created-deployment.ts';
import { readVariables, shownVariables } from '#shell/env-vars.ts';
import { notificationDocument } from '#features/workspace/item-documents.ts';
import { createBranch, setStaging, startDevMode, stopDevMode } from '#features/branches/dev-mode.ts';
import { fetchBranches, fetchDeployments, fetchEnvironments, fetchVersions } from '#features/platform/gateway.ts';
import { folderPage, reportPage } from '#features/platform/workspace-lists.ts';
import { namedModes } from '#platform/modes/modes.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';
import { oddPlatforms } from '#support/odd-answers.ts';
import { commitBranch, mergeBranch } from '#support/confirmed-steps.ts';

/** What users do, on platforms that answer in every way that the documented API allows. */
// Mode `bare` answers less than any of these needs: what becomes of it is shown where single operations are played.
const useful = [...Object.keys(namedModes).filter((name) => name !== 'bare'), ...Object.keys(oddPlatforms)];

describe.each(useful)('on a platform in mode %s', (name) => {
  const open = async (): Promise<
    Desk & { readonly target: { readonly accountId: string; readonly deploymentId: string } }
  > => {
    const mode = namedModes[name];
    const through = oddPlatforms[name];
    const desk = await openDesk({ modes: mode ? [mode] : [], ...(through ? { through } : {}) });
    return { ...desk, target: { accountId: desk.account.id, deploymentId: '1' } };
  };

  /** Changes one field as a save in the editor does, and answers what the platform has then. */
  const edit = async (desk: Desk, document: AdminDocument, field: string, value: unknown): Promise<unknown> => {
    const description = await desk.client.call(getApiDescription, {}).catch(() => undefined);
    const shown = await document.read();
    const now = await document.read();
    const { fields } = mergedFields(shown, { ...shown, [field]: value }, now);
    const served = document.edit && servedEdit(document.edit, document.title, description);
    const checked = served?.check(fields, now);
    expect(checked).toMatchObject({ ok: true });
    const after = await served?.send(fields, now);
    return (await after?.read())?.[field];
  };

  const rowsOf = async (desk: Desk, list: (typeof topLists)[number]): Promise<readonly AdminRow[]> => {
    const rows = new AdminData({ data: { client: () => desk.client }, state: new MemoryState() }).of(desk.account.id, {
      list,
    });
    await rows.ensure();
    while (rows.state.value.value?.next !== undefined) await rows.loadMore();
    const { error, value } = rows.state.value;
    expect(error).toBeUndefined();
    return value?.items ?? [];
  };

  it('lists are whole', async () => {
    const desk = await open();
    const plain = await openDesk();
    const ids = (all: readonly { readonly id?: unknown; readonly name: string }[]): readonly string[] =>
      all.map(({ name: each }) => each);
    for (const list of [fetchBranches, fetchEnvironments] as const)
      expect(ids(await list(desk.client, '1'))).toEqual(ids(await list(plain.client, '1')));
    expect(ids(await fetchDeployments(desk.client))).toEqual(ids(await fetchDeployments(plain.client)));
    expect((await fetchVersions(desk.client, '1')).length).toBe((await fetchVersions(plain.client, '1')).length);
    for (const list of topLists) expect(ids(await rowsOf(desk, list))).toEqual(ids(await rowsOf(plain, list)));
    for (const page of [folderPage, reportPage])
      expect(ids((await page(desk.client, '1', {})).items).length).toBeGreaterThan(0);
  });

  it('a branch is created, written, committed and merged', async () => {
    const desk = await open();
    const branch = await createBranch(desk, desk.target, { name: 'shared-1', parentBranch: 'main' });
    expect(branch).toMatchObject({ name: 'shared-1', parentBranch: 'main' });
    expect((await setStaging(desk, { ...desk.target, branchName: 'shared-1' }, true)).staging).toBe(true);
    const dev = await startDevMode(desk, { ...desk.target, branchName: 'shared-1' });
    expect(dev.branchName).toMatch(/^dev-/);
    const path = 'model/cubes/more.yml';
    const body = { branchName: dev.branchName, files: [{ path, content: 'cubes: []\n' }] };
    await desk.client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
    expect(await commitBranch(desk.data, dev, 'More')).toMatchObject({ ok: true });
    const merged = await mergeBranch(desk.data, dev, {
      squashCommits: false,
      switchToParentBranch: false,
      deleteBranch: false,
    });
    expect(merged).toMatchObject({ ok: true });
    expect(await desk.platform.control.readFile(1, 'shared-1', path)).toBe('cubes: []\n');
    await stopDevMode(desk, desk.target);
  });

  it('objects of administration are changed and created', async () => {
    const desk = await open();
    const row = async (list: (typeof topLists)[number], at = 0): Promise<AdminRow> => {
      const found = (await rowsOf(desk, list))[at];
      if (!found) throw new Error(`${list} has no row ${at}`);
      return found;
    };
    const { client } = desk;
    expect(await edit(desk, documentOf(client, await row('attributes')), 'description', 'Edited')).toBe('Edited');
    expect(await edit(desk, documentOf(client, await row('settings')), 'supportAccess', true)).toBe(true);
    expect(await edit(desk, documentOf(client, await row('oauthIntegrations')), 'name', 'Edited')).toBe('Edited');
    expect(await edit(desk, documentOf(client, await row('oidcConfigs')), 'name', 'Edited')).toBe('Edited');
    expect(await edit(desk, documentOf(client, await row('users', 1)), 'firstName', 'Edited')).toBe('Edited');
    const made = newDocument(client, 'attribute', 1, { onCreated: () => Promise.resolve() });
    const after = await made.edit?.send({ name: 'unit', type: 'string' }, {});
    expect(await after?.read()).toMatchObject({ name: 'unit' });
  });

  it('users are deactivated in one request, and who cannot be is named', async () => {
    const desk = await open();
    const users = await rowsOf(desk, 'users');
    const { done, failed } = await actOnUsers(desk.client, 'DEACTIVATE', users);
    expect([done.length, failed.length]).toEqual([users.length - 1, 1]);
  });

  it('environment variables and notifications are changed', async () => {
    const desk = await open();
    const shown = shownVariables(await readEnvVars(desk.client, '1'));
    const edited = [...shown, { name: 'ADDED', value: 'x' }];
    const read = readVariables({ env_variables: edited }, shown);
    expect(read.ok).toBe(true);
    await desk.client.call(setEnvVars, { params: { deploymentId: '1' }, body: { env_variables: edited } });
    const now = shownVariables(await readEnvVars(desk.client, '1'));
    expect(now.map((each) => each.name)).toContain('ADDED');
    expect(now.length).toBe(edited.length);
    const place = { client: desk.client, deploymentId: '1' };
    expect(await edit(desk, notificationDocument(place, '1'), 'name', 'Edited')).toBe('Edited');
  });

  it('a deployment is created and found', async () => {
    const desk = await open();
    const id = await createdDeployment(desk.data, desk.account.id, {
      name: 'Second',
      creationMethod: 'upload',
      deployMode: 'cli',
    });
    expect((await fetchDeployments(desk.client)).find((each) => each.id === id)?.name).toBe('Second');
  });
});
