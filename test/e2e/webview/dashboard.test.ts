import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DataClient } from '#api/data/data.ts';
import { ok } from '#base/result.ts';
import { PreviewSession } from '#features/dashboards/preview-session.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('dashboard');
});
afterAll(async () => bundle.close());

const index = (x: number, y: number, w: number, h: number) => ({ x, y, w, h });
const byMonth = {
  measures: ['sales.revenue'],
  timeDimensions: [{ dimension: 'sales.created_at', granularity: 'month' }],
};
const dashboard = {
  title: 'Weekly numbers',
  layout: { cols: { lg: 12, md: 12, sm: 6, xs: 4, xxs: 2 }, rowHeight: 40, margin: [12, 12] },
  widgets: [
    { id: 'heading', type: 'TEXT', position: index(0, 0, 12, 1), config: { text: 'Weekly numbers <script>' } },
    { id: 'period', type: 'FILTER', position: index(0, 1, 4, 1), config: { member: 'sales.created_at' } },
    { id: 'trend', type: 'CHART', position: index(0, 2, 8, 6), config: { query: byMonth } },
    {
      id: 'countries',
      type: 'CHART',
      position: index(8, 2, 4, 4),
      config: { query: { measures: ['sales.revenue', 'sales.count'], dimensions: ['sales.country'] } },
    },
    { id: 'why', type: 'AI', position: index(7, 5, 5, 3), config: { prompt: 'What changed this month?' } },
    { id: 'total', type: 'CHART', position: index(4, 1, 8, 1), config: { query: { measures: ['sales.revenue'] } } },
  ],
};

const rows = (query: object): object[] =>
  Array.from({ length: 12 }, (_, n) => ({
    'sales.created_at.month': `2026-${String(n + 1).padStart(2, '0')}-01T00:00:00.000`,
    'sales.country': `Country ${n}`,
    'sales.revenue': String(1000 + ((n * 7919) % 700)),
    'sales.count': 300 + n * 20,
    of: JSON.stringify(query).length,
  }));

/** The production page under the production policy, on the host side's own session. */
async function show(theme: Theme): Promise<{ page: Page; session: PreviewSession; watched: Watched; sent: unknown[] }> {
  const page = await bundle.pages.open({ width: 900, height: 700 });
  const watched: Watched = { requests: [], problems: [] };
  const sent: unknown[] = [];
  const client = { load: (query: object) => Promise.resolve({ data: rows(query) }) } as unknown as DataClient;
  const session = new PreviewSession('Weekly', {
    client: () => Promise.resolve(ok(client)),
  });
  const tell = (data: unknown): void => void page.evaluate((each) => window.postMessage(each, '*'), data);
  session.state.onDidChange(tell);
  await serve(page, bundle.folder, 'dashboard', watched);
  await connect(page, (message) => {
    sent.push(message);
    if ((message as { type: string }).type === 'ready') tell(session.state.value);
  });
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  session.update({ value: dashboard });
  await session.loadSamples(false);
  await page.getByRole('heading', { name: 'Weekly numbers' }).waitFor();
  return { page, session, watched, sent };
}

describe('the layout preview in a browser', () => {
  it.each(themes)('draws the grid in the $name theme at every width, and axe finds nothing', async (theme) => {
    const { page, watched } = await show(theme);
    await page.getByRole('img', { name: /sales.revenue: 12 points from 2026-01-01/ }).waitFor();
    await picturesAtEveryWidth(page, bundle.pictures, `${theme.name}-lg`);
    await page.getByRole('tab', { name: 'sm' }).click();
    await page.getByRole('tab', { name: 'sm', selected: true }).waitFor();
    await page.screenshot({ path: join(bundle.pictures, `${theme.name}-sm.png`) });
    expect(watched.problems).toEqual([]);
    expect(watched.requests.every((url) => url.startsWith(`${ORIGIN}/`))).toBe(true);
    await page.close();
  });

  it('keeps the last picture, marked, while the JSON is broken, and follows again once it is whole', async () => {
    const { page, session } = await show(themes[0] as Theme);
    session.update({ problem: 'This is not valid JSON: Unexpected token' });
    await page.getByText('Not up to date: This is not valid JSON').waitFor();
    await page.getByRole('button', { name: /trend CHART/ }).waitFor();
    await expect.poll(async () => page.locator('.stale .tile').count()).toBe(dashboard.widgets.length);
    await page.screenshot({ path: join(bundle.pictures, 'stale.png') });
    session.update({ value: { ...dashboard, title: 'Whole again' } });
    await page.getByRole('heading', { name: 'Whole again' }).waitFor();
    await page.getByText('Not up to date').waitFor({ state: 'detached' });
    await expect.poll(async () => page.locator('.stale').count()).toBe(0);
    await page.close();
  });

  it('shows 200 widgets, and brings the one at the cursor into sight', async () => {
    const { page, session, sent } = await show(themes[0] as Theme);
    const widgets = Array.from({ length: 200 }, (_, n) => {
      const position = index((n % 4) * 3, Math.floor(n / 4) * 3, 3, 3);
      return { id: `w${n}`, type: 'TEXT', position, config: { text: `Widget ${n}` } };
    });
    session.update({ value: { ...dashboard, title: 'Many', widgets } });
    await page.getByRole('heading', { name: 'Many' }).waitFor();
    await expect.poll(async () => page.locator('.tile').count()).toBe(200);
    const last = page.getByRole('button', { name: /w199 TEXT/ });
    expect(await isInSight(page, 'w199')).toBe(false);
    await page.evaluate(() => window.postMessage({ type: 'select', index: 199 }, '*'));
    await last.and(page.locator('[aria-pressed="true"]')).waitFor();
    await expect.poll(async () => isInSight(page, 'w199')).toBe(true);
    await page.screenshot({ path: join(bundle.pictures, 'many.png') });
    await last.press('Enter');
    await expect.poll(() => sent.at(-1)).toEqual({ type: 'reveal', index: 199 });
    await page.close();
  });

  it('puts widgets where the grid has them, follows edits, and is used by keyboard', async () => {
    const { page, session, sent } = await show(themes[0] as Theme);
    const tile = (name: RegExp) => page.getByRole('button', { name });
    const [heading, trend] = [await boxOf(page, 'heading'), await boxOf(page, 'trend')];
    expect(trend.x).toBeCloseTo(heading.x, 0);
    expect(trend.y).toBeGreaterThan(heading.y + heading.height);
    expect(trend.width / heading.width).toBeCloseTo(8 / 12, 1);
    await tile(/countries.*overlaps another widget/).waitFor();
    const widgets = dashboard.widgets.map((each) =>
      each.id === 'why' ? { ...each, position: index(8, 6, 4, 2) } : each,
    );
    session.update({ value: { ...dashboard, widgets } });
    await tile(/why AI, column 8, row 6, 4 × 2$/).waitFor();
    await expect.poll(async () => tile(/overlaps/).count()).toBe(0);
    await page.getByRole('tab', { selected: true }).focus();
    await page.keyboard.press('Tab');
    // The grid itself scrolls, so a browser may stop there first.
    while (!(await tile(/heading/).evaluate((each) => each === document.activeElement)))
      await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await tile(/heading/)
      .and(page.locator('[aria-pressed="true"]'))
      .waitFor();
    await expect.poll(() => sent.at(-1)).toEqual({ type: 'reveal', index: 0 });
    await page.close();
  });
});

/** Whether a widget's whole tile is inside the window. */
async function isInSight(page: Page, name: string): Promise<boolean> {
  const { y, height } = await boxOf(page, name);
  return y >= 0 && y + height <= (page.viewportSize()?.height ?? 0);
}

async function boxOf(page: Page, name: string): Promise<{ x: number; y: number; width: number; height: number }> {
  const box = await page
    .locator('.tile')
    .filter({ has: page.getByRole('button', { name }) })
    .boundingBox();
  if (!box) throw new Error(`${name} is not in sight`);
  return box;
}
