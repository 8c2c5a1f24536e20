import { describe, expect, it } from 'vitest';
import { PagedList } from '#features/platform/paged-list.ts';

/** A list on a server, in pages of two; items can be taken away. */
function desk(count: number) {
  const all = Array.from({ length: count }, (_, at) => ({ id: String(at) }));
  const asked: number[] = [];
  const list = new PagedList((after) => {
    const from = Number(after ?? 0);
    asked.push(from);
    const next = from + 2 < all.length ? String(from + 2) : undefined;
    return Promise.resolve({ items: all.slice(from, from + 2), next });
  });
  const shown = (): readonly string[] => list.state.value.value?.items.map(({ id }) => id) ?? [];
  return { all, asked, list, shown };
}

describe('a list that comes page by page', () => {
  it('reads again what is shown after a change, so that the place is not lost', async () => {
    const { all, asked, list, shown } = desk(9);
    await list.ensure();
    await list.loadMore();
    await list.loadMore();
    all.splice(4, 1);
    asked.length = 0;
    await list.refresh();
    expect(asked).toEqual([0, 2, 4]);
    expect(shown()).toEqual(['0', '1', '2', '3', '5', '6']);
    await list.loadMore();
    expect(shown()).toEqual(['0', '1', '2', '3', '5', '6', '7', '8']);
    expect(list.state.value.value?.next).toBeUndefined();
  });

  it('begins again where too much was shown to be read again at once', async () => {
    const { asked, list, shown } = desk(100);
    await list.ensure();
    for (let page = 1; page < 30; page += 1) await list.loadMore();
    asked.length = 0;
    await list.refresh();
    expect(asked).toHaveLength(10);
    expect(shown()).toHaveLength(20);
    expect(list.state.value.value?.next).toBe('20');
  });

  it('takes a list that became short', async () => {
    const { all, asked, list, shown } = desk(6);
    await list.ensure();
    await list.loadMore();
    all.length = 1;
    await list.refresh();
    expect(shown()).toEqual(['0']);
    all.push({ id: 'a' }, { id: 'b' });
    asked.length = 0;
    await list.refresh();
    expect(asked).toEqual([0]);
  });
});
