import { describe, expect, it } from 'vitest';
import { readBranchStep, readBranchWrite } from '#features/platform/gated-branch.ts';
import { type Desk, openDesk } from '#support/features.ts';
import { listingOnly } from '#support/listed-branches.ts';

const dev = 'dev-ada-1';

/** A desk whose platform lists exactly these branches, by name and parent. */
function listed(...branches: readonly (readonly [name: string, parent: string | null])[]): Promise<Desk> {
  return openDesk({ through: listingOnly(branches.map(([name, parentBranch]) => ({ name, parentBranch }))) });
}

function read({ data, account }: Desk, step: 'commit' | 'merge' | 'mergeToDefault', branchName = dev) {
  const target = { accountId: account.id, deploymentId: '1', branchName };
  return readBranchStep({ data, isProtected: () => false }, { step, target });
}

function write({ data, account }: Desk, to: string) {
  const target = { accountId: account.id, deploymentId: '1' };
  return readBranchWrite({ data, isProtected: () => false }, { step: 'dbtSync', target, from: 'dbt', to });
}

describe('the situation of a step that writes to a branch', () => {
  it.each(['refs/heads/main', 'heads/main', 'origin/main', 'MAIN', 'main ', 'ma%69n', 'ｍain', 'gone'])(
    'does not know whether a parent that is not listed is production: “%s”',
    async (parent) => {
      const desk = await listed(['main', null], ['returns', 'main'], [dev, parent]);
      expect(await read(desk, 'commit')).toMatchObject({ to: parent, isDeploy: undefined });
      expect(await read(desk, 'merge')).toMatchObject({ to: parent, isDeploy: undefined });
    },
  );

  it.each(['main', 'legacy', 'release'])(
    'does not know which of several branches without a parent is production: “%s”',
    async (parent) => {
      const roots = [['main', null] as const, ['legacy', ''] as const, ['release', 'release'] as const];
      const desk = await listed(...roots, [dev, parent]);
      expect(await read(desk, 'commit')).toMatchObject({ to: parent, isDeploy: undefined });
      expect(await write(desk, parent)).toMatchObject({ isDeploy: undefined });
    },
  );

  it('names no destination of a merge to production where several branches could be it', async () => {
    const desk = await listed(['legacy', null], ['main', null], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'mergeToDefault')).toMatchObject({ to: undefined, isDeploy: true, content: undefined });
  });

  it('knows a shared branch beside several without a parent', async () => {
    const desk = await listed(['main', null], ['legacy', null], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'returns', isDeploy: false });
    expect(await write(desk, 'returns')).toMatchObject({ isDeploy: false });
  });

  it('does not know production where each branch has a parent', async () => {
    const desk = await listed(['main', 'returns'], ['returns', 'main'], [dev, 'returns']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'returns', isDeploy: undefined });
  });

  it('does not know the parent of a branch that is listed with two', async () => {
    const desk = await listed(['main', null], ['returns', 'main'], [dev, 'returns'], [dev, 'main']);
    expect(await read(desk, 'commit')).toMatchObject({ to: undefined, isDeploy: undefined });
  });

  it('takes a branch that is named like a dev branch for production where no other has no parent', async () => {
    const desk = await listed(['dev-live', null], ['returns', 'dev-live'], [dev, 'dev-live']);
    expect(await read(desk, 'commit')).toMatchObject({ to: 'dev-live', isDeploy: undefined });
    expect(await write(desk, 'dev-live')).toMatchObject({ isDeploy: undefined });
  });
});
