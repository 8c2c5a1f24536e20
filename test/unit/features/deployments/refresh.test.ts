import { beforeEach, describe, expect, it, vi } from 'vitest';
import { Store } from '#base/store.ts';
import type { BranchRole } from '#features/platform/branches.ts';
import {
  type BranchPages,
  loadMore,
  type RefreshPorts,
  refreshWorkspace,
  retry,
} from '#features/deployments/refresh.ts';
import { type Desk, openDesk } from '#support/features.ts';

let desk: Desk;
let asked: string[];
let ports: RefreshPorts & BranchPages;
beforeEach(async () => {
  desk = await openDesk({
    through: async (request, send) => (asked.push(new URL(request.url).pathname), send(request)),
  });
  asked = [];
  ports = {
    ...desk,
    offers: () => true,
    branchPages: new Store<ReadonlyMap<BranchRole, number>>(new Map()),
    loadBranches: ({ deploymentId }) => Promise.resolve(void asked.push(`branches of ${deploymentId}`)),
    syncs: {
      ofFolder: (folder) => ({ sync: { plan: () => Promise.resolve(void asked.push(`plan of ${folder}`)) } }),
      reconcile: () => Promise.resolve(void asked.push('reconcile')),
    },
  };
  await desk.session.select({ accountId: desk.account.id, deploymentId: '1' });
  asked = [];
});

describe('retrying a failed row', () => {
  it.each([
    ['changes:file:///shop', 'plan of file:///shop'],
    ['branches', 'branches of 1'],
    ['', 'reconcile'],
  ])('reads again what the row stands for: %j', async (what, expected) => {
    await retry(ports, what);
    expect(asked).toContain(expected);
  });

  it('reads the deployments of the account again, whose id holds colons', async () => {
    expect(desk.account.id).toContain(':');
    await retry(ports, `deployments:${desk.account.id}`);
    expect(asked).toEqual([expect.stringMatching(/deployments$/)]);
  });

  it('reads environments, versions and branches of one deployment again', async () => {
    await retry(ports, `deployment:${desk.account.id}:2`);
    const parts = asked.map((path) => path.replace(/^.*deployments\/2/, '')).toSorted();
    expect(parts).toEqual(['/branches', '/environments', '/versions']);
  });
});

describe('the lists of the Workspace view', () => {
  it('are read again with every folder that was opened', async () => {
    const known = desk.data.of({ accountId: desk.account.id, deploymentId: '1' });
    await refreshWorkspace(ports);
    const [folder] = known.folders.state.value.value?.items ?? [];
    await known.openFolder(folder?.id ?? '').reports.ensure();
    asked = [];
    await refreshWorkspace(ports);
    expect(asked.filter((path) => path.includes('reports'))).toHaveLength(2);
  });

  it('are not asked of a platform that has none', async () => {
    await refreshWorkspace({ ...ports, offers: () => false });
    expect(asked.filter((path) => path.includes('workbooks'))).toEqual([]);
  });

  it('grow by the page of the list that was asked for', async () => {
    const { reports, workbooks } = desk.data.of({ accountId: desk.account.id, deploymentId: '1' });
    const [more, other] = [vi.spyOn(reports, 'loadMore'), vi.spyOn(workbooks, 'loadMore')];
    await loadMore(ports, 'workspace:reports');
    expect([more.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
  });
});

describe('a group of branches', () => {
  it('shows one page more each time', async () => {
    await loadMore(ports, 'branches:shared');
    await loadMore(ports, 'branches:shared');
    expect([...ports.branchPages.value]).toEqual([['shared', 3]]);
  });
});
