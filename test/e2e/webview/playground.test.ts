import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { MetaCube } from '#api/data/data-operations.ts';
import type { DataQuery } from '#api/data/data.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import type { QueryOutcome, QueryOptions } from '#features/data/query-service.ts';
import { QueryHistory } from '#features/playground/history.ts';
import type { QueryAdvice } from '#features/playground/ports.ts';
import { PlaygroundSession } from '#features/playground/playground-session.ts';
import type { QueryExplanation } from '#model/pre-aggregations/explanation.ts';
import { MemoryState } from '#support/memory-state.ts';
import { findings } from './axe.ts';
import { bundledPage, type BundledPage } from './bundled-page.ts';
import { proposal, served, unserved } from './explanations.ts';
import { nameInMenu } from './name-menu.ts';
import { connectNumbered, dress, ORIGIN, serve, type Watched } from './page.ts';
import { themes } from './themes.ts';
import { picturesAtEveryWidth } from './widths.ts';

let bundle: BundledPage;
beforeAll(async () => {
  bundle = await bundledPage('playground');
});
afterAll(() => bundle.close());

const advice: QueryAdvice = {
  members: () => Promise.resolve([]),
  explain: () => Promise.resolve(unserved),
  propose: () => Promise.resolve(proposal),
  review: () => Promise.resolve(true),
};

const cubes = [
  {
    name: 'orders',
    measures: [{ name: 'orders.count', title: 'Orders', type: 'number', aggType: 'count' }],
    dimensions: [
      { name: 'orders.status', type: 'string' },
      { name: 'orders.created_at', type: 'time' },
    ],
    segments: [{ name: 'orders.large' }],
  },
  { name: 'users', measures: [{ name: 'users.count', type: 'number' }], dimensions: [], segments: [] },
] as unknown as readonly MetaCube[];

const rows: QueryOutcome = {
  kind: 'rows',
  rows: [
    { 'orders.status': 'paid', 'orders.count': '12345678901234567890.10' },
    { 'orders.status': null, 'orders.count': '0' },
    { 'orders.status': '', 'orders.count': '9' },
  ],
  annotation: { measures: { 'orders.count': { type: 'number' } }, dimensions: {}, timeDimensions: {} },
  facts: {
    source: 'Shop · dev-ann',
    milliseconds: 5,
    preAggregations: ['orders.by_status'],
    lastRefreshTime: '2026-11-28T18:12:23.972Z',
  },
};

type Run = (query: DataQuery, options: QueryOptions) => Promise<QueryOutcome>;

/** The page on the real host side, whose queries go to `run`. */
async function open(
  run: Run,
  advised = advice,
  known = cubes,
): Promise<{
  readonly page: Page;
  readonly watched: Watched;
  readonly copied: string[];
  /** Titles that were proposed for queries to save, and the queries. */
  readonly saved: (readonly [string, DataQuery])[];
  readonly session: PlaygroundSession;
}> {
  const page = await bundle.pages.open({ width: 1000, height: 760 });
  const watched: Watched = { requests: [], problems: [] };
  const copied: string[] = [];
  const nothing = (): Promise<void> => Promise.resolve();
  const push = (text: string): Promise<void> => Promise.resolve(void copied.push(text));
  const saved: (readonly [string, DataQuery])[] = [];
  const target = { kind: 'environment', accountId: 'a', deploymentId: '1' } as const;
  await serve(page, bundle.folder, 'playground', watched);
  const post = await connectNumbered(page, (message) => void session.receive(message));
  const session = new PlaygroundSession({
    location: {
      target,
      restUrl: () => Promise.resolve('https://shop.example/cubejs-api/v1'),
      history: new QueryHistory(new MemoryState(), target),
    },
    queries: {
      run: (_, query, options = {}) => run(query, options),
      meta: (_, options) => Promise.resolve(options?.securityContext ? known.slice(0, 1) : known),
      nameOf: () => Promise.resolve('Shop · dev-ann'),
      forgetMeta: () => undefined,
      client: () => ({ sql: () => Promise.resolve({ sql: 'SELECT count(*) FROM orders', values: [] }) }),
    },
    advice: advised,
    clock: systemClock,
    logger: silentLogger,
    post,
    outputs: {
      ...{ copy: push, openSql: push, ask: nothing, saveCsv: nothing, saveImage: nothing },
      saveQuery: (query, title) => Promise.resolve(void saved.push([title, query])),
    },
    choices: {
      identity: () => Promise.resolve({ name: 'Ada', securityContext: { user: 'ada' } }),
      target: () => Promise.resolve(undefined),
    },
  });
  await page.goto(`${ORIGIN}/`);
  for (const theme of themes.slice(0, 1)) await dress(page, theme);
  await page.getByText('Shop · dev-ann', { exact: true }).waitFor();
  return { page, watched, copied, saved, session };
}

/** What is shown below the query, in every theme at every width. */
async function pictures(page: Page, name: string): Promise<void> {
  await page.evaluate(() => {
    window.addEventListener('resize', () => document.querySelector('.playground-answer')?.scrollIntoView());
  });
  for (const theme of themes) {
    await dress(page, theme);
    await picturesAtEveryWidth(page, bundle.pictures, `${name}-${theme.name}`);
  }
  await page.setViewportSize({ width: 1000, height: 760 });
}

describe('the playground in a browser', () => {
  it('names a cube and a member to the menu that leads to a question for the agent', async () => {
    const { page } = await open(() => Promise.resolve(rows));
    const member = page.getByRole('button', { name: 'measure count' }).first();
    await member.waitFor();
    expect(await nameInMenu(member)).toMatchObject({ webviewSection: 'modelName', modelName: 'orders.count' });
    const cube = page.locator('summary', { hasText: 'orders' });
    expect(await nameInMenu(cube)).toMatchObject({ webviewSection: 'modelName', modelName: 'orders' });
    await page.close();
  });

  it('makes a query of members, explains what is wrong, and shows rows, SQL, other forms and history', async () => {
    const queries: DataQuery[] = [];
    const { page, watched, copied } = await open((query) => {
      queries.push(query);
      return Promise.resolve(rows);
    });
    await page.getByText('Choose members and run the query to see its rows here.').waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByText('Choose at least one measure or dimension').waitFor();
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByRole('button', { name: 'dimension status' }).click();
    await page.getByText('Choose at least one measure or dimension').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add Filter' }).click();
    await page.getByRole('combobox', { name: 'Operator of filter 1' }).selectOption('gt');
    await page.getByRole('textbox', { name: 'Values of filter 1' }).fill('many');
    await page.getByText('“many” is not a number.').waitFor();
    await page.getByText('Correct the query to see its rows here.').waitFor();
    await page.getByRole('textbox', { name: 'Values of filter 1' }).fill('5');
    await page.getByText('“many” is not a number.').waitFor({ state: 'detached' });
    await page.getByText('Run the query (Ctrl+Enter) to see its rows here.').waitFor();
    expect(queries).toEqual([]);

    await page.keyboard.press('Control+Enter');
    await page.getByText(/^3 rows in .*Served by the pre-aggregation orders\.by_status · Data of .*2026/).waitFor();
    await page.getByRole('gridcell', { name: '12345678901234567890.10', exact: true }).waitFor();
    expect(queries).toEqual([
      {
        measures: ['orders.count'],
        dimensions: ['orders.status'],
        filters: [{ member: 'orders.count', operator: 'gt', values: ['5'] }],
        limit: 1000,
        timezone: 'UTC',
      },
    ]);
    for (const theme of themes) {
      await dress(page, theme);
      expect(await findings(page)).toEqual([]);
      await page.screenshot({ path: join(bundle.pictures, `${theme.name}.png`) });
      await picturesAtEveryWidth(page, bundle.pictures, theme.name);
    }
    await page.setViewportSize({ width: 1000, height: 760 });

    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    await page.getByRole('img', { name: 'Bar chart of the rows' }).locator('.mark-rect path').first().waitFor();
    for (const theme of themes) {
      await dress(page, theme);
      await page.getByRole('img', { name: 'Bar chart of the rows' }).locator('.mark-rect path').first().waitFor();
      expect(await findings(page)).toEqual([]);
      await page.screenshot({ path: join(bundle.pictures, `chart-${theme.name}.png`) });
    }
    await page.getByRole('button', { name: 'Pie', exact: true }).click();
    await page.getByRole('img', { name: 'Pie chart of the rows' }).locator('.mark-arc path').first().waitFor();
    await page.screenshot({ path: join(bundle.pictures, 'pie.png') });

    await page.getByRole('button', { name: 'SQL', exact: true }).click();
    await page.getByRole('region', { name: 'Compiled SQL' }).getByText('FROM orders').waitFor();
    await page.getByRole('button', { name: 'Open in Editor' }).click();
    await page.getByRole('button', { name: 'Query', exact: true }).click();
    await page.getByRole('button', { name: 'SQL API' }).click();
    await page.getByRole('region', { name: 'Query as SQL API' }).getByText('HAVING MEASURE').waitFor();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await expect.poll(() => copied).toEqual(['SELECT count(*)\nFROM orders', expect.stringContaining('HAVING')]);
    await page.getByRole('button', { name: 'History' }).click();
    await page.getByRole('button', { name: 'orders.status, orders.count' }).click();
    await expect.poll(() => queries.length).toBe(2);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('saves the query as it is written, and explains at its fields what is wrong with it before', async () => {
    const { page, watched, saved } = await open(() => Promise.resolve(rows));
    const save = page.getByRole('button', { name: 'Save Query…' });
    const isOneOf = (...values: readonly string[]) => ({ member: 'orders.status', operator: 'equals', values });
    await save.press('Enter');
    await page.getByText('Choose at least one measure or dimension').waitFor();
    expect(saved).toEqual([]);
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByText('Run the query (Ctrl+Enter) to see its rows here.').waitFor();
    await page.getByRole('button', { name: 'time created_at' }).click();
    await page.getByRole('button', { name: 'Add Filter' }).click();
    await page.getByRole('combobox', { name: 'Member of filter 1' }).selectOption('orders.status');
    await page.getByRole('textbox', { name: 'Values of filter 1' }).fill('paid, "a,b"');
    await page.getByRole('button', { name: 'Or…' }).click();
    await page.getByRole('textbox', { name: 'Values of filter 1, alternative 1' }).fill('open');
    await page.getByRole('button', { name: 'Add Order' }).click();
    await page.getByRole('textbox', { name: 'Limit' }).fill('50');
    await page.getByRole('textbox', { name: 'Time zone' }).fill('Europe/Berlin');
    await save.click();
    await expect.poll(() => saved).toHaveLength(1);
    expect(saved[0]).toEqual([
      'orders.created_at.day, orders.count',
      {
        measures: ['orders.count'],
        timeDimensions: [{ dimension: 'orders.created_at', granularity: 'day' }],
        filters: [{ or: [isOneOf('paid', 'a,b'), isOneOf('open')] }],
        order: { 'orders.count': 'desc' },
        limit: 50,
        timezone: 'Europe/Berlin',
      },
    ]);
    expect(await findings(page)).toEqual([]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('draws a chart again at the width of its view', async () => {
    const { page, watched } = await open(() => Promise.resolve(rows));
    await page.setViewportSize({ width: 450, height: 760 });
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByRole('button', { name: 'dimension status' }).click();
    await page.getByRole('button', { name: 'Chart', exact: true }).click();
    const chart = page.getByRole('img', { name: 'Bar chart of the rows' });
    // What its view leaves at its side: a chart that is not drawn again is too narrow, or is cut.
    const left = (): Promise<number> =>
      chart.evaluate((place) => place.clientWidth - (place.querySelector('svg')?.clientWidth ?? 0));
    for (const width of [450, 1000, 600]) {
      await page.setViewportSize({ width, height: 420 });
      await expect.poll(left).toBe(8);
      expect(await chart.evaluate((place) => place.scrollHeight - place.clientHeight)).toBeLessThanOrEqual(0);
      await page.screenshot({ path: join(bundle.pictures, `chart-${width}.png`) });
    }
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('marks members that are written but not built yet, which cannot be queried', async () => {
    const written = [
      { name: 'orders.count', kind: 'measure' },
      { name: 'orders.freight_total', kind: 'measure' },
      { name: 'returns.returned_at', kind: 'time' },
    ] as const;
    const { page } = await open(() => Promise.resolve(rows), { ...advice, members: () => Promise.resolve(written) });
    const list = page.locator('.member-list');
    await list.getByText('freight_total not built yet').waitFor();
    await page.getByRole('button', { name: 'measure count' }).first().waitFor();
    await expect.poll(async () => list.locator('summary').allInnerTexts()).toEqual(['orders', 'users', 'returns']);
    await expect.poll(async () => list.getByText('not built yet').count()).toBe(2);
    expect(await list.getByRole('button', { name: /freight_total|returned_at/ }).count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Find members' }).fill('freight');
    await list.getByText('count', { exact: true }).waitFor({ state: 'detached' });
    expect(await findings(page)).toEqual([]);
    await page.close();
  });

  it('unfolds the cube of a member that is in the query, also among many', async () => {
    const idOf = (name: string) => [{ name: `${name}.id`, type: 'string' }];
    const others = ['a', 'b', 'c', 'd'].map((name) => ({ name, measures: [], dimensions: idOf(name), segments: [] }));
    const { page, session } = await open(() => Promise.resolve(rows), advice, [...cubes, ...others] as typeof cubes);
    const status = page.getByRole('button', { name: 'dimension status' });
    expect(await status.isVisible()).toBe(false);
    await session.query('orders.count');
    await status.waitFor();
    const named = page.locator('.member-list summary');
    const mark = await named.last().evaluate((cube) => getComputedStyle(cube, '::before').content);
    expect(mark).toContain('▸');
    await expect.poll(async () => named.allInnerTexts()).toEqual(['orders', 'users', 'a', 'b', 'c', 'd']);
    expect(await page.getByRole('button', { name: 'dimension id' }).count()).toBe(0);
    // The last one of its cube is taken out again: what the pointer is over does not move away.
    await page.getByRole('button', { name: 'measure count' }).first().click();
    await page.getByRole('button', { name: 'Remove orders.count' }).waitFor({ state: 'detached' });
    await status.waitFor();
    await page.close();
  });

  it('runs as another identity, and shows what differs between two of them', async () => {
    const { page, watched } = await open((_, { securityContext }) =>
      Promise.resolve(
        securityContext
          ? { ...rows, rows: [{ 'orders.status': 'paid', 'orders.count': '7' }] }
          : { ...rows, rows: [...rows.rows.slice(1), { 'orders.status': 'paid', 'orders.count': '8' }] },
      ),
    );
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByRole('button', { name: 'dimension status' }).click();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Compare with Identity…' }).click();
    await page.getByText('1 row changed, 2 rows only in your own view, 0 rows the same.').waitFor();
    await page.getByText('Members only in your own view: users.count').waitFor();
    await page.getByRole('gridcell', { name: 'changed' }).waitFor();
    for (const theme of themes) {
      await dress(page, theme);
      expect(await findings(page)).toEqual([]);
      await page.screenshot({ path: join(bundle.pictures, `compare-${theme.name}.png`) });
    }
    await page.getByRole('button', { name: 'View As…' }).click();
    await page.getByText('Not visible to Ada: users.count.').waitFor();
    await page.getByRole('button', { name: 'Viewing as Ada…' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('gridcell', { name: '7', exact: true }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.screenshot({ path: join(bundle.pictures, 'view-as.png') });
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('explains which pre-aggregation serves the query, and adds one through its review', async () => {
    let explanation: QueryExplanation = unserved;
    const reviewed: string[] = [];
    const review = Promise.withResolvers<boolean>();
    const { page, watched } = await open(() => Promise.resolve(rows), {
      ...advice,
      explain: () => Promise.resolve(explanation),
      propose: () => Promise.resolve(proposal),
      review: (uri, _, title) => {
        reviewed.push(uri, title);
        return review.promise;
      },
    });
    await page.getByRole('button', { name: 'Pre-aggregations' }).click();
    await page.getByText('The query is not complete yet.').waitFor();
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByRole('button', { name: 'dimension status' }).click();
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('None of the pre-aggregations of its cubes serves this query.').waitFor();
    await page.getByText('It is grouped by month, and the query needs').waitFor();
    await pictures(page, 'pre-aggregations');

    await page.getByRole('button', { name: 'Propose Pre-aggregation…' }).click();
    await page.getByText('Waiting for your review of the proposed change…').waitFor();
    expect(reviewed).toEqual(['file:///orders.yml', 'Add the pre-aggregation orders.count_by_status']);
    explanation = served;
    review.resolve(true);
    await page.getByText('“orders.count_by_status” serves this query.').waitFor();
    await page.getByText('“orders.count_by_status” was added.').waitFor();
    await page.getByRole('button', { name: 'Propose Pre-aggregation…' }).waitFor({ state: 'detached' });
    await pictures(page, 'pre-aggregations-used');

    explanation = {
      ...unserved,
      candidates: [],
      proposed: [],
      obstacles: [{ rule: 'rows' }],
    };
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText('No pre-aggregation can serve this query:').waitFor();
    await page.screenshot({ path: join(bundle.pictures, 'pre-aggregations-none.png') });
    expect(await findings(page)).toEqual([]);
    const errors = ['orders.yml: “sql_tabel” is not allowed', 'users.yml: “sql_table” is missing'];
    explanation = { state: 'refused', errors };
    await page.getByRole('button', { name: 'Explain', exact: true }).click();
    await page.getByText(errors[1] as string).waitFor();
    await page.screenshot({ path: join(bundle.pictures, 'pre-aggregations-refused.png') });
    expect(await findings(page)).toEqual([]);
    expect(watched.problems).toEqual([]);
    await page.close();
  });

  it('shows what the server is doing, and cancels it', async () => {
    const cancelled = Promise.withResolvers<void>();
    const { page } = await open(async (_, { signal, onProgress }) => {
      onProgress?.({ elapsedMs: 2_000, times: 1, stage: 'Executing query' });
      await new Promise((resolve) => signal?.addEventListener('abort', resolve));
      cancelled.resolve();
      return { kind: 'cancelled' };
    });
    await page.getByRole('searchbox', { name: 'Find members' }).fill('orders');
    await page.getByRole('button', { name: 'measure count' }).click();
    await page.getByRole('button', { name: 'Run Query' }).click();
    await page.getByText('Executing query (2 s)…').waitFor();
    // VS Code discards the page of a hidden editor and makes it again.
    await page.reload();
    await page.getByText('Executing query (2 s)…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await cancelled.promise;
    await page.getByText('Cancelled', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByRole('button', { name: 'Compare with Identity…' }).click();
    await page.getByText('Comparing your own view with Ada’s view…').waitFor();
    await page.reload();
    await page.getByText('Comparing your own view with Ada’s view…').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('Rows are matched by their dimensions.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).waitFor({ state: 'detached' });
    // The page that was made again has no colours of a theme yet.
    for (const theme of themes.slice(0, 1)) await dress(page, theme);
    await page.getByRole('button', { name: 'Run Query' }).waitFor();
    expect(await findings(page)).toEqual([]);
    await page.close();
  });
});
