import { describe, expect, it } from 'vitest';
import { reportPage } from '#features/platform/workspace-lists.ts';
import { ClientUnderTest, json } from '#support/api/client-under-test.ts';

describe('a page of reports', () => {
  const under = new ClientUnderTest(() =>
    json({ items: [{ id: '7', name: 'Margin' }], pageInfo: { hasNextPage: true, endCursor: 'c' } }),
  );

  it('is followed by the next one of the server', async () => {
    const { items, next } = await reportPage(under.client, '1', { sortBy: 'name', search: 'mar' });
    expect([items.map(({ name }) => name), next]).toEqual([['Margin'], 'c']);
  });

  it('is the only one where it is sorted by lastViewedAt, because the platform takes no cursor then', async () => {
    under.sent.length = 0;
    const { items, next } = await reportPage(under.client, '1', { sortBy: 'lastViewedAt' });
    expect([items.map(({ name }) => name), next]).toEqual([['Margin'], undefined]);
    expect(under.sent.map(({ url }) => new URL(url).search)).toEqual(['?first=50&sortBy=lastViewedAt']);
  });
});
