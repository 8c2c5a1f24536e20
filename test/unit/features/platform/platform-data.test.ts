import { describe, expect, it } from 'vitest';
import { checkSignIn } from '#features/accounts/check-sign-in.ts';
import { PlatformData } from '#features/platform/platform-data.ts';
import { ReportOrderSetting } from '#features/platform/report-order.ts';
import { openDesk } from '#support/features.ts';
import { MemoryState } from '#support/memory-state.ts';

interface ReportsRequest {
  readonly query: { readonly after?: string; readonly first: number };
}

describe('platform data', () => {
  it('lists deployments, environments with endpoints, versions and branches', async () => {
    const { data, account } = await openDesk();
    const target = { accountId: account.id, deploymentId: '1' };
    expect(data.titleOf(target)).toBe('#1');
    const deployments = await data.deployments(account.id).get();
    expect(deployments.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect(data.nameOf(target)).toBe(deployments.find(({ id }) => id === '1')?.name);
    expect(data.titleOf(target)).toBe(data.nameOf(target));
    const [production] = (await data.of(target).environments.get()).filter(({ type }) => type === 'production');
    expect(production?.restUrl).toMatch(/^https?:/);
    expect(production?.sqlHost).toBeTypeOf('string');
    expect((await data.of(target).versions.get()).filter(({ isCurrent }) => isCurrent)).toHaveLength(1);
    expect((await data.of(target).branches.get()).map(({ name }) => name)).toEqual([
      'main',
      'pricing-experiments',
      'returns-model',
      'dev-grace-1',
    ]);
  });

  it('loads folders and reports page by page without showing one twice', async () => {
    const { data, account } = await openDesk();
    const { folders, reports } = data.of({ accountId: account.id, deploymentId: '1' });
    await Promise.all([folders.ensure(), reports.ensure()]);
    while (reports.state.value.value?.next !== undefined) await reports.loadMore();
    const ids = reports.state.value.value?.items.map(({ id }) => id) ?? [];
    expect(ids.length).toBeGreaterThan(20);
    expect(new Set(ids).size).toBe(ids.length);
    expect(folders.state.value.value?.items.length).toBeGreaterThan(0);
  });

  it('never loads more than is shown and one page: each step is one request, to item 10,000', async () => {
    const { accounts, account } = await openDesk();
    const asked: (string | undefined)[] = [];
    const call = async (_: unknown, { query: { after, first } }: ReportsRequest): Promise<object> => {
      asked.push(after);
      const from = Number(after ?? 0);
      const items = Array.from({ length: first }, (_item, index) => ({ id: String(from + index), name: 'Report' }));
      const endCursor = String(from + first);
      return Promise.resolve({ items, pageInfo: { hasNextPage: from + first < 10_000, endCursor } });
    };
    const data = new PlatformData({ accounts, connect: () => ({ call }) as never });
    const { reports } = data.of({ accountId: account.id, deploymentId: '1' });
    await Promise.all([reports.ensure(), reports.start()]);
    expect(asked).toEqual([undefined]);
    await Promise.all([reports.loadMore(), reports.loadMore()]);
    expect(asked).toEqual([undefined, '50']);
    while (reports.state.value.value?.next !== undefined) await reports.loadMore();
    expect(reports.state.value.value?.items).toHaveLength(10_000);
    expect(asked).toHaveLength(200);
  });

  it('orders reports as chosen, recently viewed ones without a cursor', async () => {
    const desk = await openDesk();
    const state = new MemoryState();
    const setting = new ReportOrderSetting(state);
    const data = new PlatformData({
      accounts: desk.accounts,
      connect: () => desk.client,
      reportOrder: () => setting.order.value,
    });
    const { reports } = data.of({ accountId: desk.account.id, deploymentId: '1' });
    await setting.choose('name');
    await reports.ensure();
    const names = reports.state.value.value?.items.map(({ name }) => name) ?? [];
    expect(names.length).toBeGreaterThan(1);
    expect(names).toEqual([...names].sort());
    expect(setting.label).toBe('by name');
    await new ReportOrderSetting(state).choose('lastViewedAt');
    const viewed = new ReportOrderSetting(state);
    await setting.choose(viewed.order.value);
    await reports.refresh();
    expect(reports.state.value.value?.items.length).toBeGreaterThan(0);
    expect(reports.state.value).toMatchObject({ error: undefined, value: { next: undefined } });
  });

  it('opens a folder to its own items only', async () => {
    const { data, account } = await openDesk();
    const known = data.of({ accountId: account.id, deploymentId: '1' });
    await known.reports.ensure();
    const inFolder = known.reports.state.value.value?.items.find(({ folderId }) => folderId !== undefined);
    const contents = known.openFolder(inFolder?.folderId ?? '');
    await contents.reports.ensure();
    const items = contents.reports.state.value.value?.items ?? [];
    expect(items.map(({ id }) => id)).toContain(inFolder?.id);
    expect(new Set(items.map(({ folderId }) => folderId))).toEqual(new Set([inFolder?.folderId]));
  });

  it('drops everything of an account that signs out', async () => {
    const { data, account, accounts } = await openDesk();
    const target = { accountId: account.id, deploymentId: '1' };
    await data.of(target).branches.get();
    await accounts.remove(account.id);
    expect(data.known(target)).toBeUndefined();
    expect(() => data.deployments(account.id)).toThrow('signed out');
  });

  it('says in those words that a scoped key is not for this deployment', async () => {
    const { platform, accounts, data } = await openDesk();
    platform.control.createKey({ tenantId: 1, userId: 1, name: 'scoped', secret: 'only-two', deployments: [2] });
    const scoped = await accounts.add('https://platform.test', 'only-two', 'scoped');
    await data.of({ accountId: scoped.id, deploymentId: '1' }).branches.refresh();
    const { error } = data.of({ accountId: scoped.id, deploymentId: '1' }).branches.state.value;
    expect(error?.message).toMatch(/not|scoped|deployment/i);
  });
});

describe('checking a sign-in', () => {
  it('blames the key when the platform does not know it', async () => {
    const { client } = await openDesk({ key: 'nobody' });
    const checked = await checkSignIn(client);
    expect(checked).toMatchObject({
      ok: false,
      error: { field: 'key', message: expect.stringContaining('Paste another one.') as string },
    });
  });

  it('counts the deployments that a right key opens', async () => {
    const { client } = await openDesk();
    const checked = await checkSignIn(client);
    expect(checked.ok && checked.value).toBeGreaterThan(1);
  });
});
