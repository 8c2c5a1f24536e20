import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { createMcpServer } from '#cli/mcp/server.ts';
import { portsOf } from '#cli/ports.ts';
import { tools } from '#tools/tools.ts';
import { runCommandLine } from '#cli/run.ts';
import { places } from './cli-places.ts';
import { longestWait } from '../tools/limits.ts';
import { keptFolder } from './kept-folder.ts';
import { TinyTenant } from './tiny-tenant.ts';

export interface Ended {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Calls a tool as an agent does, which gets its answer as text and as a value. */
export type CallTool = (
  name: string,
  input: Readonly<Record<string, unknown>>,
) => Promise<Ended & { readonly requests: readonly string[]; readonly value: Readonly<Record<string, unknown>> }>;

/** A request that is about to reach the tenant, with its number from 1 on in its command. */
export interface Arriving {
  readonly request: Request;
  readonly number: number;
  /** `GET branches`. */
  readonly kind: string;
}

export const tenantUrl = 'https://tiny.test';

/** A project that is linked to `TinyTenant`, as the command line sees it: quick enough for tables of many cases. */
export class TinyProject {
  readonly tenant: TinyTenant;
  readonly folder: string;
  readonly #clients: Client[] = [];
  readonly #attempts: number | undefined;
  /** Answers in place of the tenant, or lets it answer. */
  serve: (arriving: Arriving, answer: () => Promise<Response>) => Promise<Response> = async (_, answer) => answer();

  /** `attempts`: how often a request is sent; by default as often as by the product. */
  constructor(
    files: Readonly<Record<string, string>>,
    options: { readonly honours: boolean; readonly attempts?: number },
  ) {
    this.#attempts = options.attempts;
    this.tenant = new TinyTenant(files, options);
    this.folder = mkdtempSync(join(tmpdir(), 'modelbench-tiny-'));
    this.write('modelbench.json', JSON.stringify({ tenant: tenantUrl, deployment: '1' }));
    mkdirSync(join(this.folder, 'model'));
  }

  [Symbol.dispose](): void {
    for (const client of this.#clients) void client.close();
    for (const place of [this.folder, this.#state]) rmSync(place, { recursive: true, force: true, maxRetries: 3 });
  }

  /**
   * Keeps the folder, what is stored about it, and the tenant as they are; returns what puts all of it back. A case of a table that
   * begins so takes a third of the time of one that pulls and plans first.
   */
  kept(): () => void {
    const parts = [keptFolder(this.folder), keptFolder(this.#state), this.tenant.kept()];
    return () => {
      for (const putBack of parts) putBack();
      this.serve = async (_, answer) => answer();
    };
  }

  get #state(): string {
    return `${this.folder}-state`;
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    writeFileSync(join(this.folder, path), text);
  }

  remove(path: string): void {
    rmSync(join(this.folder, path));
  }

  read(path: string): string | undefined {
    const file = join(this.folder, path);
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
  }

  /** Every version of a model file that the folder or the dev branch has now. */
  versions(): Set<string> {
    return new Set([...textsIn(join(this.folder, 'model')), ...this.tenant.of('dev-a').values()]);
  }

  /** Whether a text is among the versions that the state folder keeps. */
  isKept(text: string): boolean {
    return textsIn(this.#state).includes(text);
  }

  /** Runs a command; its requests are numbered from 1 on. */
  async run(...args: readonly string[]): Promise<Ended & { readonly requests: readonly string[] }> {
    let [out, err] = ['', ''];
    const requests: string[] = [];
    const code = await runCommandLine(args, {
      ...this.#environment(() => requests),
      isInteractive: false,
      signal: new AbortController().signal,
      stdout: (text) => (out += text),
      stderr: (text) => (err += text),
    });
    return { code, out, err, requests };
  }

  /**
   * Connects an agent to a server that lives as long as the project; returns a function that calls a tool. The requests of each call
   * are numbered from 1 on.
   */
  async agent(): Promise<CallTool> {
    let requests: string[] = [];
    const ports = portsOf(
      this.folder,
      this.#environment(() => requests),
      'refuse',
    );
    const server = createMcpServer({ tools, pages: [], ports, version: '1' });
    const [near, far] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'agent', version: '1' });
    await Promise.all([server.connect(far), client.connect(near)]);
    this.#clients.push(client);
    return async (name, input) => {
      requests = [];
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: input });
      const [{ text = '' } = {}] = content as readonly { readonly text?: string }[];
      const value = (structuredContent ?? {}) as Readonly<Record<string, unknown>>;
      const { status } = value as { readonly status?: string };
      const isDone = isError !== true && status !== 'refused' && status !== 'partial';
      const said = { out: isDone ? text : '', err: isDone ? '' : text };
      return { ...said, code: isDone ? 0 : 1, requests, value };
    };
  }

  #environment(requests: () => string[]) {
    return {
      ...places(this.folder),
      state: this.#state,
      folder: this.folder,
      variables: { MODELBENCH_API_KEY: 'key', MODELBENCH_TENANT_URL: tenantUrl },
      // A busy machine responds late: only a hang is aborted.
      limits: { timeoutMs: longestWait, backoffMs: 0, ...(this.#attempts && { attempts: this.#attempts }) },
      fetch: async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
        const request = new Request(input, init);
        const kind = `${request.method} ${new URL(request.url).pathname.split('/').at(-1) ?? ''}`;
        const number = requests().push(kind);
        return this.serve({ request, kind, number }, async () => this.tenant.fetch(request));
      },
    };
  }

  /** Runs a command with `--format json`. */
  async json(...args: readonly string[]): Promise<Record<string, unknown>> {
    const { out, err } = await this.run(...args, '--format', 'json');
    if (out === '') throw new Error(err);
    return JSON.parse(out) as Record<string, unknown>;
  }
}

function textsIn(folder: string): readonly string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => textIfThere(join(entry.parentPath, entry.name)));
}

/** The text of a file; empty if it was temporary and is gone by now. */
function textIfThere(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
