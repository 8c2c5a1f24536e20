import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import * as esbuild from 'esbuild';
import { type Browser, type Page, chromium } from 'playwright-core';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import type { ChatService } from '#chat/service.ts';
import { chatService } from '#support/chat/platform-chat.ts';
import { RecordedTransport } from '#support/chat/recorded-transport.ts';
import { chatPage } from '#vscode/chat/html.ts';
import type { ChatHost } from '#vscode/chat/host.ts';
import { ChatSurface } from '#vscode/chat/surface.ts';
import { bundleOptions } from '../../../esbuild.mjs';
import { chromiumFlags, findChromium } from '../../tools/chromium.ts';
import { type Theme, themes } from './themes.ts';

const ORIGIN = 'https://chat.example';
const TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.map': 'application/json',
};
const PICTURES = join(import.meta.dirname, '../../../test-results/chat');

/** The production bundle in a real browser under the production policy, on the real host side of the chat. */
export class ChatStage {
  readonly #browser: Browser;
  /** Where the bundle is. */
  readonly folder: string;

  private constructor(browser: Browser, folder: string) {
    this.#browser = browser;
    this.folder = folder;
  }

  static async open(): Promise<ChatStage> {
    const folder = mkdtempSync(join(tmpdir(), 'chat-webview-'));
    const options = bundleOptions('webview/chat', { production: true });
    await esbuild.build({ ...options, outdir: folder });
    const executablePath = await findChromium((text) => process.stdout.write(`${text}\n`));
    const browser = await chromium.launch({ executablePath, args: [...chromiumFlags] });
    mkdirSync(PICTURES, { recursive: true });
    return new ChatStage(browser, folder);
  }

  /** A chat view in a page of its own. */
  async chat(theme: Theme['name'] = 'dark', viewport = { width: 420, height: 760 }): Promise<ChatOnStage> {
    const page = await this.#browser.newPage({ viewport, baseURL: ORIGIN });
    const chat = new ChatOnStage(page, themes.find(({ name }) => name === theme) as Theme);
    await page.route('**/*', async (route) => {
      const url = new URL(route.request().url());
      chat.requests.push(url.href);
      if (url.origin !== ORIGIN) return route.abort();
      if (url.pathname === '/') return route.fulfill({ contentType: 'text/html', body: html() });
      const file = join(this.folder, url.pathname);
      return route.fulfill({ contentType: TYPES[extname(file)] ?? 'text/plain', body: readFileSync(file) });
    });
    await chat.open();
    return chat;
  }

  async close(): Promise<void> {
    await this.#browser.close();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** One view with its host. */
export class ChatOnStage {
  readonly page: Page;
  readonly transport = new RecordedTransport();
  readonly service: ChatService = chatService(this.transport);
  /** Everything the page asked the network for. */
  readonly requests: string[] = [];
  /** What the page reported: policy violations, errors. */
  readonly problems: string[] = [];
  /** What the host was asked to do for the person. */
  readonly asked: unknown[][] = [];
  #surface: ChatSurface | undefined;
  readonly #theme: Theme;

  constructor(page: Page, theme: Theme) {
    this.page = page;
    this.#theme = theme;
  }

  get surface(): ChatSurface {
    if (!this.#surface) throw new Error('The view is not open.');
    return this.#surface;
  }

  async open(): Promise<void> {
    const { page } = this;
    page.on('pageerror', (error) => this.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') this.problems.push(message.text());
    });
    await page.exposeFunction('toHost', (message: unknown) => void this.#surface?.receive(message));
    await page.addInitScript(() => {
      const { toHost } = window as unknown as { toHost: (message: unknown) => void };
      Object.assign(window, {
        acquireVsCodeApi: () => ({
          postMessage: (message: unknown) => toHost(message),
          getState: () => JSON.parse(sessionStorage.getItem('state') ?? 'null') as unknown,
          setState: (state: unknown) => sessionStorage.setItem('state', JSON.stringify(state)),
        }),
      });
    });
    await this.reload();
  }

  /** The page from the start again, with a host side of its own on the same threads. */
  async reload(): Promise<void> {
    this.#surface?.dispose();
    this.#surface = new ChatSurface({
      service: this.service,
      host: recordingHost(this.asked),
      clock: systemClock,
      logger: {
        ...silentLogger,
        warn: (message, fields) => void this.problems.push(JSON.stringify([message, fields])),
      },
      post: (message) =>
        void this.page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
      sendWith: () => 'enter',
    });
    await this.page.goto(`${ORIGIN}/`);
    await this.page.evaluate(({ body, variables }) => {
      document.body.className = body;
      for (const [name, value] of Object.entries(variables)) {
        document.documentElement.style.setProperty(`--vscode-${name}`, value);
      }
      document.body.style.background = variables['sideBar-background'] ?? '';
    }, this.#theme);
    await this.page.getByRole('textbox', { name: 'Question for the agent' }).waitFor();
  }

  /** Asks by keyboard, as a person does. */
  async ask(question: string): Promise<void> {
    await this.page.getByRole('textbox', { name: 'Question for the agent' }).fill(question);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.prompt-text').last().getByText(question, { exact: true }).waitFor();
  }

  /** Resolves when the last turn has come to its end, in the view. */
  async answered(): Promise<void> {
    await this.page.getByRole('button', { name: 'Send' }).waitFor();
    await this.page.waitForFunction(() => document.querySelectorAll('.dots').length === 0);
  }

  async picture(name: string): Promise<void> {
    await this.page.screenshot({ path: join(PICTURES, `${name}.png`) });
  }
}

function html(): string {
  return chatPage({
    script: '/webview/chat.js',
    style: '/webview/chat.css',
    cspSource: ORIGIN,
    nonce: 'bm9uY2UtZm9yLXRoZS10ZXN0',
  });
}

function recordingHost(asked: unknown[][]): ChatHost {
  const record =
    (name: string, answer?: unknown) =>
    (...args: unknown[]): Promise<never> => {
      asked.push([name, ...args]);
      return Promise.resolve(answer as never);
    };
  return {
    copy: record('copy'),
    insert: record('insert'),
    applyCode: record('applyCode'),
    openLink: record('openLink'),
    openMember: record('openMember'),
    onResult: record('onResult'),
    saveImage: record('saveImage'),
    pickAttachment: record('pickAttachment', {
      id: 'a',
      label: 'model/cubes/orders.yml',
      detail: 'model/cubes/orders.yml',
      text: 'cubes: []',
    }),
    setUp: record('setUp'),
    exportThread: record('exportThread'),
    confirmDelete: record('confirmDelete', true),
    askTitle: record('askTitle', 'A better name'),
  };
}
