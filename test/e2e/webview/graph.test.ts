import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JoinGraphResult } from '#features/language/messages.ts';
import { GraphSession } from '#features/lineage/graph-session.ts';
import { parseGraphToHost } from '#features/lineage/messages.ts';
import { findings } from './axe.ts';
import { type BundledPage, bundledPage } from './bundled-page.ts';
import { nameInMenu } from './name-menu.ts';
import { connect, dress, ORIGIN, serve, type Watched } from './page.ts';
import { type Theme, themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('graph');
});
afterAll(async () => bundle.close());

const names = [
  'customers',
  'orders',
  'line_items',
  'products',
  'suppliers',
  'stores',
  'countries',
  'budget',
  'weather',
];
const model: JoinGraphResult = {
  nodes: names.map((name, line) => ({
    name,
    kind: 'cube',
    uri: `file:///${name}.yml`,
    line,
    measures: line,
    dimensions: line + 1,
  })),
  edges: (
    [
      ['orders', 'customers'],
      ['line_items', 'orders'],
      ['line_items', 'products'],
      ['products', 'suppliers'],
      ['orders', 'stores'],
      ['stores', 'countries'],
    ] as const
  ).map(([from, to]) => ({ from, to, relationship: 'many_to_one', uri: `file:///${from}.yml`, line: 3 })),
};

/** A cube that 299 others join, so that one column of the picture is very long. */
const large: JoinGraphResult = {
  nodes: Array.from({ length: 300 }, (_, line) => ({
    name: `cube_${line}`,
    kind: 'cube',
    uri: 'file:///large.yml',
    line,
    measures: 1,
    dimensions: 1,
  })),
  edges: Array.from({ length: 299 }, (_, at) => ({
    from: `cube_${at + 1}`,
    to: 'cube_0',
    relationship: 'many_to_one',
    uri: 'file:///large.yml',
    line: at,
  })),
};

/** In pixels of the screen, with one decimal: the height of the smallest letters of the picture. */
const smallestText = async (page: Page): Promise<number> =>
  page.locator('.graph svg text').evaluateAll((texts) => {
    const [svg] = texts.map((text) => text.closest('svg'));
    const zoom = svg ? svg.getBoundingClientRect().width / svg.viewBox.baseVal.width : 0;
    const heights = texts.map((text) => Number.parseFloat(getComputedStyle(text).fontSize) * zoom);
    return Math.round(Math.min(...heights) * 10) / 10;
  });

/** Whether the whole box of a cube, as far as the page is wide enough, lies inside of the scrolled container. */
const isInView = async (page: Page, name: string): Promise<boolean> =>
  page.locator(`#cube-${name}`).evaluate((cube) => {
    const [box, view] = [cube, cube.closest('.container') ?? cube].map((each) => each.getBoundingClientRect());
    if (!box || !view) return false;
    return (
      box.left >= view.left - 1 &&
      box.right <= view.right + 1 &&
      box.top >= view.top - 1 &&
      box.bottom <= view.bottom + 1
    );
  });

/** The production page under the production policy, on the host's own side of it. */
async function show(around: string, theme = themes[0] as Theme, viewport = { width: 900, height: 600 }, graph = model) {
  const page = await bundle.pages.open(viewport);
  const watched: Watched = { requests: [], problems: [] };
  const done: unknown[] = [];
  const session = new GraphSession(graph, around, {
    post: (state) => void page.evaluate((data) => window.postMessage(data, '*'), state).catch(() => undefined),
    open: (...index) => Promise.resolve(void done.push(index)),
    save: (format, data) => Promise.resolve(void done.push([format, data])),
  });
  await serve(page, bundle.folder, 'graph', watched);
  await connect(page, (raw) => {
    const message = parseGraphToHost(raw);
    if (message) void session.receive(message);
  });
  await page.goto(`${ORIGIN}/`);
  await dress(page, theme);
  await page.getByRole('group', { name: 'Joins of the model' }).waitFor();
  const picture = async (name: string) => page.screenshot({ path: join(bundle.pictures, `${name}.png`) });
  const cubes = async (): Promise<readonly string[]> => {
    const labels = await page.locator('.cube').evaluateAll((all) => all.map((each) => each.getAttribute('aria-label')));
    return labels.map((label) => label?.split(',')[0] ?? '').sort();
  };
  return { page, done, watched, picture, cubes };
}

describe('the join graph in a browser', () => {
  it.each(themes)('is seen in the $name theme, and axe finds nothing', async (theme) => {
    const { page, watched, picture } = await show('', theme);
    await picture(theme.name);
    expect(await findings(page)).toEqual([]);
    await picturesAtEveryWidth(page, bundle.pictures, theme.name);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('shows what joins a cube, one and two joins away, and the whole model with and without loose cubes', async () => {
    const { page, cubes } = await show('orders');
    await expect.poll(async () => cubes()).toEqual(['customers', 'line_items', 'orders', 'stores']);
    await page.getByLabel('Neighbours').selectOption('2 joins away');
    await expect.poll(cubes).toEqual(['countries', 'customers', 'line_items', 'orders', 'products', 'stores']);
    await page.getByLabel('Around').selectOption('All cubes');
    await expect.poll(async () => (await cubes()).length).toBe(7);
    await page.getByLabel('Show 2 cubes without joins').check();
    await expect.poll(cubes).toContain('weather');
    await page.close();
  });

  it('names a cube to the menu that leads to a question for the agent', async () => {
    const { page } = await show('orders');
    const cube = page.getByRole('link', { name: /^customers, / });
    expect(await nameInMenu(cube)).toMatchObject({ webviewSection: 'modelName', modelName: 'customers' });
    await page.close();
  });

  it('is searched, enlarged and followed with the keyboard alone', async () => {
    const { page, done } = await show('');
    const { keyboard } = page;
    await page.getByLabel('Search cubes').focus();
    await keyboard.type('SUPP');
    await expect.poll(() => page.getByRole('status').textContent()).toBe('1 cube');
    await keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('cube-suppliers');
    const width = async (): Promise<number> => Number(await page.locator('svg').getAttribute('width'));
    const before = await width();
    await keyboard.press('+');
    await expect.poll(width).toBeGreaterThan(before);
    await keyboard.press('0');
    await expect.poll(width).toBe(before);
    await keyboard.press('Enter');
    await expect.poll(() => done).toEqual([['file:///suppliers.yml', 4]]);
    await page.close();
  });

  it.each([
    { width: 200, around: '', middle: 'orders' },
    { width: 300, around: '', middle: 'orders' },
    { width: 200, around: 'orders', middle: 'orders' },
    { width: 450, around: 'orders', middle: 'orders' },
    { width: 300, around: 'countries', middle: 'countries' },
    { width: 300, around: 'weather', middle: 'weather' },
  ])('can be read at $width px, with $middle in view', async ({ width, around, middle }) => {
    const { page } = await show(around, themes[0], { width, height: 600 });
    await expect.poll(async () => smallestText(page)).toBeGreaterThanOrEqual(10);
    await expect.poll(async () => isInView(page, middle)).toBe(true);
    await page.close();
  });

  it('can be read in a model of 300 cubes, and leads to the one that is searched', async () => {
    const { page } = await show('', themes[0], { width: 300, height: 400 }, large);
    await expect.poll(async () => smallestText(page)).toBeGreaterThanOrEqual(10);
    await expect.poll(async () => isInView(page, 'cube_0')).toBe(true);
    await page.getByLabel('Search cubes').fill('cube_299');
    await page.keyboard.press('Enter');
    await expect.poll(async () => isInView(page, 'cube_299')).toBe(true);
    await page.close();
  });

  it.each([200, 300])(
    'shows the whole picture at %d px on request, also when the page becomes wider, until it is zoomed',
    async (width) => {
      const { page } = await show('', themes[0], { width, height: 600 });
      const boxes = async () =>
        page.locator('.graph .container').evaluate((container) => {
          const sizeOf = (name: 'width' | 'height') => Number(container.querySelector('svg')?.getAttribute(name));
          const [picture, high] = [sizeOf('width'), sizeOf('height')];
          const inner = container.clientWidth;
          return { inner, picture, used: Math.max(picture / inner, high / container.clientHeight) };
        });
      const isFitted = async (): Promise<boolean> => {
        const { used } = await boxes();
        return used > 0.8 && used <= 1;
      };
      await page.getByRole('button', { name: 'Fit' }).click();
      await expect.poll(isFitted).toBe(true);
      const { picture: narrow } = await boxes();
      await page.setViewportSize({ width: width + 100, height: 600 });
      await expect.poll(async () => (await boxes()).picture).toBeGreaterThan(narrow);
      await expect.poll(isFitted).toBe(true);
      const { picture: fitted } = await boxes();
      await page.getByRole('button', { name: 'Zoom In' }).click();
      await expect.poll(async () => (await boxes()).picture).toBeGreaterThan(fitted);
      const { picture: zoomed } = await boxes();
      await page.setViewportSize({ width, height: 600 });
      await expect.poll(async () => (await boxes()).inner).toBeLessThanOrEqual(width);
      expect((await boxes()).picture).toBe(zoomed);
      await page.close();
    },
  );

  it('saves its picture in the colours of the theme', async () => {
    const { page, done } = await show('orders');
    await page.getByRole('button', { name: 'Save as SVG' }).click();
    await expect.poll(() => done.length).toBe(1);
    await page.getByRole('button', { name: 'Save as PNG' }).click();
    await expect.poll(() => done.length).toBe(2);
    const [[, svg], [, png]] = done as [[string, string], [string, string]];
    expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(svg).toContain('>orders<');
    expect(svg).not.toContain('var(');
    expect(Buffer.from(png, 'base64').subarray(1, 4).toString()).toBe('PNG');
    await page.close();
  });
});
