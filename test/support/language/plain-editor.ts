import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A problem as the protocol sends it. */
export interface SentProblem {
  readonly range: { readonly start: Place; readonly end: Place };
  readonly message: string;
  readonly code?: string;
  readonly severity?: number;
}
interface Place {
  readonly line: number;
  readonly character: number;
}
interface Message {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string };
}

/**
 * An editor that knows nothing but the protocol: it starts the shipped server as a process and exchanges JSON with it, without the
 * library that the server uses itself.
 */
export class PlainEditor {
  readonly #server: ChildProcessWithoutNullStreams;
  readonly #answers = new Map<number, (message: Message) => void>();
  readonly #waiting = new Set<() => void>();
  readonly #handlers: Readonly<Record<string, (params: unknown) => unknown>>;
  #rest = Buffer.alloc(0);
  #next = 1;
  /** The problems that the server has sent last, by the URI that it sent. */
  readonly problems = new Map<string, readonly SentProblem[]>();
  /** Everything that the server has sent without being asked. */
  readonly received: Message[] = [];
  /** What the server has written that is not the protocol. */
  errors = '';
  exitCode: number | null | undefined;

  /** `handlers` answer the server's requests by their method; others get an error, as an editor without the feature sends. */
  constructor(program: string, handlers: Readonly<Record<string, (params: unknown) => unknown>> = {}) {
    this.#handlers = handlers;
    this.#server = spawn(process.execPath, [program, '--stdio']);
    this.#server.stdout.on('data', (data: Buffer) => this.#read(data));
    this.#server.stderr.on('data', (data: Buffer) => {
      this.errors += data.toString('utf8');
    });
    this.#server.on('exit', (code) => {
      this.exitCode = code;
      this.#changed();
    });
    // A server that has ended takes nothing more.
    this.#server.stdin.on('error', () => undefined);
  }

  /** Sends a request and resolves to its whole answer. */
  ask(method: string, params?: unknown): Promise<Message> {
    return this.begin(method, params).answer;
  }

  /** Sends a request whose id is needed, for example to cancel it. */
  begin(method: string, params?: unknown): { readonly id: number; readonly answer: Promise<Message> } {
    const id = this.#next++;
    const answer = new Promise<Message>((resolve) => this.#answers.set(id, resolve));
    this.send({ id, method, ...(params === undefined ? {} : { params }) });
    return { id, answer };
  }

  tell(method: string, params?: unknown): void {
    this.send({ method, ...(params === undefined ? {} : { params }) });
  }

  send(message: Message): void {
    const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }), 'utf8');
    this.#server.stdin.write(Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`, 'ascii'), body]));
  }

  /** Opens a document. */
  open(uri: string, text: string, languageId = 'yaml'): void {
    this.tell('textDocument/didOpen', { textDocument: { uri, languageId, version: 1, text } });
  }

  /** Resolves once a condition holds; it is checked whenever the server sends something. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  /** Initializes the server, and resolves to its answer once it has read all models. */
  async start(params: Readonly<Record<string, unknown>>): Promise<Message> {
    const answer = await this.ask('initialize', { processId: null, rootUri: null, capabilities: {}, ...params });
    this.tell('initialized', {});
    await this.until(() => this.received.some((message) => isReady(message)));
    return answer;
  }

  end(): void {
    this.#server.kill('SIGKILL');
  }

  #read(data: Buffer): void {
    this.#rest = Buffer.concat([this.#rest, data]);
    for (;;) {
      const head = this.#rest.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/Content-Length: (\d+)/i.exec(this.#rest.toString('ascii', 0, head))?.[1]);
      if (this.#rest.length < head + 4 + length) return;
      const body = this.#rest.toString('utf8', head + 4, head + 4 + length);
      this.#rest = this.#rest.subarray(head + 4 + length);
      this.#receive(JSON.parse(body) as Message);
      this.#changed();
    }
  }

  #receive(message: Message): void {
    if (message.method === undefined) {
      this.#answers.get(Number(message.id))?.(message);
      this.#answers.delete(Number(message.id));
      return;
    }
    this.received.push(message);
    if (message.method === 'textDocument/publishDiagnostics') {
      const { uri, diagnostics } = message.params as { uri: string; diagnostics: readonly SentProblem[] };
      this.problems.set(uri, diagnostics);
    }
    if (message.id === undefined || message.id === null) return;
    const handler = this.#handlers[message.method];
    if (handler) this.send({ id: message.id, result: handler(message.params) ?? null });
    else this.send({ id: message.id, error: { code: -32_601, message: 'Unknown.' } });
  }

  #changed(): void {
    for (const resolve of [...this.#waiting]) resolve();
    this.#waiting.clear();
  }
}

function isReady({ method, params }: Message): boolean {
  return method === 'modelbench/status' && (params as { state?: unknown }).state === 'ready';
}

/** A folder on the disk with files, and the URIs of what is in it. */
export interface DiskFolder {
  readonly path: string;
  readonly uri: (path?: string) => string;
  readonly remove: () => void;
}

/** Writes files (path → text) into a new folder. */
export function folderOf(files: Readonly<Record<string, string>>): DiskFolder {
  const path = mkdtempSync(join(tmpdir(), 'plain-'));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    writeFileSync(join(path, name), text);
  }
  return {
    path,
    uri: (name = '') => pathToFileURL(join(path, name)).href.replace(/\/$/, ''),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
