import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlBatch } from '#api/data/sql-batches.ts';
import { abortReason } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import { findings } from './axe.ts';
import { dress } from './page.ts';
import { ChatStage } from './stage.ts';
import { themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let stage: ChatStage;
beforeAll(async () => {
  stage = await ChatStage.open();
});
afterAll(() => stage.close());

const columns = [
  { name: 'orders.status', type: 'string' },
  { name: 'orders.count', type: 'number' },
];

describe('the result view in a browser', () => {
  it('shows any part of 50,000 rows, in any order, with only those in sight drawn', async () => {
    async function* batches(): AsyncGenerator<SqlBatch> {
      yield { kind: 'schema', columns };
      for (let at = 0; at < 50_000; at += 500) {
        yield { kind: 'rows', rows: Array.from({ length: 500 }, (_, n) => [`status ${at + n}`, String(at + n)]) };
      }
      yield { kind: 'rows', rows: [['<b>none</b>', null]] };
    }
    const asked: unknown[] = [];
    const run = new QueryRun(batches, systemClock);
    const page = await stage.results(run, asked);
    await run.start();
    await page.getByText(/^50,001 rows in/).waitFor();
    await page.getByRole('gridcell', { name: 'status 3', exact: true }).waitFor();
    await expect.poll(async () => page.locator('.grid-row').count()).toBeLessThan(80);
    expect(await findings(page)).toEqual([]);

    await page.getByRole('grid', { name: 'Rows' }).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
    await page.getByRole('gridcell', { name: '<b>none</b>' }).waitFor();
    await page.getByRole('gridcell', { name: 'null', exact: true }).waitFor();
    await page.getByRole('button', { name: 'orders.count' }).click();
    await page.getByRole('button', { name: 'orders.count' }).click();
    await page.getByRole('grid', { name: 'Rows' }).evaluate((grid) => grid.scrollTo({ top: 0 }));
    await page.getByRole('gridcell', { name: 'status 49999', exact: true }).waitFor();
    await expect
      .poll(async () => page.getByRole('columnheader', { name: 'orders.count' }).getAttribute('aria-sort'))
      .toBe('descending');
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => asked.length).toBe(1);
    expect(page.watched.problems).toEqual([]);
    expect(page.watched.requests.every((url) => url.startsWith('https://chat.example/'))).toBe(true);
    await page.close();
  });

  // An audit log, because its results have filters of their own.
  it.each(themes)('is read in the $name theme at every width, with filters above its rows', async (theme) => {
    async function* batches(): AsyncGenerator<SqlBatch> {
      yield { kind: 'schema', columns: ['Time', 'User', 'Event', 'Details'].map((name) => ({ name, type: 'string' })) };
      const row = (day: number) => [`2026-11-0${day} 12:00`, 'ada@shop.example', 'deployment.update', `Change ${day}`];
      yield { kind: 'rows', rows: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(row) };
    }
    const filters = [
      { id: 'period', label: 'Period', value: 'last 7 days' },
      { id: 'userEmail', label: 'User', value: 'ada@shop.example' },
      { id: 'event', label: 'Event', value: 'all' },
      { id: 'text', label: 'Text', value: 'all' },
    ];
    const run = new QueryRun(batches, systemClock);
    const choices = { all: () => filters, choose: () => Promise.resolve(false) };
    const page = await stage.results(run, [], choices, theme);
    await run.start();
    await page.getByText(/^9 rows in/).waitFor();
    await page.getByRole('gridcell', { name: 'Change 9', exact: true }).waitFor();
    await picturesAtEveryWidth(page, stage.resultPictures, theme.name);
    expect(page.watched.problems).toEqual([]);
    await page.close();
  });

  it('asks for another filter by a click and reads the rows again', async () => {
    let user = 'all';
    async function* batches(): AsyncGenerator<SqlBatch> {
      yield { kind: 'schema', columns };
      yield { kind: 'rows', rows: [[`events of ${user}`, '7']] };
    }
    const run = new QueryRun(batches, systemClock);
    const page = await stage.results(run, [], {
      all: () => [{ id: 'userEmail', label: 'User', value: user }],
      choose: (id) => {
        user = `${id} ada`;
        return Promise.resolve(true);
      },
    });
    await run.start();
    await page.getByRole('group', { name: 'Filters' }).getByRole('button', { name: 'User: all' }).click();
    await page.getByRole('button', { name: 'User: userEmail ada' }).waitFor();
    await page.getByRole('gridcell', { name: 'events of userEmail ada' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.close();
  });

  it('filters all rows, draws the columns in sight only, and shows whole values by keyboard', async () => {
    const wide = Array.from({ length: 500 }, (_, at) => ({
      name: `orders.column_${at}`,
      type: at === 1 ? 'number' : 'string',
    }));
    const long = JSON.stringify({ items: Array.from({ length: 40 }, (_, at) => `item ${at}`) });
    async function* batches(): AsyncGenerator<SqlBatch> {
      yield { kind: 'schema', columns: wide };
      yield {
        kind: 'rows',
        rows: Array.from({ length: 2_000 }, (_, row) =>
          wide.map((_column, at) => {
            if (at === 1) return `1234567890123456789${row}`;
            if (at === 2) return row % 2 === 0 ? null : '';
            if (at === 0) return `row ${row}`;
            return at === wide.length - 1 ? long : `value ${at}`;
          }),
        ),
      };
    }
    const asked: unknown[] = [];
    const run = new QueryRun(batches, systemClock);
    const page = await stage.results(run, asked);
    await run.start();
    const grid = page.getByRole('grid', { name: 'Rows' });
    await page.getByRole('gridcell', { name: '12345678901234567891', exact: true }).waitFor();
    await expect.poll(async () => page.locator('.grid-cell').count()).toBeLessThan(800);

    await page.getByRole('combobox', { name: 'Column to filter by' }).selectOption('orders.column_0');
    await page.getByRole('combobox', { name: 'Condition' }).selectOption('equals');
    await page.getByRole('searchbox', { name: 'Value to filter by' }).fill('row 1777');
    await page.getByText(/^1 of 2,000 rows/).waitFor();
    await page.getByRole('gridcell', { name: 'row 1777', exact: true }).waitFor();
    await page.getByRole('combobox', { name: 'Format to copy in' }).selectOption('json');
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => asked.flat().length).toBe(2);
    expect(String(asked.flat()[1])).toContain('"orders.column_1": "12345678901234567891777"');

    await grid.focus();
    for (const key of ['Control+Home', 'ArrowDown', 'End']) await page.keyboard.press(key);
    await page.locator('.grid-active').getByText('items').waitFor();
    const active = page.locator('.grid-active');
    await expect
      .poll(async () => (await grid.getAttribute('aria-activedescendant')) === (await active.getAttribute('id')))
      .toBe(true);
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Value of orders.column_499' }).getByText('"item 39"').waitFor();
    for (const theme of themes) {
      await dress(page, theme);
      expect(await findings(page)).toEqual([]);
      await page.screenshot({ path: `test-results/pages/chat/grid-${theme.name}.png` });
    }
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: 'Value of orders.column_499' }).waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 300, height: 500 });
    await page.screenshot({ path: 'test-results/pages/chat/grid-narrow.png' });
    expect(page.watched.problems).toEqual([]);
    await page.close();
  });

  it('says what goes wrong, is cancelled, and runs again', async () => {
    let runs = 0;
    async function* batches(signal: AbortSignal): AsyncGenerator<SqlBatch> {
      runs += 1;
      if (runs === 1) throw new Error('There is no column “price”.');
      yield { kind: 'schema', columns };
      yield { kind: 'rows', rows: [['done', '7']] };
      // It runs until it is cancelled, however late that is.
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(abortReason(signal))));
    }
    const run = new QueryRun(batches, systemClock);
    const page = await stage.results(run, []);
    await run.start();
    await page.getByText('There is no column “price”.').waitFor();
    await page.getByRole('button', { name: 'Run Again' }).click();
    await page.getByRole('gridcell', { name: 'done' }).waitFor();
    // VS Code discards the page of a hidden editor and makes it again.
    await page.reload();
    await page.getByRole('gridcell', { name: 'done' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. 1 row').waitFor();
    expect(runs).toBe(2);
    await page.close();
  });
});
