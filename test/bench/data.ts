import { rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import type { MetaCube } from '#api/data/data-operations.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import type { QueryOutcome } from '#features/data/query-service.ts';
import { emptyDraft } from '#features/playground/draft.ts';
import { QueryHistory } from '#features/playground/history.ts';
import { PlaygroundSession } from '#features/playground/playground-session.ts';
import { MemoryState } from '#support/memory-state.ts';
import { bundledPage, type BundledPage } from '../e2e/webview/bundled-page.ts';
import { buildPages } from '../e2e/webview/page-bundles.ts';
import { connect, dress, ORIGIN, serve } from '../e2e/webview/page.ts';
import { themes } from '../e2e/webview/themes.ts';
import { type Bench, type Figure, median } from './figures.ts';

const target = { kind: 'environment', accountId: 'a', deploymentId: '1' } as const;
const dimension = { name: 'orders.id', type: 'string' };
const measure = { name: 'orders.count', type: 'number' };
const cubes = [
  { name: 'orders', measures: [measure], dimensions: [dimension], segments: [] },
] as unknown as readonly MetaCube[];
const draft = { ...emptyDraft, measures: [measure.name], dimensions: [dimension.name], limit: '50000' };

/**
 * From an answer to its first row on the page, and how long the page takes to open, beside the official client with a plain
 * table in the same browser.
 */
export const run: Bench = async ({ quick }) => {
  const folder = await buildPages('playground');
  const bundle = await bundledPage('playground', folder);
  try {
    const times = quick ? 1 : 5;
    const figures: Figure[] = [];
    const { page, opened, answer } = await open(bundle);
    figures.push(
      compared(reached('page-opens', opened, 'ms', 300), 'a page with one line of text', await emptyPage(bundle)),
    );
    let peerValue = { drawn: 0, frames: 0 };
    for (const count of [1_000, 100_000]) {
      const own: number[] = [];
      for (let time = 0; time < times; time++) own.push(await answer(count, `first-${count}-${time}`));
      peerValue = await plainTable(bundle, count, times);
      const value = median(own);
      figures.push(compared(reached(`first-row-of-${count}`, value, 'ms', 150), plain, peerValue.drawn));
    }
    const frames = reached('frames-while-100000-rows-scroll', await framesPerSecond(page), '1/s', 60, 50);
    figures.push(compared(frames, plain, peerValue.frames));
    figures.push(reached('processor-while-100000-rows-scroll', await processorPerFrame(page), 'ms/frame', 1_000 / 60));
    return figures;
  } finally {
    await bundle.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
};

const plain = '@cubejs-client/core and a table';

/** A figure beside that of another page in the same browser. */
function compared(figure: Figure, peer: string, peerValue: number): Figure {
  return { ...figure, peer, peerValue, ratio: figure.value / peerValue };
}

/** How long a page takes that has nothing to load: what of the figures is the browser's and the machine's. */
async function emptyPage({ pages }: BundledPage): Promise<number> {
  const page = await pages.open({ width: 1000, height: 760 });
  await page.route('**/*', (route) => route.fulfill({ contentType: 'text/html', body: '<p>Shop</p>' }));
  const began = Date.now();
  await page.goto(`${ORIGIN}/`);
  await page.getByText('Shop', { exact: true }).waitFor();
  const opened = Date.now() - began;
  await page.close();
  return opened;
}

/** A figure with its aim; `least` where more is better: what a machine that does nothing else than measure reaches. */
function reached(id: string, value: number, unit: string, reach: number, least?: number): Figure {
  return { id, value, unit, reach, ok: least === undefined ? value <= reach : value >= least };
}

function rowsOf(count: number, first: string): readonly Readonly<Record<string, unknown>>[] {
  return Array.from({ length: count }, (_, at) => ({
    [dimension.name]: at === 0 ? first : `order ${at}`,
    [measure.name]: String(at),
  }));
}

/** The page on the real host side; `answer` gives it rows, and resolves to the milliseconds until the first one is seen. */
async function open(bundle: BundledPage) {
  const page = await bundle.pages.open({ width: 1000, height: 760 });
  await serve(page, bundle.folder, 'playground', { requests: [], problems: [] });
  let answered = Promise.withResolvers<QueryOutcome>();
  const session = new PlaygroundSession({
    location: { target, restUrl: async () => ORIGIN, history: new QueryHistory(new MemoryState(), target) },
    queries: {
      run: async () => answered.promise,
      meta: async () => cubes,
      nameOf: async () => 'Shop',
      forgetMeta: () => undefined,
      client: () => ({ sql: async () => ({ sql: '', values: [] }) }),
    },
    advice: {
      members: async () => [],
      explain: async () => ({ state: 'skipped', reason: '' }),
      propose: async () => ({ state: 'none', reason: '' }),
      review: async () => false,
    },
    clock: systemClock,
    logger: silentLogger,
    post: (message) => void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
    outputs: {
      ask: () => Promise.resolve(),
      copy: async () => undefined,
      saveCsv: async () => undefined,
      openSql: async () => undefined,
      saveImage: async () => undefined,
      saveQuery: async () => undefined,
    },
    choices: {
      identity: async () => undefined,
      target: async () => undefined,
    },
  });
  await connect(page, (message) => void session.receive(message));
  const began = Date.now();
  await page.goto(`${ORIGIN}/`);
  await page.getByText('Shop', { exact: true }).waitFor();
  const opened = Date.now() - began;
  for (const theme of themes.slice(0, 1)) await dress(page, theme);
  const answer = async (count: number, first: string): Promise<number> => {
    const rows = rowsOf(count, first);
    answered = Promise.withResolvers<QueryOutcome>();
    const seen = seenAt(page, first);
    await session.receive({ type: 'change', draft });
    const ended = session.receive({ type: 'run' });
    const at = Date.now();
    answered.resolve({
      kind: 'rows',
      rows,
      annotation: { measures: {}, dimensions: {}, timeDimensions: {} },
      facts: { source: 'Shop', milliseconds: 0, preAggregations: [] },
    });
    await ended;
    return (await seen) - at;
  };
  return { page, opened, answer };
}

/** When a text was painted, in milliseconds since the epoch. */
function seenAt(page: Page, text: string): Promise<number> {
  return page.evaluate(
    async (wanted) =>
      new Promise<number>((resolve) => {
        const observer = new MutationObserver(() => {
          if (!document.body.textContent.includes(wanted)) return;
          observer.disconnect();
          requestAnimationFrame(() => resolve(Date.now()));
        });
        observer.observe(document.body, { childList: true, subtree: true, characterData: true });
      }),
    text,
  );
}

/** The official client makes rows of an answer, and a table shows them all. */
async function plainTable(
  { pages }: BundledPage,
  count: number,
  times: number,
): Promise<{ readonly drawn: number; readonly frames: number }> {
  const entry = createRequire(import.meta.url).resolve('@cubejs-client/core');
  const contents = `import { ResultSet } from ${JSON.stringify(entry)}; globalThis.ResultSet = ResultSet;`;
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: import.meta.dirname },
    bundle: true,
    write: false,
    format: 'iife',
  });
  const page = await pages.open({ width: 1000, height: 760 });
  await page.setContent('<div id="place"></div>');
  await page.addScriptTag({ content: outputFiles[0]?.text ?? '' });
  const query = { measures: [measure.name], dimensions: [dimension.name] };
  const annotation = {
    measures: { [measure.name]: measure },
    dimensions: { [dimension.name]: dimension },
    timeDimensions: {},
    segments: {},
  };
  const results = [{ query, annotation, data: rowsOf(count, 'first') }];
  const response = { queryType: 'regularQuery', results, pivotQuery: { ...query, queryType: 'regularQuery' } };
  const values: number[] = [];
  for (let time = 0; time < times; time++) values.push(await drawPlainTable(page, response));
  const frames = count >= 100_000 ? await framesPerSecond(page) : 0;
  await page.close();
  return { drawn: median(values), frames };
}

function drawPlainTable(page: Page, response: object): Promise<number> {
  return page.evaluate(async (answer) => {
    const { ResultSet } = globalThis as unknown as {
      ResultSet: new (answer: unknown) => { tablePivot(): readonly Readonly<Record<string, unknown>>[] };
    };
    const began = performance.now();
    const table = document.createElement('table');
    for (const row of new ResultSet(answer).tablePivot()) {
      const line = table.insertRow();
      for (const value of Object.values(row)) line.insertCell().textContent = String(value);
    }
    document.querySelector('#place')?.replaceChildren(table);
    await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - began;
  }, response);
}

/** How many frames a second the grid gets while it is scrolled from its top to its end in two seconds. */
function framesPerSecond(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const scroller = [...document.querySelectorAll('*')].find(
      (each) => each.scrollHeight > 100_000 && each.scrollHeight > each.clientHeight,
    );
    if (!scroller) throw new Error('There is nothing to scroll.');
    const began = performance.now();
    let frames = 0;
    while (performance.now() - began < 2_000) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      frames += 1;
      scroller.scrollTop = (scroller.scrollHeight * (performance.now() - began)) / 2_000;
    }
    return (frames * 1_000) / (performance.now() - began);
  });
}

/** How many frames a page is scrolled for, and how far with each, in pixels: no row stays in sight. */
const scrolled = { frames: 150, by: 20_000 };

/**
 * The processor time of the page for a frame in which all rows are others, in milliseconds. Unlike frames in a second, it does
 * not depend on what else the machine does; its drawing is done by the processor where there is no graphics card.
 */
async function processorPerFrame(page: Page): Promise<number> {
  const session = await page.context().browser()?.newBrowserCDPSession();
  if (!session) throw new Error('The browser does not say how long it works.');
  const used = async (): Promise<number> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo');
    return processInfo.reduce((sum, { type, cpuTime }) => sum + (type === 'renderer' ? cpuTime : 0), 0);
  };
  const before = await used();
  await page.evaluate(async ({ frames, by }) => {
    const scroller = document.querySelector('.grid');
    if (!scroller) throw new Error('There is no grid.');
    for (let frame = 0; frame < frames; frame++) {
      scroller.scrollTop = (frame * by) % scroller.scrollHeight;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
  }, scrolled);
  return (1_000 * ((await used()) - before)) / scrolled.frames;
}
