import { describe, expect, it } from 'vitest';
import { begunMerge, keepBegun, mergingPaths } from '#vscode/changes/begun-merges.ts';

function window(): Parameters<typeof keepBegun>[0] {
  const kept = new Map<string, unknown>();
  const workspaceState = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => {
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
      return Promise.resolve();
    },
    keys: () => [...kept.keys()],
  };
  return { context: { workspaceState: workspaceState as never } };
}

const file = { folderId: 'file:///work/shop', path: 'model/cubes/orders.yml' };

describe('merges that were begun', () => {
  it('keep the local version until they are settled', async () => {
    const state = window();
    const merge = { mine: 'cubes: []\n', remote: 'hash' };
    await keepBegun(state, file, merge);
    expect(begunMerge(state, file)).toEqual(merge);
    expect(begunMerge(state, { ...file, path: 'model/cubes/order.yml' })).toBeUndefined();
    await keepBegun(state, file, undefined);
    expect(begunMerge(state, file)).toBeUndefined();
    expect(mergingPaths(state, file.folderId)).toEqual([]);
  });

  it('are told apart by their folder', async () => {
    const state = window();
    const merge = { mine: '', remote: 'hash' };
    await keepBegun(state, file, merge);
    await keepBegun(state, { folderId: 'file:///work/shop-2', path: 'model/a b.yml' }, merge);
    expect(mergingPaths(state, 'file:///work/shop')).toEqual([file.path]);
    expect(mergingPaths(state, 'file:///work/shop-2')).toEqual(['model/a b.yml']);
  });
});
