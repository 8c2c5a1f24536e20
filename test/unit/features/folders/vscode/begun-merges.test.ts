import { describe, expect, it } from 'vitest';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import { MemoryState } from '#support/memory-state.ts';

const file = { folderId: 'file:///work/shop', path: 'model/cubes/orders.yml' };

describe('merges that were begun', () => {
  it('keep the local version until they are resolved', async () => {
    const merges = new BegunMerges(new MemoryState());
    const merge = { mine: 'cubes: []\n', remote: 'hash' };
    await merges.keep(file, merge);
    expect(merges.of(file)).toEqual(merge);
    expect(merges.of({ ...file, path: 'model/cubes/order.yml' })).toBeUndefined();
    await merges.end(file);
    expect(merges.of(file)).toBeUndefined();
    expect(merges.paths(file.folderId)).toEqual([]);
  });

  it('are told apart by their folder', async () => {
    const merges = new BegunMerges(new MemoryState());
    const merge = { mine: '', remote: 'hash' };
    await merges.keep(file, merge);
    await merges.keep({ folderId: 'file:///work/shop-2', path: 'model/a b.yml' }, merge);
    expect(merges.paths('file:///work/shop')).toEqual([file.path]);
    expect(merges.paths('file:///work/shop-2')).toEqual(['model/a b.yml']);
  });

  it('outlive the window', async () => {
    const memory = new MemoryState();
    await new BegunMerges(memory).keep(file, { mine: 'a', remote: 'hash', start: 'b' });
    expect(new BegunMerges(memory).of(file)).toEqual({ mine: 'a', remote: 'hash', start: 'b' });
  });
});
