import type { Branch } from '#features/platform/branches.ts';
import type { BranchTreeInput } from '#features/branches/branch-tree.ts';

/** Returns the input of the Branches view for these branches; `more` sets what is special about them. */
export const branchInput = (
  branches: BranchTreeInput['branches'],
  more: Partial<BranchTreeInput> = {},
): BranchTreeInput => ({
  accountId: 'a',
  deploymentId: '1',
  branches,
  error: undefined,
  mine: new Set(),
  active: undefined,
  builds: new Map(),
  isProtected: () => false,
  filter: '',
  ...more,
});

export const branch = (name: string, parentBranch?: string, extra: Partial<Branch> = {}): Branch => ({
  name,
  parentBranch,
  lastHash: 'a32b361ffff',
  staging: false,
  ...extra,
});

/** Returns a branch whose commit matters. */
export const branchAt = (name: string, lastHash: string | undefined, parentBranch?: string): Branch =>
  branch(name, parentBranch, { lastHash });

/** A deployment in which Ada has two dev branches and works on the second, whose build failed. */
export const adaInput = branchInput(
  [
    branch('main'),
    branch('returns', 'main', { staging: true }),
    branch('dev-ada-2', 'main'),
    branch('dev-ada-1', 'main'),
    branch('dev-bob-1', 'main'),
  ],
  {
    mine: new Set(['dev-ada-1', 'dev-ada-2']),
    active: 'dev-ada-2',
    builds: new Map([['dev-ada-2', { phase: 'failed', errorText: 'orders cube: no', at: 0 }]]),
    isProtected: (name) => name === 'main',
  },
);
