import { describe, expect, it } from 'vitest';
import { describeBranchesNode } from '#features/branches/branch-tree.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import { describeDeploymentsNode } from '#features/deployments/deployment-tree.ts';
import { describePlanNode } from '#features/folders/plan-review.ts';
import { failureNode, spokenOf, type TreeItemSpec } from '#shell/tree-item.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';

const deployment = { accountId: 'a', deploymentId: '1' };
const file = { folderId: 'file:///shop', path: 'model/cubes/orders.yml' };
const upload: PlanEntry = {
  kind: 'upload',
  path: file.path,
  reason: 'changed',
  expectedRemote: 'a',
  hash: 'b',
  size: 2048,
};

/** One row of each kind, and what a user who does not see it hears: no dots, arrows or icons, and never the colour alone. */
const rows: readonly (readonly [kind: string, row: TreeItemSpec, spoken: string])[] = [
  [
    'deployment',
    describeDeploymentsNode({
      kind: 'deployment',
      id: 'd',
      ...deployment,
      name: 'Shop',
      active: true,
      linked: true,
      uploads: false,
      isBeingSetUp: false,
      children: [],
    }),
    'Shop, active, linked, #1',
  ],
  [
    'environment',
    describeDeploymentsNode({
      kind: 'environment',
      id: 'e',
      ...deployment,
      environmentId: '2',
      name: 'returns',
      copy: 'returns',
      type: 'staging',
      children: [],
    }),
    'returns, staging',
  ],
  [
    'endpoint',
    describeDeploymentsNode({ kind: 'endpoint', id: 'r', label: 'REST API', icon: 'globe', copy: 'https://x.test/v1' }),
    'REST API: https://x.test/v1. Press Enter to copy.',
  ],
  [
    'version',
    describeDeploymentsNode({
      kind: 'version',
      id: 'v',
      ...deployment,
      version: '1.7.43',
      channel: 'stable',
      isLatest: true,
    }),
    'Version 1.7.43, newest, channel stable',
  ],
  [
    'build',
    describeDeploymentsNode({
      kind: 'build',
      id: 'b',
      ...deployment,
      branchName: 'main',
      build: { phase: 'failed', errorText: 'no', at: 0 },
    }),
    'Production build failed, main',
  ],
  [
    'group of branches',
    describeBranchesNode({ kind: 'group', id: 'g', role: 'shared', count: 1, children: [] }),
    'Shared Branches, 1 branch',
  ],
  [
    'group of changes',
    describeChangesNode({ kind: 'group', id: 'c', ...file, group: 'local', count: 2, children: [] }),
    'To Push, 2 files',
  ],
  [
    'change',
    describeChangesNode({ kind: 'change', id: 'f', ...file, group: 'local', entry: upload, children: [] }),
    'model/cubes/orders.yml, modified',
  ],
  [
    'plan',
    describePlanNode({
      kind: 'plan',
      id: 'plan',
      label: 'Push 1 File to dev',
      summary: '1 file, 2.0 KB',
      isComparing: false,
      children: [],
    }),
    'Push 1 File to dev, under review, 1 file, 2.0 KB',
  ],
  [
    'failure',
    describeChangesNode(failureNode('x', { title: 'Cannot be reached', message: 'Try again later.' }, 'changes')),
    'Cannot be reached: Try again later. Press Enter to try again.',
  ],
];

describe('what a screen reader says of a row', () => {
  it.each(rows)('%s', (_kind, row, spoken) => {
    expect(spokenOf(row)).toBe(spoken);
  });

  it('keeps what was said before where a row has no facts', () => {
    expect(spokenOf({ label: 'Load More…', collapsible: 'none' })).toBe('Load More…');
  });
});
