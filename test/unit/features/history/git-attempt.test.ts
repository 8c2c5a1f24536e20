import { attemptKey } from '#features/folders/begun-keys.ts';
import { describe, expect, it } from 'vitest';
import { GitAttempts, movedOn, openFiles } from '#features/history/git-attempt.ts';
import { changeTree } from '#features/changes/change-tree.ts';
import type { ChangesNode, ChangeTreeInput } from '#features/changes/change-nodes.ts';
import { describeChangesNode } from '#features/changes/describe-changes.ts';
import { MemoryState } from '#support/memory-state.ts';
import { statusWith } from '#support/sync/status.ts';
import type { SyncStatus } from '#sync/core/folder-sync.ts';

const dev = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const [one, two, three] = ['model/cubes/a.yml', 'model/cubes/b.yml', 'model/cubes/c.yml'] as const;
const pull = { step: 'pull', from: 'main' } as const;
const options = { squashCommits: true, switchToParentBranch: false, deleteBranch: false };

function opened(state = new MemoryState()): { readonly attempts: GitAttempts; readonly state: MemoryState } {
  return { attempts: new GitAttempts(state), state };
}

describe('a Git step that stopped at conflicts', () => {
  it('is remembered with the files that the platform named, over a reload too', async () => {
    const { attempts, state } = opened();
    let told = 0;
    attempts.onDidChange(() => (told += 1));
    await attempts.stopped(dev, { message: 'both changed', paths: [`/${two}`, one] }, pull);
    expect(openFiles(opened(state).attempts.of(dev))).toEqual([one, two]);
    expect(attempts.of({ ...dev, branchName: 'dev-ada-2' })).toBeUndefined();
    expect(told).toBe(1);
  });

  it('keeps what was resolved when the next try meets other files, and forgets what is named no more', async () => {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: '', paths: [one, two] }, pull);
    await attempts.resolve(dev, one, 'hash');
    await attempts.stopped(dev, { message: '', paths: [three, one] }, pull);
    expect(attempts.of(dev)?.files).toEqual([{ path: one, resolvedAgainst: 'hash' }, { path: three }]);
  });

  it('reads the resolved files that an earlier version stored', async () => {
    const { attempts, state } = opened();
    await attempts.stopped(dev, { message: '', paths: [one, two] }, pull);
    await attempts.resolve(dev, one, 'hash');
    const [key = ''] = state.values.keys();
    const stored = JSON.stringify(state.get(key)).replace('resolvedAgainst', 'settled');
    await state.set(key, JSON.parse(stored));
    expect(opened(state).attempts.of(dev)?.files).toEqual([{ path: one, resolvedAgainst: 'hash' }, { path: two }]);
  });

  it('begins again where another branch is in conflict', async () => {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: '', paths: [one] }, pull);
    await attempts.resolve(dev, one, 'hash');
    await attempts.stopped(dev, { message: '', paths: [one] }, { step: 'mergeToDefault', from: 'production' });
    expect(attempts.of(dev)).toMatchInlineSnapshot(`
      {
        "files": [
          {
            "path": "model/cubes/a.yml",
          },
        ],
        "from": "production",
        "message": "",
        "step": "mergeToDefault",
      }
    `);
    expect(openFiles(attempts.of(dev))).toEqual([one]);
  });

  it('asks again for a file that the other branch has changed since it was resolved', async () => {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: '', paths: [one, two, three] }, pull);
    await attempts.resolve(dev, one, 'hash');
    await attempts.resolve(dev, two, '');
    const attempt = attempts.of(dev);
    const theirs = (entries: readonly (readonly [string, string])[]): ReadonlyMap<string, { hash: string }> =>
      new Map(entries.map(([path, hash]) => [path, { hash }]));
    expect(attempt && [...movedOn(attempt, theirs([[one, 'hash']]))]).toEqual([]);
    const moved =
      attempt &&
      movedOn(
        attempt,
        theirs([
          [one, 'other'],
          [two, 'new'],
        ]),
      );
    expect([...(moved ?? [])]).toEqual([one, two]);
    await attempts.reopen(dev, moved ?? new Set());
    expect(openFiles(attempts.of(dev))).toEqual([one, two, three]);
  });

  it('is over when a pull went through; a merge is left to be continued, with what was asked for', async () => {
    const { attempts, state } = opened();
    await attempts.stopped(dev, { message: '', paths: [one] }, pull);
    await attempts.pulled(dev, 'main');
    expect(attempts.of(dev)).toBeUndefined();
    await attempts.stopped(dev, { message: '', paths: [one] }, { step: 'merge', from: 'main', options });
    await attempts.resolve(dev, one, 'hash');
    // The pull that is made for it stops at one more.
    await attempts.stopped(dev, { message: '', paths: [two] }, pull);
    expect(attempts.of(dev)).toMatchInlineSnapshot(`
      {
        "files": [
          {
            "path": "model/cubes/a.yml",
            "resolvedAgainst": "hash",
          },
          {
            "path": "model/cubes/b.yml",
          },
        ],
        "from": "main",
        "message": "",
        "options": {
          "deleteBranch": false,
          "squashCommits": true,
          "switchToParentBranch": false,
        },
        "step": "merge",
      }
    `);
    await attempts.pulled(dev, 'main');
    expect(attempts.of(dev)).toMatchInlineSnapshot(`
      {
        "files": [],
        "from": "main",
        "message": "",
        "options": {
          "deleteBranch": false,
          "squashCommits": true,
          "switchToParentBranch": false,
        },
        "step": "merge",
      }
    `);
    await attempts.end(dev);
    expect(state.values.size).toBe(0);
  });

  it('still waits for its own branch where another one was pulled', async () => {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: '', paths: [one] }, { step: 'mergeToDefault', from: 'main' });
    await attempts.pulled(dev, 'shared');
    expect(openFiles(attempts.of(dev))).toEqual([one]);
  });

  it.each([
    ['merge', 'commit', 'main'],
    ['mergeToDefault', 'commit', 'main'],
    ['mergeToDefault', 'commit', 'shared'],
    ['mergeToDefault', 'pull', 'shared'],
    ['commit', 'pull', 'shared'],
  ] as const)('stays the %s that was asked for where a %s on its way stops at %s', async (step, inner, from) => {
    const { attempts } = opened();
    const asked = { step, from: 'main', options, typed: 'Why', removesBranch: true } as const;
    await attempts.stopped(dev, { message: '', paths: [one] }, asked);
    await attempts.pulled(dev, 'main');
    await attempts.stopped(dev, { message: 'again', paths: [two] }, { step: inner, from, typed: 'Of the commit' });
    expect(attempts.of(dev)).toEqual({ ...asked, from, message: 'again', files: [{ path: two }] });
    await attempts.stopped(dev, { message: 'moved', paths: [] }, { step: inner, from, typed: 'Of the commit' });
    expect(attempts.of(dev)).toMatchObject({ step, typed: 'Why', isBehind: true });
  });

  it.each([
    ['commit', 'merge'],
    ['merge', 'mergeToDefault'],
    ['merge', 'merge'],
    ['pull', 'commit'],
  ] as const)('gives way to a step that goes further: a %s to a %s', async (before, step) => {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: '', paths: [one] }, { step: before, from: 'main', typed: 'Before' });
    await attempts.stopped(dev, { message: '', paths: [one] }, { step, from: 'main', typed: 'Now' });
    expect(attempts.of(dev)).toMatchObject({ step, typed: 'Now' });
  });

  it('ends when the branch is left, and those of other deployments do not', async () => {
    const { attempts } = opened();
    const elsewhere = { ...dev, deploymentId: '2' };
    for (const target of [dev, elsewhere]) await attempts.stopped(target, { message: '', paths: [one] }, pull);
    await attempts.keepOnly(dev, dev.branchName);
    expect(attempts.of(dev)).toBeDefined();
    await attempts.keepOnly(dev, 'dev-ada-2');
    expect([attempts.of(dev), attempts.of(elsewhere)?.step]).toEqual([undefined, 'pull']);
  });

  it('takes what another version has written for nothing', () => {
    const { attempts, state } = opened();
    state.values.set(attemptKey(dev), JSON.stringify({ step: 'rebase' }));
    expect(attempts.of(dev)).toBeUndefined();
  });
});

describe('its rows in the Changes view', () => {
  const folderId = 'file:///work/shop';
  const status = statusWith({ lastSynced: 1 });
  const input: ChangeTreeInput = { folderId, name: 'shop', branch: dev.branchName, problem: undefined, status };

  async function rows(
    resolved: readonly string[],
    conflicts: SyncStatus['conflicts'] = [],
  ): Promise<readonly string[]> {
    const { attempts } = opened();
    await attempts.stopped(dev, { message: 'm', paths: [one, two] }, pull);
    for (const path of resolved) await attempts.resolve(dev, path, 'hash');
    const nodes = changeTree([{ ...input, status: { ...status, conflicts }, attempt: attempts.of(dev) }]);
    return nodes.flatMap((node) =>
      [node, ...((node.children ?? []) as readonly ChangesNode[])].map((each) => {
        const { label, description, contextValue, command } = describeChangesNode(each);
        return [label, description, contextValue, command?.id].filter(Boolean).join(' | ');
      }),
    );
  }

  it('name each file with the branch, and say that the step stopped', async () => {
    expect(await rows([])).toEqual([
      'Pull stopped | 2 conflicts with main | attempt.open | modelbench.conflict.merge',
      'Conflicts | 2 | changes.conflicts',
      'a.yml | changed on main too · model/cubes | change.conflicts.git | modelbench.conflict.merge',
      'b.yml | changed on main too · model/cubes | change.conflicts.git | modelbench.conflict.merge',
    ]);
  });

  it('show what is resolved until the step went through, and then how to continue', async () => {
    expect(await rows([one, two])).toEqual([
      'Continue the pull | with main | attempt.ready | modelbench.git.continue',
      'Conflicts | changes.conflicts',
      'a.yml | resolved with main · model/cubes | resolved | modelbench.openFile',
      'b.yml | resolved with main · model/cubes | resolved | modelbench.openFile',
    ]);
  });

  it('leave a file that also differs from the platform to that conflict first', async () => {
    const conflict = {
      kind: 'conflict',
      path: one,
      reason: 'bothChanged',
      base: 'x',
      local: 'y',
      remote: 'z',
      size: 1,
      eolOnly: false,
    } as const;
    const drawn = await rows([], [conflict]);
    expect(drawn.filter((row) => row.startsWith('a.yml'))).toEqual([
      'a.yml | changed on both sides · model/cubes | change.conflicts.conflict | modelbench.conflict.merge',
    ]);
  });
});
