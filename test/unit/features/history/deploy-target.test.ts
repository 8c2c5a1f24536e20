import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { asShown, deployGuards, deployTargetOf } from '#features/history/deploy-target.ts';
import { runDirectly } from '#support/operations.ts';
import type { Plan } from '#sync/core/planning/plan.ts';
import { openDesk } from '#support/features.ts';

const operations = runDirectly();
const upload = (hash: string) => ({ kind: 'upload', path: 'a.yml', hash, size: 1, expectedRemote: undefined });
const planOf = (...entries: readonly object[]): Plan => ({ entries, guards: [] }) as unknown as Plan;

function session(now: Plan): SyncSession {
  return {
    folder: { folderId: 'file:///one' },
    target: { accountId: 'a', deploymentId: '1', branchName: 'main' },
    sync: { plan: async () => now },
  } as unknown as SyncSession;
}

describe('a deploy', () => {
  it('sends what was shown, and nothing where either side changed meanwhile', async () => {
    const shown = planOf(upload('1'));
    const ticked = new Set(['a.yml']);
    const same = session(shown);
    const open = { open: new Store({ session: same }) } as never;
    expect((await asShown({ plan: open, operations }, same, shown, ticked)).entries).toEqual(shown.entries);
    const other = session(planOf(upload('2')));
    const changed = { open: new Store({ session: other }) } as never;
    await expect(asShown({ plan: changed, operations }, other, shown, ticked)).rejects.toThrow(/changed meanwhile/);
  });

  it('sends nothing once its plan was closed', async () => {
    const closed = { open: new Store(undefined) } as never;
    const asked = asShown({ plan: closed, operations }, session(planOf()), planOf(), new Set());
    await expect(asked).rejects.toThrow(/plan was closed/);
  });

  it('stops at a guard that cannot be confirmed, and leaves those of a pull alone', () => {
    const guard = (blocks: string, confirmable: boolean) => ({ kind: blocks, blocks, confirmable, message: blocks });
    const plan = (...guards: readonly object[]): Plan => ({ entries: [], guards }) as unknown as Plan;
    expect(deployGuards(plan(guard('pull', false), guard('push', true))).map(({ blocks }) => blocks)).toEqual(['push']);
    expect(() => deployGuards(plan(guard('both', false)))).toThrow(/both/);
  });

  it('needs a folder whose tenant is signed in and whose deployment is there', async () => {
    const { account, data } = await openDesk();
    const folder = {} as SyncSession['folder'];
    const linkedTo = (target: object | undefined) => ({ data, session: { targetOf: () => target } }) as never;
    await expect(deployTargetOf(linkedTo(undefined), folder)).rejects.toThrow(/Sign in/);
    const gone = { accountId: account.id, deploymentId: '999' };
    await expect(deployTargetOf(linkedTo(gone), folder)).rejects.toThrow(/is gone/);
    const deployments = await data.deployments(account.id).get();
    const git = deployments.find(({ deployMode }) => deployMode === 'git');
    const cli = deployments.find(({ deployMode }) => deployMode === 'cli');
    const at = (id: string | undefined) => linkedTo({ accountId: account.id, deploymentId: id });
    await expect(deployTargetOf(at(git?.id), folder)).rejects.toThrow(/not deployed by uploads/);
    expect((await deployTargetOf(at(cli?.id), folder)).target.deploymentId).toBe(cli?.id);
  });
});
