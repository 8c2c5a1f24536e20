import { describe, expect, it } from 'vitest';
import { branchTree, describeBranchesNode } from '#features/branches/branch-tree.ts';
import { adaInput } from '#support/branch-tree.ts';
import { drawn } from '#support/drawn-tree.ts';

describe('branches tree', () => {
  it('groups, orders and marks branches', () => {
    expect(drawn(branchTree(adaInput), describeBranchesNode)).toEqual([
      'My Dev Branches (2) [group.mine]',
      '  dev-ada-2 (active · a32b361 · build failed) [branch.mine.active.failed]',
      '  dev-ada-1 (a32b361) [branch.mine]',
      'Deploy Branch [group.deploy]',
      '  main (a32b361) [branch.deploy]',
      'Shared Branches (1) [group.shared]',
      '  returns (staging · a32b361) [branch.shared.stagingOn]',
      'Other Dev Branches (1) [group.others]',
      '  dev-bob-1 (a32b361) [branch.others]',
    ]);
  });

  it('shows a failure above what is still known', () => {
    const error = { title: 'Cannot be reached', message: 'acme.test could not be reached.' };
    const [first] = branchTree({ ...adaInput, error });
    expect(first).toMatchObject({ kind: 'failure', ...error, retry: 'branches' });
  });

  it('shows a build state of a newer platform as it is', () => {
    const build = { phase: 'unknown', unknownStatus: 'queued', errorText: undefined, at: 0 } as const;
    const branch = branchTree(adaInput)
      .flatMap((group) => group.children ?? [])
      .find((node) => (node as { readonly branchName?: string }).branchName === 'dev-ada-2');
    const spec = describeBranchesNode({ ...branch, build } as never);
    expect(spec.description).toMatchInlineSnapshot(`"active · a32b361 · queued"`);
    expect([spec.icon?.id, spec.contextValue]).not.toContain(expect.stringMatching(/pass|failed/));
    expect(JSON.stringify(spec.icon ?? {})).not.toMatch(/pass|Passed/);
  });

  it('filters by name', () => {
    expect(drawn(branchTree({ ...adaInput, filter: 'BOB' }), describeBranchesNode)).toHaveLength(2);
  });

  it('speaks of each branch in words', () => {
    const node = branchTree(adaInput).flatMap((group) => group.children ?? [])[3];
    expect(node && describeBranchesNode(node as never).spoken).toBe('returns, shared branch, staging, a32b361');
  });
});
