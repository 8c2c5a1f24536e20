import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { SqlBatch } from '#api/data.ts';
import { systemClock } from '#base/clock.ts';
import { QueryRun } from '#chat-core/query-run.ts';
import { findings } from './axe.ts';
import { ChatStage } from './stage.ts';

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
    await page.getByRole('cell', { name: 'status 3', exact: true }).waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(80);
    expect(await findings(page)).toEqual([]);

    await page.getByRole('region', { name: 'Rows' }).evaluate((grid) => grid.scrollTo({ top: grid.scrollHeight }));
    await page.getByRole('cell', { name: '<b>none</b>' }).waitFor();
    await page.getByRole('cell', { name: 'null', exact: true }).waitFor();
    await page.getByRole('button', { name: 'orders.count' }).click();
    await page.getByRole('button', { name: 'orders.count' }).click();
    await page.getByRole('region', { name: 'Rows' }).evaluate((grid) => grid.scrollTo({ top: 0 }));
    await page.getByRole('cell', { name: 'status 49999', exact: true }).waitFor();
    expect(await page.getByRole('columnheader', { name: 'orders.count' }).getAttribute('aria-sort')).toBe('descending');
    await page.getByRole('button', { name: 'Copy' }).click();
    await expect.poll(() => asked.length).toBe(1);
    expect(page.watched.problems).toEqual([]);
    expect(page.watched.requests.every((url) => url.startsWith('https://chat.example/'))).toBe(true);
    await page.close();
  });

  it('says what goes wrong, is cancelled, and runs again', async () => {
    let runs = 0;
    async function* batches(signal: AbortSignal): AsyncGenerator<SqlBatch> {
      runs += 1;
      if (runs === 1) throw new Error('There is no column “price”.');
      yield { kind: 'schema', columns };
      yield { kind: 'rows', rows: [['done', '7']] };
      await systemClock.sleep(60_000, signal);
    }
    const run = new QueryRun(batches, systemClock);
    const page = await stage.results(run, []);
    await run.start();
    await page.getByText('There is no column “price”.').waitFor();
    await page.getByRole('button', { name: 'Run Again' }).click();
    await page.getByRole('cell', { name: 'done' }).waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Cancelled. 1 row').waitFor();
    expect(runs).toBe(2);
    await page.close();
  });
});
