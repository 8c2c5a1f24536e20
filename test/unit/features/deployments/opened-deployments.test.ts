import { beforeEach, describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { OpenedDeployments } from '#features/deployments/opened-deployments.ts';
import { branchKey } from '#features/platform/build-watch.ts';
import type { BuildState } from '#features/platform/build-state.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { type Desk, openDesk } from '#support/features.ts';

const built: BuildState = { phase: 'built', errorText: undefined, at: 0 };

let desk: Desk;
let opened: OpenedDeployments;
const target = () => ({ accountId: desk.account.id, deploymentId: '1' });

beforeEach(async () => {
  desk = await openDesk();
  const states = new Store<ReadonlyMap<string, BuildState>>(new Map());
  const check = async (branch: BranchTarget): Promise<void> => states.set(new Map([[branchKey(branch), built]]));
  opened = new OpenedDeployments({ data: desk.data, builds: { check, states } });
});

describe('the rows below a deployment', () => {
  it('stay unloaded when something else asked for the environments', async () => {
    await Promise.all([desk.data.of(target()).environments.ensure(), desk.data.of(target()).branches.ensure()]);
    expect(opened.detailsOf(target())).toBeUndefined();
  });

  it('hold the version and the production build once the row was opened', async () => {
    await desk.data.of(target()).environments.ensure();
    await opened.open(target());
    const details = opened.detailsOf(target());
    expect(details?.environments?.map(({ type }) => type)).toContain('production');
    expect(details?.versions?.map(({ isCurrent }) => isCurrent)).toContain(true);
    expect(details?.deployBuild).toEqual({ branchName: 'main', build: built });
    expect(details?.error).toBeUndefined();
  });

  it('are read again after the account was signed out and in, also where another view asked first', async () => {
    await opened.open(target());
    desk.data.forget(desk.account.id);
    await desk.data.of(target()).branches.ensure();
    expect(opened.detailsOf(target())).toBeUndefined();
    await opened.open(target());
    expect(opened.detailsOf(target())?.versions?.length).toBeGreaterThan(0);
  });

  it('get the production build once the branches are there that could not be read at first', async () => {
    desk.platform.control.faults([{ kind: 'status', status: 503, path: 'branches', times: 1 }]);
    await opened.open(target());
    expect(opened.detailsOf(target())?.deployBuild).toBeUndefined();
    await desk.data.of(target()).branches.refresh();
    opened.checkBuilds();
    expect(opened.detailsOf(target())?.deployBuild).toEqual({ branchName: 'main', build: built });
  });
});
