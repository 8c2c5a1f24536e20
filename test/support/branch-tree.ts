import type { BranchTreeInput } from '#features/trees/branch-tree.ts';

/** What the Branches view draws of these branches, none of which is anything special unless `more` says so. */
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
