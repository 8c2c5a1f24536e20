import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ItemReference } from '#shell/bulk.ts';
import { areAllIn, deletionOrder, movePlan, moveTargets } from '#features/workspace/moving.ts';

const folder = (id: string): ItemReference => ({ type: 'FOLDER', id, name: `Folder ${id}` });
const report = (id: string, folderId?: string): ItemReference => ({
  type: 'REPORT',
  id,
  name: `Report ${id}`,
  folderId,
});

/** 1 holds 2, which holds 3; 4 is beside them. */
const folders = [
  { id: '1', name: 'Sales', parentId: undefined },
  { id: '2', name: 'Weekly', parentId: '1' },
  { id: '3', name: 'Archive', parentId: '2' },
  { id: '4', name: 'Finance', parentId: undefined },
];
const idsOf = (items: readonly { readonly id: string }[]): readonly string[] => items.map(({ id }) => id);

describe('a move', () => {
  it.each(['1', '2', '3'])('never puts a folder into itself or into a folder in it (%s)', (target) => {
    const { moved, refused } = movePlan([folder('1'), report('7')], target, folders);
    expect(moved).toEqual([report('7')]);
    expect(refused).toEqual([
      { item: folder('1'), error: 'A folder cannot be moved into itself or one of its subfolders.' },
    ]);
  });

  it('takes along what is in a chosen folder, and counts rows of the same item once', () => {
    const chosen = [report('7', '3'), folder('2'), folder('3'), report('8'), report('8')];
    expect(movePlan(chosen, '4', folders)).toEqual({ moved: [folder('2'), report('8')], refused: [] });
  });

  it('leaves what is there already', () => {
    expect(movePlan([report('7', '4'), folder('2')], '1', folders).moved).toEqual([report('7', '4')]);
    // A report whose folder is not known may be anywhere.
    expect(movePlan([report('7')], undefined, folders).moved).toEqual([report('7')]);
  });

  it('is offered to every other folder, told apart by its path', () => {
    expect(moveTargets([folder('2'), report('7', '4')], folders)).toEqual([
      { id: '1', name: 'Sales', path: [] },
      { id: '4', name: 'Finance', path: [] },
    ]);
    expect(moveTargets([], folders).find(({ id }) => id === '3')?.path).toEqual(['Sales', 'Weekly']);
  });

  it('is not offered to where all of it is already', () => {
    expect(moveTargets([folder('2'), report('7', '1')], folders).map(({ id }) => id)).not.toContain('1');
    const atTop = [[folder('1'), folder('4')], [folder('1'), folder('2')], [report('7')], [folder('99')]];
    expect(atTop.map((items) => areAllIn(items, undefined, folders))).toEqual([true, false, false, false]);
    expect(areAllIn([], undefined, folders)).toBe(false);
  });

  it('never makes a loop of folders, whatever is chosen', () => {
    const size = 8;
    const parents = fc.array(fc.nat(size), { minLength: size, maxLength: size });
    const some = fc.uniqueArray(fc.nat(size - 1));
    fc.assert(
      fc.property(parents, some, fc.nat(size - 1), (above, chosen, target) => {
        // A parent has a smaller number, so the folders of a server are a tree.
        const tree = above.map((parent, id) => ({
          id: String(id),
          name: String(id),
          parentId: parent < id ? String(parent) : undefined,
        }));
        const { moved } = movePlan(
          chosen.map((id) => folder(String(id))),
          String(target),
          tree,
        );
        const after = new Map(tree.map(({ id, parentId }) => [id, parentId]));
        for (const { id } of moved) after.set(id, String(target));
        for (const { id } of tree) {
          let steps = 0;
          for (let at = after.get(id); at !== undefined; at = after.get(at)) steps += 1;
          expect(steps).toBeLessThan(size);
        }
        expect(idsOf(moved).every((id) => chosen.includes(Number(id)))).toBe(true);
      }),
    );
  });
});

describe('the order of deleting', () => {
  it('has what lies deeper first, so that folders are empty when their turn comes', () => {
    const chosen = [folder('1'), folder('4'), report('7', '3'), folder('3'), folder('2'), report('7', '3')];
    expect(idsOf(deletionOrder(chosen, folders))).toEqual(['7', '3', '2', '1', '4']);
  });

  it('ends in a loop of a server’s folders too', () => {
    const loop = [
      { id: '1', name: 'a', parentId: '2' },
      { id: '2', name: 'b', parentId: '1' },
    ];
    expect(deletionOrder([folder('1'), folder('2')], loop)).toHaveLength(2);
    expect(movePlan([folder('1')], '2', loop).moved).toEqual([]);
  });
});
