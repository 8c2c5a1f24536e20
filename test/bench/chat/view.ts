import { readFileSync, rmSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { buildPages } from '../../e2e/webview/page-bundles.ts';
import { ChatStage } from '../../e2e/webview/stage.ts';
import type { Figure } from '../figures.ts';

const SLOWER = 4;
const PEER = 'markdown-it to innerHTML, whole text each time';
/** Host batches of this bench, as the replica makes them. */
const FLUSH_MS = 50;

/** Showing an answer in Chromium with the processor throttled. */
export async function viewFigures(quick: boolean): Promise<readonly Figure[]> {
  const folder = await buildPages('chat', 'results');
  const stage = await ChatStage.open(folder);
  try {
    const answer = answerOf(quick ? 3_000 : 12_000);
    return [
      ...sizes(stage.folder),
      ...(await streaming(stage, answer)),
      ...(await opening(stage)),
      await stopping(stage),
    ];
  } finally {
    await stage.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** Prose, lists, code and tables, as agents write them. */
export function answerOf(length: number): string {
  const part = [
    '## Revenue by region\n\nThe **north** grew by 12 % while the *south* fell; see `orders.revenue` for the measure.\n\n',
    '- First finding with a [link](https://example.com/a)\n- Second finding\n  - A detail of it\n\n',
    "```sql\nSELECT region, SUM(revenue) AS revenue\nFROM orders\nWHERE created_at > '2025-01-01'\nGROUP BY 1\n```\n\n",
    '| region | revenue |\n|---|--:|\n| north | 1,234.50 |\n| south | 987.10 |\n| west | 12.00 |\n\n',
    'A longer paragraph follows that explains what was found and why it may matter to whoever asked. '.repeat(4),
    '\n\n',
  ].join('');
  return part.repeat(Math.ceil(length / part.length)).slice(0, length);
}

/** 12 characters every 8 ms, as a fast model writes. */
async function* delivered(answer: string, send: (text: string) => Promise<void>): AsyncGenerator<void> {
  const perFlush = Math.round((12 / 8) * FLUSH_MS);
  for (let at = 0; at < answer.length; at += perFlush) {
    const due = performance.now() + FLUSH_MS;
    await send(answer.slice(at, at + perFlush));
    yield;
    const rest = due - performance.now();
    if (rest > 0) await new Promise((resolve) => setTimeout(resolve, rest));
  }
}

async function streaming(stage: ChatStage, answer: string): Promise<readonly Figure[]> {
  // The better of two: what others do on the machine only ever adds.
  const runs = [await ourStreaming(stage, answer), await ourStreaming(stage, answer)];
  const least = (of: (run: Measured) => number): number => Math.min(...runs.map(of));
  const ours = {
    script: least((run) => run.script),
    longTasks: least((run) => run.longTasks),
    work: least((run) => run.work),
  };
  const peer = await peerStreaming(stage, answer);
  const id = `${answer.length.toLocaleString('en')}-character answer at ${SLOWER}× throttling`;
  return [
    figure(`${id}: script`, ours.script, 'ms', 1200, [PEER, peer.script]),
    figure(`${id}: long tasks`, ours.longTasks, 'tasks', 5, [PEER, peer.longTasks]),
    // No aim of its own: processor time, so that it can be compared whatever else the machine does.
    figure(`${id}: all work of the page`, ours.work, 'ms', Infinity, [PEER, peer.work]),
  ];
}

async function ourStreaming(stage: ChatStage, answer: string): Promise<Measured> {
  const chat = await stage.chat();
  await throttle(chat.page);
  const send = await chatPatches(chat.page);
  const result = await measured(chat.page, async () => {
    let at = 0;
    for await (const _ of delivered(answer, async (text) => {
      await send(at, text);
      at += text.length;
    }));
    await send.end();
  });
  await chat.page.close();
  return result;
}

/** What a host sends to a chat view while an answer grows: begins the answer, and resolves to what adds text to it. */
export async function chatPatches(page: Page) {
  const head = {
    id: '1700000000000-message',
    prompt: 'Q',
    attached: [],
    quiet: false,
    startedAt: 1,
    phase: 'streaming',
  };
  const base = { threads: [], header: { examples: [], sendWith: 'enter', fontSize: 0 }, attachments: [] };
  const turn = { head, messages: [] };
  const thread = { key: 'bench', title: 'Q', elsewhere: false, turns: [turn], earlier: 0, queued: [] };
  let seq = 0;
  const patch = (op: object): Promise<void> => post(page, { type: 'patch', epoch: 1000, seq: ++seq, ops: [op] });
  await post(page, { type: 'snapshot', epoch: 1000, seq: 0, thread, ...base });
  const message = { id: 'f', text: '', thinking: '', isFinal: true, isInProcess: true };
  await patch({ op: 'message', turn: head.id, message });
  const add = (at: number, text: string): Promise<void> => patch({ op: 'append', turn: head.id, id: 'f', at, text });
  return Object.assign(add, { end: () => patch({ op: 'turn', head: { ...head, phase: 'complete' } }) });
}

/** The usual way: the whole text is parsed and put into innerHTML each time. */
async function peerStreaming(stage: ChatStage, answer: string): Promise<Measured> {
  const chat = await stage.chat();
  const { page } = chat;
  const require = createRequire(import.meta.url);
  await page.evaluate(readFileSync(require.resolve('markdown-it/browser'), 'utf8'));
  await throttle(page);
  await page.evaluate(() => {
    type Peer = { readonly render: (source: string) => string };
    const peer = (window as unknown as { markdownit: (options: object) => Peer }).markdownit({ linkify: false });
    const log = document.querySelector('.log');
    // Not a message: our own view, which is on this page too, would look at it and say that it is none.
    window.addEventListener('whole', (event) => {
      if (!log) return;
      log.innerHTML = peer.render((event as CustomEvent<string>).detail);
      log.scrollTop = log.scrollHeight;
    });
  });
  const result = await measured(page, async () => {
    let text = '';
    const send = (more: string): Promise<void> => {
      text += more;
      return page.evaluate((detail) => void window.dispatchEvent(new CustomEvent('whole', { detail })), text);
    };
    for await (const _ of delivered(answer, send));
  });
  await page.close();
  return result;
}

/** A thread of 600 messages (300 questions with a step and an answer each); the view gets its last turns. */
async function opening(stage: ChatStage): Promise<readonly Figure[]> {
  const runs = [await opened(stage), await opened(stage), await opened(stage)];
  const least = (of: (run: Opened) => number): number => Math.min(...runs.map(of));
  const id = '600-message thread opens (last 30 turns shown)';
  return [
    figure(
      id,
      least(({ shown }) => shown),
      'ms',
      300,
    ),
    figure(
      `${id}: longest block of the page until all are drawn`,
      least(({ longest }) => longest),
      'ms',
      100,
    ),
    // Processor time, so that it can be compared whatever else the machine does.
    figure(
      `${id}: work of the page until its end is shown`,
      least(({ work }) => work),
      'ms',
      Infinity,
    ),
    // No aim of its own: one turn is drawn in each frame.
    figure(
      `${id}: all drawn`,
      least(({ drawn }) => drawn),
      'ms',
      Infinity,
    ),
  ];
}

interface Opened {
  /** Until the end of the thread is shown, in milliseconds. */
  readonly shown: number;
  /** Processor time until then, in milliseconds. */
  readonly work: number;
  /** Until all turns are drawn, in milliseconds. */
  readonly drawn: number;
  /** The longest block of the page, in milliseconds. */
  readonly longest: number;
}

async function opened(stage: ChatStage): Promise<Opened> {
  const chat = await stage.chat();
  const { service } = chat;
  const thread = service.create();
  const text = answerOf(2_000);
  const message = (id: string, isFinal: boolean): object => ({ id, text, thinking: '', isFinal, isInProcess: false });
  const turns = Array.from({ length: 30 }, (_, n) => ({
    head: {
      id: `${1_700_000_000_000 + n}-message`,
      prompt: 'Q',
      attached: [],
      quiet: false,
      startedAt: 1,
      phase: 'complete',
    },
    messages: [message('s', false), message('f', true)],
  }));
  const snapshot = {
    type: 'snapshot',
    epoch: 1000,
    seq: 0,
    thread: { key: thread.key, title: 'Long', elsewhere: false, turns, earlier: 270, queued: [] },
    threads: [],
    header: { examples: [], sendWith: 'enter', fontSize: 0 },
    attachments: [],
  };
  const session = await chat.page.context().newCDPSession(chat.page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const before = await seconds(session);
  const opening = await chat.page.evaluateHandle((data) => {
    let longest = 0;
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) longest = Math.max(longest, duration);
    }).observe({ entryTypes: ['longtask'] });
    const frame = (): Promise<void> =>
      new Promise((resolve) => requestAnimationFrame(() => setTimeout(() => resolve(), 0)));
    const start = performance.now();
    const until = async (isDone: () => boolean): Promise<number> => {
      while (!isDone()) await new Promise(requestAnimationFrame);
      await frame();
      return performance.now() - start;
    };
    window.postMessage(data, '*');
    return {
      shown: until(() => document.querySelector('.turn:last-of-type .answer') !== null),
      all: until(() => document.querySelectorAll('.turn .answer').length === 30),
      longest: () => longest,
    };
  }, snapshot);
  const shown = await opening.evaluate((run) => run.shown);
  const after = await seconds(session);
  const [drawn, longest] = await opening.evaluate(async (run) => [await run.all, run.longest()] as const);
  await chat.page.close();
  return { shown, work: (after.work - before.work) * 1000, drawn, longest };
}

/** From the click until the view says that it stops. */
async function stopping(stage: ChatStage): Promise<Figure> {
  const times = [await stopped(stage), await stopped(stage), await stopped(stage)];
  return figure('stop acknowledged in the view', Math.min(...times), 'ms', 50);
}

async function stopped(stage: ChatStage): Promise<number> {
  const chat = await stage.chat();
  const delta = { id: 'f', role: 'assistant', content: 'One ', isDelta: true, isInProcess: true, graphPath: ['final'] };
  chat.transport.answer([{ id: '__cutoff__', state: { chatId: 'c', isStreaming: true } }, delta, delta], 2);
  await chat.ask('Count');
  await chat.page.getByText('One').waitFor();
  const value = await chat.page.evaluate(async () => {
    const button = document.querySelector<HTMLButtonElement>('button.stop');
    const start = performance.now();
    button?.click();
    while (document.querySelector('button.stop')) await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now() - start;
  });
  await chat.page.close();
  return value;
}

function sizes(folder: string): readonly Figure[] {
  const size = (path: string): number => statSync(join(folder, 'webview', path)).size / 1024;
  return [
    figure('core of the view', size('chat.js'), 'KB', 200),
    figure('charts, loaded when needed', size('charts.js'), 'KB', 850),
  ];
}

export interface Measured {
  readonly script: number;
  readonly longTasks: number;
  /** Script, style, layout, paint. */
  readonly work: number;
}

export async function measured(page: Page, work: () => Promise<void>): Promise<Measured> {
  const session = await page.context().newCDPSession(page);
  // Processor time of the page's thread: other work on the machine does not count.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(() => {
    Object.assign(window, { longTasks: 0 });
    new PerformanceObserver((list) => {
      const counter = window as unknown as { longTasks: number };
      counter.longTasks += list.getEntries().length;
    }).observe({ entryTypes: ['longtask'] });
  });
  const before = await seconds(session);
  await work();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve, 50))));
  const after = await seconds(session);
  const longTasks = await page.evaluate(() => (window as unknown as { longTasks: number }).longTasks);
  await session.detach();
  return { script: (after.script - before.script) * 1000, longTasks, work: (after.work - before.work) * 1000 };
}

async function seconds(session: CDPSession): Promise<{ readonly script: number; readonly work: number }> {
  const { metrics } = await session.send('Performance.getMetrics');
  const value = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? 0;
  return { script: value('ScriptDuration'), work: value('TaskDuration') };
}

export async function throttle(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
}

async function post(page: Page, message: object): Promise<void> {
  await page.evaluate((data) => window.postMessage(data, '*'), message);
}

function figure(id: string, value: number, unit: string, reach: number, peer?: readonly [string, number]): Figure {
  const compared = peer ? { peer: peer[0], peerValue: peer[1], ratio: value / peer[1] } : {};
  const aim = Number.isFinite(reach) ? { reach } : {};
  return { id, value, unit, ...aim, ok: value <= reach, ...compared };
}
