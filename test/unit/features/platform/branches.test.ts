import { describe, expect, it } from 'vitest';
import { type Branch, deployBranchOf, roleOf, stagingRefusal } from '#features/platform/branches.ts';
import { branchNameProblem } from '#features/branches/dev-mode.ts';

const branch = (name: string, parentBranch: string | undefined): Branch => ({
  name,
  parentBranch,
  lastHash: undefined,
  staging: false,
});

describe('branch roles', () => {
  const list = [branch('trunk', undefined), branch('returns', 'trunk'), branch('dev-ada-1', 'returns')];

  it('takes the branch without a parent as the deploy branch, whatever its name', () => {
    expect(deployBranchOf(list)?.name).toBe('trunk');
  });

  it('never takes a dev branch for it, even one whose parent is gone', () => {
    expect(deployBranchOf([branch('dev-ada-1', undefined)])).toBeUndefined();
  });

  it('distinguishes mine from others’', () => {
    const [trunk, returns, dev] = list as [Branch, Branch, Branch];
    expect(roleOf(trunk, 'trunk', new Set())).toBe('deploy');
    expect(roleOf(returns, 'trunk', new Set())).toBe('shared');
    expect(roleOf(dev, 'trunk', new Set())).toBe('others');
    expect(roleOf(dev, 'trunk', new Set(['dev-ada-1']))).toBe('mine');
  });

  it('takes each of several branches without a parent for a deploy branch', () => {
    const [legacy, trunk] = [branch('legacy', undefined), branch('trunk', undefined)];
    expect([legacy, trunk].map((each) => roleOf(each, 'trunk', new Set()))).toEqual(['deploy', 'deploy']);
    expect(stagingRefusal(legacy, roleOf(legacy, 'trunk', new Set()))).toContain('deploy branch');
  });

  it('explains why staging is refused before anything is asked', () => {
    expect(stagingRefusal(branch('returns', 'trunk'), 'shared')).toBeUndefined();
    expect(stagingRefusal(branch('trunk', undefined), 'deploy')).toContain('deploy branch');
    expect(stagingRefusal(branch('dev-ada-1', 'trunk'), 'mine')).toContain('personal dev branch');
  });
});

describe('branch names', () => {
  it.each(['feature/returns', 'v2.1', 'a_b-c'])('accepts %s', (name) => {
    expect(branchNameProblem(name, new Set())).toBeUndefined();
  });

  it.each(['', '  ', 'dev-mine', 'a b', '-x', 'a..b', 'x.lock', 'a//b', 'main', 'x/', '@{'])('refuses “%s”', (name) => {
    expect(branchNameProblem(name, new Set(['main']))).toBeTypeOf('string');
  });
});
