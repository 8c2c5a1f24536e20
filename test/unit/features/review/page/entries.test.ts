import { describe, expect, it } from 'vitest';
import { entriesOf, idsOf, tickOf } from '#features/review/page/entries.ts';
import { reviewRow } from '#support/review.ts';

const groups = [
  { id: 'delete', label: 'Delete', rows: [reviewRow('model/cubes/returns.yml', { kind: 'delete' })] },
  {
    id: 'upload',
    label: 'Upload',
    rows: [reviewRow('model/cubes/orders.yml'), reviewRow('model/views/orders_view.yml', { note: 'newer there' })],
  },
  { id: 'leftAlone', label: 'Not Synced', rows: [reviewRow('big.bin', { kind: 'none', canTick: false })] },
] as const;
const shown = (filter: string, closed: readonly string[] = []): readonly string[] =>
  entriesOf(groups, { filter, closed: new Set(closed) }).map(({ id }) => id);

describe('the list of a review', () => {
  it('has each group above its rows, and no rows of a closed group', () => {
    expect(shown('', ['upload'])).toEqual([
      'group delete',
      'model/cubes/returns.yml',
      'group upload',
      'group leftAlone',
      'big.bin',
    ]);
  });

  it('is filtered by words of the path and of the note, in closed groups too', () => {
    expect(shown('orders VIEW', ['upload'])).toEqual(['group upload', 'model/views/orders_view.yml']);
    expect(shown('newer')).toEqual(['group upload', 'model/views/orders_view.yml']);
    expect(shown('nothing')).toEqual([]);
  });

  it('ticks a group by its rows, and nothing that cannot be ticked', () => {
    const entries = entriesOf(groups, { filter: '', closed: new Set() });
    const of = (id: string, ...ticked: readonly string[]) => {
      const entry = entries.find((each) => each.id === id);
      return entry && [tickOf(entry, new Set(ticked)), idsOf(entry).length];
    };
    expect(of('group upload', 'model/cubes/orders.yml')).toEqual(['mixed', 2]);
    expect(of('group upload', 'model/cubes/orders.yml', 'model/views/orders_view.yml')).toEqual([true, 2]);
    expect(of('group upload')).toEqual([false, 2]);
    expect(of('group leftAlone')).toEqual([undefined, 0]);
    expect(of('big.bin')).toEqual([undefined, 0]);
  });
});
