import { startDevMode as startDevModeOperation } from '#api/resources/branches.ts';
import { writeDataModelFiles } from '#api/resources/data-model.ts';
import { beforeEach, describe, expect, it } from 'vitest';
import { type DevModePorts, enterBranch, leaveBranch } from '#features/branches/enter-branch.ts';
import { startDevMode } from '#features/branches/dev-mode.ts';
import { runDirectly } from '#support/operations.ts';
import { type Desk, openDesk } from '#support/features.ts';

const operations = runDirectly();

let desk: Desk;
let ports: DevModePorts;
let done: string[];
beforeEach(async () => {
  desk = await openDesk();
  done = [];
  const sync = { flush: async () => void done.push('flush'), status: { value: { localChanges: [{ path: 'a.yml' }] } } };
  const session = { sync };
  ports = {
    builds: { follow: async ({ branchName }) => void done.push(`follow ${branchName}`) },
    data: desk.data,
    operations,
    session: desk.session,
    syncs: { all: { value: [session] }, ofBranch: () => [session], ofFolder: () => session } as never,
  };
});

const start = async (unsaved: number) => {
  const target = { accountId: desk.account.id, deploymentId: '1' };
  const branch = { target, label: 'Starting', unsavedIn: () => unsaved };
  return enterBranch(ports, branch, async () => startDevMode(ports, { ...target, branchName: 'main' }));
};

describe('entering a dev branch', () => {
  it('sends what is saved first, then follows the build of the branch', async () => {
    const { entered, carried } = await start(0);
    expect(done).toEqual(['flush', `follow ${entered.branchName}`]);
    expect(desk.session.activeTarget()).toEqual(entered);
    expect(carried).toBe('');
  });

  it('says which unsaved files come along from the branch that is left', async () => {
    const first = await start(0);
    const { carried } = await start(2);
    expect(carried).toContain(first.entered.branchName);
    expect(carried).toContain('2 not saved');
  });
});

describe('leaving a dev branch', () => {
  it('sends what is saved first and answers its name', async () => {
    const { entered } = await start(0);
    done.length = 0;
    expect(await leaveBranch(ports, undefined)).toEqual({ branchName: entered.branchName, other: undefined });
    expect(done).toEqual(['flush']);
    expect(desk.session.activeTarget()).toBeUndefined();
  });

  it('leaves dev mode on the branch on which another window of the user has started it since', async () => {
    const { entered } = await start(0);
    const { client, account } = desk;
    const elsewhere = await client.call(startDevModeOperation, {
      params: { deploymentId: '1' },
      body: { branchName: 'returns-model' },
    });
    expect(elsewhere.name).not.toBe(entered.branchName);
    const left = await leaveBranch(ports, undefined);
    expect(left).toEqual({ branchName: entered.branchName, other: elsewhere.name });
    expect(desk.session.activeTarget()).toBeUndefined();
    const target = { accountId: account.id, deploymentId: '1' };
    await desk.data.of(target).keyBranch.refresh();
    expect(desk.data.of(target).keyBranch.value).toBe(elsewhere.name);
    // It still takes writes.
    const body = { branchName: elsewhere.name, files: [{ path: 'model/cubes/new.yml', content: 'cubes: []\n' }] };
    await client.call(writeDataModelFiles, { params: { deploymentId: '1' }, body });
  });

  it('is refused where dev mode is off', async () => {
    await expect(leaveBranch(ports, undefined)).rejects.toThrow(/nothing to stop/);
  });
});
