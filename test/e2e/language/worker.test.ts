import * as esbuild from 'esbuild';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../../esbuild.mjs';
import { launchChromium } from '../../tools/chromium.ts';
import { longestWait } from '../../tools/limits.ts';

const ORIGIN = 'https://editor.example';
const ROOT = 'virtual://shop/model';
const FILES: Readonly<Record<string, string>> = {
  [`${ROOT}/orders.yml`]: `cubes:
  - name: orders
    sql_table: orders
    dimensions:
      - {name: status, sql: status, type: string}
    measures:
      - {name: count, type: count, drill_members: [status]}
`,
  [`${ROOT}/shop.yml`]: `views:
  - name: shop
    cubes:
      - {join_path: orders, includes: [count, staus]}
`,
};

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly root?: string;
    readonly diagnostics?: readonly { code: string }[];
  };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** The server's browser bundle as a dedicated worker of a page, and an editor that has its files in memory. */
class WorkerEditor {
  readonly #page: Page;
  readonly #heard: Message[] = [];
  #wake: () => void = () => undefined;
  #next = 0;
  readonly problems: string[] = [];

  private constructor(page: Page) {
    this.#page = page;
  }

  static async open(browser: Browser, bundle: string): Promise<WorkerEditor> {
    const page = await browser.newPage();
    page.setDefaultTimeout(longestWait);
    const editor = new WorkerEditor(page);
    page.on('pageerror', (error) => editor.problems.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') editor.problems.push(message.text());
    });
    await page.route('**/*', (route) => {
      const isBundle = route.request().url() === `${ORIGIN}/server.js`;
      const body = isBundle ? bundle : '<!doctype html><title>Editor</title>';
      return route.fulfill({ contentType: isBundle ? 'text/javascript' : 'text/html', body });
    });
    await page.goto(ORIGIN);
    await page.exposeFunction('heard', (message: Message) => editor.#hear(message));
    await page.evaluate(() => {
      const worker = new Worker('/server.js');
      const scope = window as unknown as { heard: (message: unknown) => void; send: (message: unknown) => void };
      worker.addEventListener('message', ({ data }) => scope.heard(data));
      scope.send = (message) => worker.postMessage(message);
    });
    return editor;
  }

  async request<T>(method: string, params: unknown): Promise<T> {
    const id = this.#next++;
    await this.send({ id, method, params });
    const { result, error } = await this.until((message) => message.id === id && message.method === undefined);
    if (error) throw new Error(error.message);
    return result as T;
  }

  async send(message: object): Promise<void> {
    await this.#page.evaluate(
      (value) => {
        (window as unknown as { send: (message: unknown) => void }).send(value);
      },
      { jsonrpc: '2.0', ...message },
    );
  }

  /** The first message of the server that fits, heard or still to come. */
  async until(fits: (message: Message) => boolean): Promise<Message> {
    for (;;) {
      const found = this.#heard.find(fits);
      if (found) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #hear(message: Message): void {
    const { id, method, params } = message;
    if (id !== undefined && method !== undefined) void this.send({ id, ...answer(method, params ?? {}) });
    this.#heard.push(message);
    this.#wake();
  }
}

function answer(method: string, { root, uri }: NonNullable<Message['params']>): object {
  if (method === 'modelbench/files/list')
    return { result: Object.keys(FILES).filter((path) => path.startsWith(root ?? '')) };
  if (method === 'modelbench/files/read') return { result: FILES[uri ?? ''] ?? null };
  return { error: { code: -32601, message: `${method} is not known here` } };
}

describe('the language server in a browser', () => {
  let browser: Browser;
  let bundle = '';

  beforeAll(async () => {
    const options = { ...bundleOptions('language-server.worker', { production: true }), write: false } as const;
    const { outputFiles } = await esbuild.build(options);
    bundle = outputFiles[0]?.text ?? '';
    browser = await launchChromium();
  });
  afterAll(() => browser.close());

  // @shows browser
  it('starts as a worker, indexes files of its client, and answers', async () => {
    const editor = await WorkerEditor.open(browser, bundle);
    const capabilities = { workspace: { workspaceEdit: { documentChanges: true } } };
    const started = await editor.request<{ serverInfo: { name: string } }>('initialize', {
      processId: null,
      rootUri: null,
      capabilities,
      initializationOptions: { roots: [ROOT] },
    });
    expect(started.serverInfo.name).toBe('modelbench');
    await editor.send({ method: 'initialized', params: {} });
    const isAbout = (uri: string) => (message: Message) =>
      message.method === 'textDocument/publishDiagnostics' && message.params?.uri === uri;
    const { params } = await editor.until(isAbout(`${ROOT}/shop.yml`));
    expect(params?.diagnostics?.map(({ code }) => code)).toEqual(['unknown-reference']);

    const uri = `${ROOT}/orders.yml`;
    const text = FILES[uri] ?? '';
    await editor.send({
      method: 'textDocument/didOpen',
      params: { textDocument: { uri, languageId: 'yaml', version: 1, text } },
    });
    const list = await editor.request<{ items: { label: string }[] }>('textDocument/completion', {
      textDocument: { uri },
      position: { line: 6, character: 51 },
    });
    expect(list.items.map(({ label }) => label)).toContain('status');
    const edit = await editor.request<{ documentChanges: unknown[] }>('textDocument/rename', {
      textDocument: { uri },
      position: { line: 6, character: 17 },
      newName: 'number',
    });
    expect(edit.documentChanges.length).toBe(2);
    expect(editor.problems).toEqual([]);
  });
});
