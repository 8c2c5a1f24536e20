import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { buildPages } from '../../e2e/webview/page-bundles.ts';
import { ChatStage } from '../../e2e/webview/stage.ts';
import { root } from '../../tools/run.ts';
import type { Figure } from '../figures.ts';
import { answerOf, chatPatches, type Measured, measured, throttle } from './view.ts';

/** Text that is added before each paint, in characters: 50 ms of a fast model. */
const STEP = 75;

interface Peer {
  readonly name: string;
  /** A module that puts `window.draw(text)` on the page; absent where the peer is not installed. */
  readonly code: () => Promise<string | undefined>;
}

const react = (imports: string, element: string): string =>
  `import { createElement } from 'react';
   import { createRoot } from 'react-dom/client';
   import { flushSync } from 'react-dom';
   ${imports}
   const root = createRoot(document.querySelector('.log'));
   window.draw = (text) => flushSync(() => root.render(${element}));`;

const peers: readonly Peer[] = [
  {
    name: 'markdown-it to innerHTML',
    code: () => {
      const library = readFileSync(createRequire(import.meta.url).resolve('markdown-it/browser'), 'utf8');
      return Promise.resolve(
        `${library}\n;{ const md = window.markdownit(); window.draw = (text) => { document.querySelector('.log').innerHTML = md.render(text); }; }`,
      );
    },
  },
  {
    name: 'react-markdown',
    code: () =>
      bundled(
        react(
          "import Markdown from 'react-markdown'; import gfm from 'remark-gfm';",
          'createElement(Markdown, { remarkPlugins: [gfm] }, text)',
        ),
      ),
  },
  {
    name: 'streamdown',
    code: () => bundled(react("import { Streamdown } from 'streamdown';", 'createElement(Streamdown, null, text)')),
  },
];

/**
 * An answer that grows in steps, each of which is painted before the next one comes: every renderer paints as often, so that
 * what a paint costs can be compared. Peers that are not installed are left out.
 */
export async function paintFigures(quick: boolean): Promise<readonly Figure[]> {
  const folder = await buildPages('chat', 'results');
  const stage = await ChatStage.open(folder);
  try {
    return await besidePeers(stage, quick);
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function besidePeers(stage: ChatStage, quick: boolean): Promise<readonly Figure[]> {
  const answer = answerOf(quick ? 3_000 : 12_000);
  const ours = await inSteps(stage, answer, oursOn);
  const figures: Figure[] = [];
  for (const { name, code } of peers) {
    const script = await code();
    if (script === undefined) {
      console.log(`Without its peer: npm install --no-save --ignore-scripts ${name} react react-dom remark-gfm`);
      continue;
    }
    const peer = await inSteps(stage, answer, async (page) => {
      await page.evaluate(script);
      return (text) =>
        // In a task of the page: what an evaluation runs is not counted as its script.
        page.evaluate(
          (grown) => void setTimeout(() => (window as unknown as { draw: (text: string) => void }).draw(grown), 0),
          text,
        );
    });
    const id = `${answer.length.toLocaleString('en')} characters in ${ours.paints} paints at 4× throttling`;
    figures.push(
      beside(`${id}: paints`, ours.paints, '', [name, peer.paints]),
      beside(`${id}: script`, ours.script, 'ms', [name, peer.script]),
      beside(`${id}: all work of the page`, ours.work, 'ms', [name, peer.work]),
    );
  }
  return figures;
}

interface Painted extends Measured {
  readonly paints: number;
}

/** Prepares a page and answers with what shows the text so far on it. */
type Draw = (page: Page) => Promise<(text: string) => Promise<unknown>>;

const oursOn: Draw = async (page) => {
  const send = await chatPatches(page);
  let at = 0;
  return async (text) => {
    const more = text.slice(at);
    await send(at, more);
    at = text.length;
  };
};

async function inSteps(stage: ChatStage, answer: string, draw: Draw): Promise<Painted> {
  const { page } = await stage.chat();
  const show = await draw(page);
  await throttle(page);
  // Counts frames in which what is shown has changed.
  await page.evaluate(() => {
    const state = Object.assign(window, { paints: 0, next: () => undefined as void });
    new MutationObserver(() =>
      requestAnimationFrame(() =>
        setTimeout(() => {
          state.next();
        }, 0),
      ),
    ).observe(document.querySelector('.log') ?? document.body, {
      childList: true,
      characterData: true,
      subtree: true,
    });
  });
  const result = await measured(page, async () => {
    for (let end = STEP; end < answer.length + STEP; end += STEP) {
      const painted = page.evaluate(
        () =>
          new Promise<void>((resolve) => {
            const state = window as unknown as { paints: number; next: () => void };
            state.next = () => {
              state.next = () => undefined;
              state.paints += 1;
              resolve();
            };
          }),
      );
      await Promise.all([show(answer.slice(0, end)), painted]);
    }
  });
  const paints = await page.evaluate(() => (window as unknown as { paints: number }).paints);
  await page.close();
  return { ...result, paints };
}

async function bundled(contents: string): Promise<string | undefined> {
  try {
    const { outputFiles } = await build({
      stdin: { contents, resolveDir: root, loader: 'ts' },
      absWorkingDir: root,
      bundle: true,
      minify: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      define: { 'process.env.NODE_ENV': '"production"' },
      loader: { '.css': 'empty', '.woff': 'empty', '.woff2': 'empty', '.ttf': 'empty' },
      logLevel: 'silent',
    });
    return outputFiles[0]?.text;
  } catch {
    return undefined;
  }
}

function beside(id: string, value: number, unit: string, [peer, peerValue]: readonly [string, number]): Figure {
  return { id, value, unit, peer, peerValue, ratio: value / peerValue, ok: true };
}
