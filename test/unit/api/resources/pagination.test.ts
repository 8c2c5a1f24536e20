import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  deploymentPages,
  environmentPages,
  folderPages,
  reportPages,
  scimGroupPages,
  scimUserPages,
  workbookPages,
} from '#api/resources/lists.ts';
import {
  collect,
  cursorPages,
  distinct,
  listItems,
  offsetPages,
  type PageLoader,
  scimPages,
} from '#api/resources/pagination.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';

interface Row {
  readonly id: string;
  readonly name: string;
}
const rowsOf = (count: number): readonly Row[] =>
  Array.from({ length: count }, (_, at) => ({ id: `${at}`, name: `n${at}` }));

/** Servers over the same rows; each keeps its own upper limit of a page, as real ones do. */
const ways: Record<string, (rows: readonly Row[], cap: number) => PageLoader<Row>> = {
  offset: (rows, cap) =>
    offsetPages(({ offset, limit }) => {
      const items = rows.slice(offset, offset + Math.min(limit, cap));
      return Promise.resolve({ items, pagination: { offset, total: rows.length } });
    }),
  cursor: (rows, cap) =>
    cursorPages(({ first, after }) => {
      const start = after === undefined ? 0 : Number(after.slice(1));
      const end = start + Math.min(first, cap);
      const pageInfo = { hasNextPage: end < rows.length, endCursor: `c${end}` };
      return Promise.resolve({ items: rows.slice(start, end), pageInfo });
    }),
  scim: (rows, cap) =>
    scimPages(({ count, startIndex }) => {
      const Resources = rows.slice(startIndex - 1, startIndex - 1 + Math.min(count, cap));
      return Promise.resolve({ Resources, totalResults: rows.length });
    }),
};

describe.each(Object.entries(ways))('a list by %s', (_, way) => {
  const sizes = { count: fc.nat(60), cap: fc.integer({ min: 1, max: 20 }), pageSize: fc.integer({ min: 1, max: 20 }) };

  it('gives every item once and in order, whatever the sizes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record(sizes), async ({ count, cap, pageSize }) => {
        const rows = rowsOf(count);
        expect(await collect(way(rows, cap), { pageSize })).toEqual({ items: rows, truncated: false });
      }),
    );
  });

  it('stops at the ceiling, asks for no more than it, and says whether there was more', async () => {
    await fc.assert(
      fc.asyncProperty(fc.record({ ...sizes, maxItems: fc.integer({ min: 1, max: 60 }) }), async (setup) => {
        const { count, cap, pageSize, maxItems } = setup;
        const asked: number[] = [];
        const load = way(rowsOf(count), cap);
        const watched: PageLoader<Row> = (page) => {
          asked.push(page.size);
          return load(page);
        };
        const { items, truncated } = await collect(watched, { pageSize, maxItems });
        expect(items).toEqual(rowsOf(count).slice(0, maxItems));
        expect(truncated).toBe(count > maxItems);
        expect(Math.max(...asked)).toBeLessThanOrEqual(maxItems);
      }),
    );
  });

  it('loads no page before it is needed', async () => {
    let loads = 0;
    const load = way(rowsOf(50), 10);
    const list = listItems<Row>(
      (page) => {
        loads += 1;
        return load(page);
      },
      { pageSize: 10 },
    );
    for (let taken = 0; taken < 10; taken++) await list.next();
    expect(loads).toBe(1);
    await list.next();
    expect(loads).toBe(2);
    await list.return({ truncated: false });
  });
});

describe('a server that pages badly', () => {
  const items = rowsOf(3);

  it('ends a cursor that goes in a circle', async () => {
    let at = 0;
    const load = cursorPages(() =>
      Promise.resolve({ items, pageInfo: { hasNextPage: true, endCursor: 'ab'[at++ % 2] ?? '' } }),
    );
    expect((await collect(load)).items).toHaveLength(9);
  });

  it.each([null, undefined, ''])('ends a cursor list that promises more at %j', async (endCursor) => {
    const load = cursorPages(() => Promise.resolve({ items, pageInfo: { hasNextPage: true, endCursor } }));
    expect((await collect(load)).items).toEqual(items);
  });

  it('ends an offset list whose server gives everything at once, every time', async () => {
    const load = offsetPages(() => Promise.resolve({ items }));
    expect((await collect(load, { pageSize: 2 })).items).toEqual(items);
    const stuck = offsetPages(() => Promise.resolve({ items, pagination: { offset: 0, total: 100 } }));
    expect((await collect(distinct(stuck, ({ id }) => id))).items).toEqual(items);
  });

  it('reads on without a pagination block until a page brings nothing, however small the pages are', async () => {
    const sizes = fc.record({ count: fc.nat(30), cap: fc.integer({ min: 1, max: 9 }), pageSize: fc.nat(9) });
    await fc.assert(
      fc.asyncProperty(sizes, async ({ count, cap, pageSize }) => {
        const rows = rowsOf(count);
        const load = offsetPages(({ offset, limit }) =>
          Promise.resolve({ items: rows.slice(offset, offset + Math.min(limit, cap)) }),
        );
        expect(await collect(load, { pageSize: pageSize + 1 })).toEqual({ items: rows, truncated: false });
      }),
    );
  });

  it('repeats no item when the list grows at its front while it is read', async () => {
    let rows = rowsOf(6);
    const load = offsetPages(({ offset, limit }) => {
      const page = rows.slice(offset, offset + limit);
      const pagination = { offset, total: rows.length };
      rows = [{ id: `new-${offset}`, name: 'new' }, ...rows];
      return Promise.resolve({ items: page, pagination });
    });
    const { items: seen } = await collect(
      distinct(load, ({ id }) => id),
      { pageSize: 2 },
    );
    expect(seen.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4', '5']);
  });
});

describe('the documented lists', () => {
  const deploymentId = 7;
  const paged: Handler = (request) => {
    const { pathname, searchParams } = new URL(request.url);
    const rows = rowsOf(5);
    const offset = Number(searchParams.get('offset') ?? searchParams.get('after') ?? 0);
    const first = Number(searchParams.get('limit') ?? searchParams.get('first') ?? 2);
    const end = offset + first;
    const pagination = { offset, limit: first, total: rows.length };
    const items = rows.slice(offset, end);
    if (pathname.endsWith('/deployments')) return json({ data: { deployments: items }, pagination });
    if (pathname.endsWith('/environments')) {
      return json({ data: { environments: items.map((row) => ({ ...row, type: 'staging' })) }, pagination });
    }
    if (pathname.includes('/scim/')) {
      const start = Number(searchParams.get('startIndex'));
      const Resources = rows.slice(start - 1, start - 1 + Number(searchParams.get('count')));
      return json({ Resources, totalResults: rows.length });
    }
    return json({ items, pageInfo: { hasNextPage: end < rows.length, endCursor: String(end) }, count: rows.length });
  };
  const under = new ClientUnderTest(paged);
  const { client } = under;

  it.each<[string, PageLoader<{ readonly id: string }>]>([
    ['deployments', deploymentPages(client)],
    ['environments', environmentPages(client, deploymentId, 'staging')],
    ['folders', folderPages(client, deploymentId)],
    ['reports', reportPages(client, deploymentId)],
    ['workbooks', workbookPages(client, deploymentId)],
    ['users', scimUserPages(client)],
    ['groups', scimGroupPages(client)],
  ])('%s are read page by page', async (_, load) => {
    const { items } = await collect(load, { pageSize: 2 });
    expect(items.map(({ id }) => id)).toEqual(['0', '1', '2', '3', '4']);
    const page = await load({ size: 2 });
    expect([page.items.length, page.total]).toEqual([2, 5]);
  });

  it('a cancelled list ends in a cancelled error', async () => {
    const controller = new AbortController();
    const list = listItems(deploymentPages(client), { pageSize: 2, signal: controller.signal });
    await list.next();
    await list.next();
    controller.abort();
    expect(await thrown(list.next())).toMatchObject({ kind: 'cancelled' });
  });
});
