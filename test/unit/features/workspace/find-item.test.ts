import { describe, expect, it } from 'vitest';
import { findItem, type ItemPage } from '#features/workspace/find-item.ts';

/** Rows 0 to 9, three a page; a search finds what it names. */
function list() {
  const asked: string[] = [];
  const page: ItemPage<number> = ({ search, after }) => {
    asked.push(search === undefined ? `from ${after ?? '0'}` : `search ${search}`);
    if (search !== undefined) return Promise.resolve({ items: [Number(search)], next: 'more' });
    const start = Number(after ?? 0);
    const items = Array.from({ length: 3 }, (_, at) => start + at);
    return Promise.resolve({ items, next: start < 9 ? String(start + 3) : undefined });
  };
  return { asked, page };
}

describe('an item that is sought', () => {
  it('is found by the first words that find it', async () => {
    const { asked, page } = list();
    expect(await findItem(page, (row) => row === 7, ['4', '7', '8'])).toBe(7);
    expect(asked).toEqual(['search 4', 'search 7']);
  });

  it('is found in the list where no words find it, and no page after it is read', async () => {
    const { asked, page } = list();
    expect(await findItem(page, (row) => row === 5, ['4', '4'])).toBe(5);
    expect(asked).toEqual(['search 4', 'from 0', 'from 3']);
  });

  it('is nowhere once the list has ended', async () => {
    const { asked, page } = list();
    expect(await findItem(page, (row) => row === 99, [])).toBeUndefined();
    expect(asked).toHaveLength(4);
  });
});
