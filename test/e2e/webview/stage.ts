import type { ShownChoices } from '#shell/shown-query.ts';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { isObject } from '#api/schema.ts';
import { Store } from '#base/store.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import type { QueryRun } from '#chat-core/query-run.ts';
import type { ChatService } from '#chat-core/service.ts';
import { chatService } from '#support/chat/platform-chat.ts';
import { MemoryProposals } from '#support/chat/memory-proposals.ts';
import { RecordedTransport } from '#support/chat/recorded-transport.ts';
import type { ChatHost, ContextOffer } from '#features/chat/host.ts';
import type { Mention } from '#features/chat/mentions.ts';
import { ResultSurface } from '#features/data/result-surface.ts';
import { ChartFailures } from '#features/chat/vscode/chart-failures.ts';
import { UnsentAttachments } from '#features/chat/unsent-attachments.ts';
import { ChatSurface } from '#features/chat/surface.ts';
import { installedBundles } from '../install-extension.ts';
import { ORIGIN, type Watched, connect, dress, serve } from './page.ts';
import { openPages, type Pages } from './pages.ts';
import { type Theme, themes } from './themes.ts';
import { MemoryState } from '#support/memory-state.ts';

/** Where the pictures of all pages go. */
const ALL_PICTURES = join(import.meta.dirname, '../../../test-results/pages');
const PICTURES = join(ALL_PICTURES, 'chat');

/** The production bundle in a real browser under the production policy, on the real host side of the chat. */
export class ChatStage {
  readonly #pages: Pages;
  /** Where the bundle is. */
  readonly folder: string;

  private constructor(pages: Pages, folder: string) {
    this.#pages = pages;
    this.folder = folder;
  }

  /** @param folder the bundles of pages; by default those of the installed extension */
  static async open(folder = installedBundles()): Promise<ChatStage> {
    mkdirSync(PICTURES, { recursive: true });
    return new ChatStage(await openPages(), folder);
  }

  /** Where the pictures of results go. */
  readonly resultPictures = join(ALL_PICTURES, 'results');

  /** A chat view in a page of its own. */
  async chat(theme: Theme['name'] = 'dark', viewport = { width: 420, height: 760 }): Promise<ChatOnStage> {
    const page = await this.#pages.open(viewport);
    const chat = new ChatOnStage(page, themes.find(({ name }) => name === theme) as Theme);
    await serve(page, this.folder, 'chat', chat);
    await chat.open();
    return chat;
  }

  /** A result view on the real host side of it. */
  async results(
    run: QueryRun,
    asked: unknown[],
    choices?: ShownChoices,
    theme = themes[0] as Theme,
  ): Promise<Page & { readonly watched: Watched }> {
    const page = await this.#pages.open({ width: 900, height: 600 });
    const watched: Watched = { requests: [], problems: [] };
    await serve(page, this.folder, 'results', watched);
    const done = async (...what: unknown[]): Promise<void> => void asked.push(what);
    const surface = new ResultSurface({
      query: { title: 'Orders', source: 'Shop analytics · main', sql: 'SELECT 1', choices },
      run,
      logger: silentLogger,
      post: (message) => void page.evaluate((data) => window.postMessage(data, '*'), message).catch(() => undefined),
      outputs: {
        copy: (text) => done('copy', text),
        saveCsv: (text) => done('csv', text),
        openSql: () => done('openSql'),
        ask: (question) => done('ask', question),
      },
    });
    await connect(page, (message) => void surface.receive(message));
    await page.goto(`${ORIGIN}/`);
    await dress(page, theme);
    return Object.assign(page, { watched });
  }

  async close(): Promise<void> {
    await this.#pages.close();
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
  /** The messages of the page, in their order. */
  readonly told: unknown[] = [];
  /** What the host was asked to do for the user. */
  readonly asked: unknown[][] = [];
  readonly proposals = new MemoryProposals();
  #surface: ChatSurface | undefined;
  readonly #theme: Theme;
  /** How often the page has opened, and how many of the host's threads have reached it. */
  readonly #opening = { asked: 0, answered: 0 };

  constructor(page: Page, theme: Theme) {
    this.page = page;
    this.#theme = theme;
  }

  get surface(): ChatSurface {
    if (!this.#surface) throw new Error('The view is not open.');
    return this.#surface;
  }

  readonly #chartFailures = new ChartFailures(new MemoryState());

  async open(): Promise<void> {
    const { page } = this;
    await connect(page, (message) => {
      this.told.push(message);
      if (isOpening(message)) this.#opening.asked += 1;
      void this.#surface?.receive(message);
    });
    await this.reload();
  }

  /** The page from the start again, with a host side of its own on the same threads. */
  async reload(): Promise<void> {
    this.#surface?.dispose();
    Object.assign(this.#opening, { asked: 0, answered: 0 });
    this.#surface = new ChatSurface({
      service: this.service,
      host: recordingHost(this.asked, this.proposals),
      memory: {
        attachments: new UnsentAttachments(new MemoryState()),
        owner: new Store({ account: 'ada', erased: {} }),
      },
      chartFailures: this.#chartFailures,
      clock: systemClock,
      logger: {
        ...silentLogger,
        warn: (message, fields) => void this.problems.push(JSON.stringify([message, fields])),
      },
      post: (message) =>
        void this.page
          .evaluate((data) => window.postMessage(data, '*'), message)
          .then(() => (this.#opening.answered += message.type === 'snapshot' ? 1 : 0))
          .catch(() => undefined),
      settings: () => ({ sendWith: 'enter', fontSize: 0 }),
    });
    await this.page.goto(`${ORIGIN}/`);
    await dress(this.page, this.#theme);
    await this.page.getByRole('textbox', { name: 'Question for the agent' }).waitFor();
    // The host's thread, which a slow page asks for again, would take the place of one that a test shows.
    do await this.page.evaluate(() => undefined);
    while (this.#opening.answered === 0 || this.#opening.answered < this.#opening.asked);
  }

  /** Asks by keyboard, as a user does. */
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

const isOpening = (message: unknown): boolean => isObject(message) && message['type'] === 'ready';

/** What the workspace around the chat holds. */
const MENTIONS: readonly Mention[] = [
  mention('cube', 'orders', 'model/cubes/orders.yml'),
  mention('member', 'orders.count', 'model/cubes/orders.yml'),
  mention('file', 'model/cubes/orders.yml', 'File'),
  mention('problem', 'model/cubes/orders.yml:7', 'Unknown key “sql_tabel”.'),
  mention('branch', 'dev-ada', 'Branch'),
];
const CONTEXT: readonly ContextOffer[] = [
  offered('file', 'model/cubes/orders.yml', 'The whole of model/cubes/orders.yml', false),
  offered('selection', 'Lines 3–9', 'The selected text of model/cubes/orders.yml', true),
  offered('problems', '2 problems', 'Positions and messages in model/cubes/orders.yml', false),
];

function mention(kind: Mention['kind'], label: string, detail: string): Mention {
  return {
    id: label,
    kind,
    label,
    detail,
    read: async () => Promise.resolve({ id: label, label, detail, text: label }),
  };
}

function offered(kind: ContextOffer['kind'], label: string, detail: string, isOn: boolean): ContextOffer {
  return {
    kind,
    id: kind,
    label,
    detail,
    isOn,
    read: async () => Promise.resolve({ id: kind, label, detail, text: label }),
  };
}

function recordingHost(asked: unknown[][], proposals: MemoryProposals): ChatHost {
  const record =
    (name: string, answer?: unknown) =>
    (...args: unknown[]): Promise<never> => {
      asked.push([name, ...args]);
      return Promise.resolve(answer as never);
    };
  return {
    texts: {
      copy: record('copy'),
      insert: record('insert'),
      applyCode: record('applyCode'),
      openLink: record('openLink'),
      openMember: record('openMember'),
    },
    results: {
      use: record('use'),
      saveAnswer: record('saveAnswer'),
      saveImage: record('saveImage'),
    },
    sources: {
      pickAttachment: record('pickAttachment', {
        id: 'a',
        label: 'model/cubes/orders.yml',
        detail: 'model/cubes/orders.yml',
        text: 'cubes: []',
      }),
      mentions: record('mentions', MENTIONS),
      context: { offers: () => CONTEXT, onDidChange: () => ({ dispose: () => undefined }) },
      definitions: record('definitions', []),
      showText: record('showText'),
    },
    switchBranch: record('switchBranch'),
    setUp: record('setUp'),
    proposals,
    threads: {
      copyLink: record('copyLink'),
      export: record('export'),
      confirmDelete: record('confirmDelete', true),
      confirmDeleteAll: record('confirmDeleteAll', true),
      askTitle: record('askTitle', 'A better name'),
    },
  };
}
