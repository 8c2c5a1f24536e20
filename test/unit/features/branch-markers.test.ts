import { describe, expect, it } from 'vitest';
import { startDevMode, stopDevMode } from '#features/branches/dev-mode.ts';
import {
  branchTree,
  type BranchesNode,
  type BranchTreeInput,
  describeBranchesNode,
} from '#features/branches/branch-tree.ts';
import { changedNodes } from '#shell/tree-diff.ts';
import { openDesk } from '#support/features.ts';
import { branchAt, branchInput } from '#support/branch-tree.ts';

const input = branchInput(
  [branchAt('main', 'b'), branchAt('dev-ada-1', 'a', 'main'), branchAt('dev-ada-2', 'b', 'main')],
  {
    mine: new Set(['dev-ada-1', 'dev-ada-2']),
    active: 'dev-ada-1',
  },
);

const node = (name: string, change: Partial<BranchTreeInput>): BranchesNode => {
  const nodes = branchTree({ ...input, ...change }).flatMap((group) => group.children ?? []);
  const found = nodes.find((each) => each.id.endsWith(`/${name}`));
  if (!found) throw new Error(`no ${name}`);
  return found as BranchesNode;
};
const row = (name: string, change: Partial<BranchTreeInput> = {}): string | undefined =>
  describeBranchesNode(node(name, change)).description;

describe('markers of a branch', () => {
  it('say how its commits stand to the parent’s, and how the folder stands to it', () => {
    expect(row('dev-ada-1')).toBe('active · differs from main · a');
    expect(row('dev-ada-1', { forkPoints: new Map([['dev-ada-1', 'a']]) })).toBe('active · behind main · a');
    expect(row('dev-ada-2')).toBe('b');
    const changes = { local: 2, remote: 1, conflicts: 1 };
    expect(row('dev-ada-1', { changes })).toBe('active · ↑2 ↓1 ⚠1 · differs from main · a');
    expect(row('dev-ada-2', { changes })).toBe('b');
    expect(row('dev-ada-1', { changes: { local: 0, remote: 0, conflicts: 0 } })).toBe('active · differs from main · a');
  });

  it('say which other windows are on it', () => {
    expect(row('dev-ada-1', { windows: new Map([['dev-ada-1', ['shop']]]) })).toContain('in another window');
    const two = node('dev-ada-1', { windows: new Map([['dev-ada-1', ['shop', 'copy']]]) });
    expect(describeBranchesNode(two)).toMatchObject({
      description: expect.stringContaining('in 2 other windows') as string,
      tooltip: expect.stringContaining('Open in “shop”, “copy” too') as string,
    });
  });

  it('say where the key is in dev mode when that is not here, and which other account is', () => {
    expect(row('dev-ada-1', { keyBranch: 'dev-ada-1' })).not.toContain('key');
    expect(row('dev-ada-1', { keyBranch: 'dev-ada-2' })).toContain('your dev mode is on another branch');
    expect(row('dev-ada-2', { keyBranch: 'dev-ada-2' })).toContain('your dev mode is here');
    expect(row('main', { keyBranch: 'main', active: undefined })).toBe('b');
    expect(row('dev-ada-2', { otherAccounts: new Map([['dev-ada-2', 'acme (agent)']]) })).toContain(
      'dev mode of acme (agent)',
    );
  });

  it('are words for a screen reader, arrows too', () => {
    const spoken = describeBranchesNode(node('dev-ada-1', { changes: { local: 2, remote: 0, conflicts: 1 } })).spoken;
    expect(spoken).toBe(
      'dev-ada-1, your dev branch, active, differs from main, a, 2 to push, 0 to pull, 1 in conflict',
    );
  });

  it('redraw the one branch that they are about', () => {
    const before = branchTree(input);
    const after = branchTree({ ...input, windows: new Map([['dev-ada-1', ['shop']]]) });
    expect(changedNodes(before, after)).toMatchObject([{ branchName: 'dev-ada-1' }]);
    expect(changedNodes(before, branchTree({ ...input, windows: new Map() }))).toEqual([]);
  });
});

describe('the branch of a key', () => {
  it('is what the platform says, and what an own switch makes it', async () => {
    const desk = await openDesk();
    const main = { accountId: desk.account.id, deploymentId: '1', branchName: 'main' };
    const { keyBranch } = desk.data.of(main);
    expect(await keyBranch.get()).toBe('main');
    const dev = await startDevMode(desk, main);
    expect(keyBranch.value).toBe(dev.branchName);
    await keyBranch.refresh();
    expect(keyBranch.value).toBe(dev.branchName);
    await stopDevMode(desk, dev);
    await keyBranch.refresh();
    expect(keyBranch.value).toBe('main');
  });
});
