import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AdminTable } from '#features/administration/admin-table.ts';
import { type HostToTable, parseTableToHost } from '#features/administration/messages.ts';
import type { AdminRow } from '#features/administration/rows.ts';
import { findings } from './axe.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('list');
});
afterAll(async () => bundle.close());

const users = Array.from({ length: 4_000 }, (_, at): AdminRow => ({
  type: 'user',
  id: String(10_000 + at),
  name: `user-${String(at).padStart(4, '0')}@shop.example`,
  detail: '',
  active: at % 7 !== 3,
  fields: { displayName: `User Number ${at}`, userName: `user.${at}` },
}));

/** The production page on its own host side, with 4,000 users. */
async function show(theme: Theme = themes[0] as Theme) {
  const page = await bundle.pages.open({ width: 900, height: 700 });
  const watched: Watched = { requests: [], problems: [] };
  const acts: unknown[] = [];
  const post = (message: HostToTable) =>
    void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined);
  const table = new AdminTable(
    { list: { list: 'users' }, owner: 'Acme' },
    {
      load: (after = '0') => {
        const next = Number(after) + 500;
        return Promise.resolve({
          items: users.slice(Number(after), next),
          next: next < users.length ? String(next) : undefined,
        });
      },
      post,
      act: (action, rows) => {
        acts.push([action, rows.map(({ id }) => id)]);
        return Promise.resolve();
      },
      create: () => Promise.resolve(),
    },
  );
  await serve(page, bundle.folder, 'list', watched);
  await connect(page, (raw) => {
    const message = parseTableToHost(raw);
    if (message) void table.receive(message);
  });
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  await page.getByText(/^4,000 rows/).waitFor();
  await page.getByRole('gridcell', { name: 'user-0003@shop.example' }).waitFor();
  return { page, watched, acts };
}

describe('the table of a list in a browser', () => {
  it.each(themes)('is read in the $name theme at every width, and axe finds nothing', async (theme) => {
    const { page, watched } = await show(theme);
    const row = page.getByRole('row', { name: /user-0003@/ });
    await row.getByRole('rowheader').click();
    await page
      .getByRole('row', { name: /user-0005@/ })
      .getByRole('rowheader')
      .click({ modifiers: ['Shift'] });
    await page.getByRole('button', { name: 'Deactivate 2 Users…' }).waitFor();
    await picturesAtEveryWidth(page, join(bundle.pictures), theme.name);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('draws only the rows in sight of thousands, sorts and searches all of them', async () => {
    const { page } = await show();
    await expect.poll(async () => page.locator('.grid-row').count()).toBeLessThan(80);
    await page.getByRole('button', { name: /^User/ }).first().click();
    await page.getByRole('button', { name: /^User/ }).first().click();
    await page.getByRole('gridcell', { name: 'user-3999@shop.example' }).waitFor();
    await page.getByRole('searchbox', { name: 'Value to filter by' }).fill('number 1234');
    await page.getByText(/^1 of 4,000 rows/).waitFor();
    await page.getByRole('gridcell', { name: 'user-1234@shop.example' }).waitFor();
    await page.close();
  });

  it('selects a range of rows with Shift, and no text', async () => {
    const { page } = await show();
    const numbers = page.getByRole('rowheader');
    await page.getByRole('gridcell', { name: 'user-0001@shop.example' }).click();
    await numbers.nth(2).click();
    await numbers.nth(5).click({ modifiers: ['Shift'] });
    await page.getByText('4,000 rows · 4 selected').waitFor();
    await expect.poll(async () => page.evaluate(() => getSelection()?.toString())).toBe('');
    await page.close();
  });

  it('selects and acts by keyboard alone, and keeps the selection under a filter', async () => {
    const { page, acts, watched } = await show();
    const grid = page.getByRole('grid', { name: 'Users' });
    await grid.focus();
    for (const key of ['ArrowDown', 'Space', 'ArrowDown', 'Space']) await page.keyboard.press(key);
    await page.getByText('4,000 rows · 2 selected').waitFor();
    await expect.poll(async () => page.locator('[role=row][aria-selected=true]').count()).toBe(2);
    for (let step = 0; step < 9; step += 1) {
      await page.keyboard.press('Shift+Tab');
      if ((await page.locator(':focus').textContent()) === 'Deactivate 2 Users…') break;
    }
    await page.keyboard.press('Enter');
    await expect.poll(() => acts).toEqual([['deactivate', ['10001', '10002']]]);
    await page.getByRole('searchbox', { name: 'Value to filter by' }).fill('inactive');
    await page.getByText(/2 selected, 2 of them hidden by the filter/).waitFor();
    await grid.focus();
    await page.keyboard.press('Control+A');
    await page.getByRole('button', { name: 'Activate 571 Users', exact: true }).waitFor();
    await expect
      .poll(async () => page.getByRole('checkbox', { name: 'Select all rows' }).getAttribute('aria-checked'))
      .toBe('true');
    await page.getByRole('button', { name: 'Clear Selection' }).click();
    await page.getByText(/Select rows with their check boxes/).waitFor();
    expect(await findings(page)).toEqual([]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });
});
