import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { LogFeed } from '#features/logs/log-feed.ts';
import type { LogLine } from '#features/logs/log-tail.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('log');
});
afterAll(async () => bundle.close());

const messages = [
  '{"level":"info","message":"Query completed","duration":41,"queryKey":"orders by month"}',
  'WARN The pre-aggregation orders.main is older than its refresh key',
  'ERROR model/cubes/orders.yml:12:7 dimension “status” is there twice\n    at compile',
  'DEBUG cache hit',
];
const rows = (from: number, count: number): readonly LogLine[] =>
  Array.from({ length: count }, (_, at) => ({
    date: new Date(1_700_000_000_000 + (from + at) * 1000).toISOString(),
    pod: 'shop-api-7f9c',
    container: 'MAIN',
    message: `${messages[(from + at) % messages.length]} #${from + at}`,
  }));

/** The production page under the production policy, on the host side’s own feed. */
async function show(theme: Theme, first: readonly LogLine[]) {
  const page = await bundle.pages.open({ width: 900, height: 600 });
  const watched: Watched = { requests: [], problems: [] };
  const opened: unknown[] = [];
  const news: (readonly LogLine[])[] = [first];
  const feed = new LogFeed({
    log: {
      accountId: 'a',
      deploymentId: '1',
      title: 'Shop · production · MAIN',
      source: 'production',
      container: 'MAIN',
    },
    ask: async function* () {
      yield await Promise.resolve(news.shift() ?? []);
    },
    clock: { ...systemClock, now: () => systemClock.now(), sleep: async (_, signal) => systemClock.sleep(20, signal) },
    logger: silentLogger,
    post: (message) => void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
    actions: {
      save: () => Promise.resolve(),
      copy: () => Promise.resolve(),
      choose: (what) => Promise.resolve(void opened.push(what)),
      open: (place) => Promise.resolve(void opened.push(place)),
    },
    bounded: (work) => (work(), true),
  });
  await serve(page, bundle.folder, 'log', watched);
  await connect(page, (message) => void feed.receive(message));
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  void feed.run();
  return { page, feed, news, opened, watched };
}

const status = (page: Page) => page.getByRole('status');

describe('the log view in a browser', () => {
  it.each(themes)('is read in the $name theme at every width, and axe finds nothing', async (theme) => {
    const { page, feed, watched } = await show(theme, rows(0, 300));
    await page.getByText('#299', { exact: false }).first().waitFor();
    await page.getByRole('searchbox', { name: 'Find in lines' }).fill('refresh key #297');
    await page.locator('.line.found mark').waitFor();
    await picturesAtEveryWidth(page, bundle.pictures, theme.name);
    expect(watched.problems).toEqual([]);
    feed.dispose();
    await page.close();
  });

  it('draws only what is in sight of 40,000 lines, follows, stands still when scrolled, pauses and filters', async () => {
    const { page, feed, news, opened } = await show(themes[0] as Theme, rows(0, 40_000));
    const lines = page.getByRole('region', { name: 'Lines of the log' });
    await page.getByText('#39999').waitFor();
    await expect.poll(async () => page.locator('.line').count()).toBeLessThan(120);
    news.push(rows(40_000, 1000));
    await page.getByText('#40999').waitFor();

    await lines.evaluate((box) => box.scrollTo({ top: 0 }));
    await page.getByText(/#0$/).waitFor();
    news.push(rows(41_000, 1000));
    await expect.poll(() => status(page).textContent()).toMatch(/^52,500 lines\s*$/);
    await page.getByText(/#0$/).waitFor();

    await page.getByRole('button', { name: 'Pause' }).click();
    await status(page)
      .getByText(/^Paused at/)
      .waitFor();
    news.push(rows(42_000, 4));
    await status(page)
      .getByText(/; 5 new lines are waiting/)
      .waitFor();
    await page.screenshot({ path: join(bundle.pictures, 'paused.png') });
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Follow' }).click();
    await page.getByText('#42003').waitFor();

    await page.getByRole('combobox', { name: 'Minimum severity' }).selectOption('Errors');
    await page.getByRole('searchbox', { name: 'Filter lines' }).fill('orders.yml');
    await status(page)
      .getByText(/^10,501 lines match the filter/)
      .waitFor();
    await page.getByRole('button', { name: 'model/cubes/orders.yml:12:7' }).last().click();
    await expect.poll(() => opened).toMatchObject([{ path: 'model/cubes/orders.yml', line: 12, column: 7 }]);
    await page.screenshot({ path: join(bundle.pictures, 'filtered.png') });
    await page.getByRole('searchbox', { name: 'Filter lines' }).fill('/[/');
    await page.getByRole('alert').getByText('not a valid regular expression').waitFor();
    feed.dispose();
    await page.close();
  });
});
