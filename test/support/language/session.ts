import { spawn } from 'node:child_process';
import { PassThrough } from 'node:stream';
import {
  type ClientCapabilities,
  createConnection,
  type Diagnostic,
  type InitializeResult,
  type PublishDiagnosticsParams,
} from 'vscode-languageserver/node';
import {
  createMessageConnection,
  type MessageConnection,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import type { Engine, LanguageHost } from '#language-server/host.ts';
import { startServer } from '#language-server/server.ts';
import type { LanguageOptions, LanguageStatus, ListModelFiles, ReadModelFile } from '#features/language/messages.ts';
import { defaultLanguageSettings } from '#features/language/messages.ts';

export const ROOT = 'memory:///model';

/** The client's initialization options; with `roots: undefined` the server searches for models. */
export type SessionOptions = { readonly [K in keyof LanguageOptions]?: LanguageOptions[K] | undefined };

/** The capabilities of a modern editor that change the form of answers. */
export const MODERN: ClientCapabilities = {
  textDocument: {
    completion: { completionItem: { snippetSupport: true } },
    documentSymbol: { hierarchicalDocumentSymbolSupport: true },
  },
  workspace: { workspaceEdit: { documentChanges: true } },
};

/** A language server in this process, with files in memory and the few requests that a client makes. */
export class Session {
  readonly client: MessageConnection;
  readonly files: Map<string, string>;
  readonly diagnostics = new Map<string, PublishDiagnosticsParams>();
  readonly #waiting: {
    readonly uri: string;
    readonly version: number | undefined;
    readonly resolve: (found: Diagnostic[]) => void;
    readonly reject: (error: Error) => void;
  }[] = [];
  readonly #stop: () => unknown;
  readonly #ready: Promise<void>;
  #isReady: () => void = () => undefined;
  #fails: (error: Error) => void = () => undefined;

  private constructor(client: MessageConnection, files: Map<string, string>, stop: () => unknown) {
    this.client = client;
    this.#stop = stop;
    this.files = files;
    this.#ready = new Promise((resolve, reject) => {
      this.#isReady = resolve;
      this.#fails = reject;
    });
    // Nothing may wait for it.
    this.#ready.catch(() => undefined);
    client.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) =>
      this.#received(params),
    );
    client.onNotification('modelbench/status', (status: LanguageStatus) => {
      if (status.state !== 'indexing') this.#isReady();
    });
  }

  /** Starts a session with a server in a separate process (`bundle` is its path), which requests files from the client. */
  static async spawn(
    bundle: string,
    files: Readonly<Record<string, string>>,
    options: SessionOptions = {},
    args: readonly string[] = ['--stdio'],
  ): Promise<Session> {
    const server = spawn(process.execPath, [bundle, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
    const stored = new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text]));
    const client = createMessageConnection(
      new StreamMessageReader(server.stdout),
      new StreamMessageWriter(server.stdin),
    );
    client.onRequest('modelbench/files/list', ({ root }: ListModelFiles) =>
      [...stored.keys()].filter((uri) => uri.startsWith(`${root}/`)),
    );
    client.onRequest('modelbench/files/read', ({ uri }: ReadModelFile) => stored.get(uri) ?? null);
    const session = new Session(client, stored, () => server.kill('SIGKILL'));
    session.ended = new Promise((done) => {
      server.once('exit', (code) => {
        session.#end(new Error(`The language server ended with code ${code}.`));
        done();
      });
    });
    await session.#begin(options);
    return session;
  }

  /** Starts a server over `files` (path below the root → text) and waits until it has indexed them. */
  static async start(
    files: Readonly<Record<string, string>>,
    options: SessionOptions = {},
    folders: readonly string[] = [],
    engine?: Engine,
    own: Partial<LanguageHost> = {},
    capabilities: ClientCapabilities = MODERN,
  ): Promise<Session> {
    const stored = new Map(Object.entries(files).map(([path, text]) => [`${ROOT}/${path}`, text]));
    const up = new PassThrough();
    const down = new PassThrough();
    const host: LanguageHost = {
      listFiles: (root) => Promise.resolve([...stored.keys()].filter((uri) => uri.startsWith(`${root}/`))),
      readFile: (uri) => Promise.resolve(stored.get(uri)),
      yield: () => new Promise((resolve) => setImmediate(resolve)),
      now: () => performance.now(),
      engine,
      // Warming up is more work than most tests: only a test that waits for its end needs it.
      isShortLived: own.onIdle === undefined,
      ...own,
    };
    const server = createConnection(new StreamMessageReader(up), new StreamMessageWriter(down));
    startServer(server, host);
    server.listen();
    const client = createMessageConnection(new StreamMessageReader(down), new StreamMessageWriter(up));
    const session = new Session(client, stored, () => undefined);
    await session.#begin(options, folders, capabilities);
    return session;
  }

  async #begin(
    options: SessionOptions,
    folders: readonly string[] = [],
    capabilities: ClientCapabilities = MODERN,
  ): Promise<void> {
    this.client.listen();
    const initializationOptions = { roots: [ROOT], settings: defaultLanguageSettings, ...options };
    const workspaceFolders = folders.map((uri) => ({ uri, name: 'folder' }));
    const params = { processId: null, rootUri: null, capabilities, workspaceFolders, initializationOptions };
    this.initialized = await this.client.sendRequest<InitializeResult>('initialize', params);
    await this.client.sendNotification('initialized', {});
    await this.#ready;
  }

  initialized: InitializeResult | undefined;

  /** Resolves when the process of a spawned server has ended. */
  ended: Promise<void> | undefined;

  async open(path: string, text?: string): Promise<string> {
    const uri = path.includes(':') ? path : `${ROOT}/${path}`;
    const content = text ?? this.files.get(uri) ?? '';
    const languageId = path.endsWith('.js') ? 'javascript' : 'yaml';
    await this.client.sendNotification('textDocument/didOpen', {
      textDocument: { uri, languageId, version: 1, text: content },
    });
    return uri;
  }

  request<T>(method: string, uri: string, params: object = {}): Promise<T> {
    return this.client.sendRequest<T>(method, { textDocument: { uri }, ...params });
  }

  /** Resolves to the diagnostics of a document's version, once the server has published them. */
  diagnosticsOf(uri: string, version: number | undefined): Promise<Diagnostic[]> {
    const known = this.diagnostics.get(uri);
    if (known && known.version === version) return Promise.resolve(known.diagnostics);
    return new Promise((resolve, reject) => this.#waiting.push({ uri, version, resolve, reject }));
  }

  /** Resolves when the server clears a file's problems. */
  cleared(uri: string): Promise<Diagnostic[]> {
    this.diagnostics.delete(uri);
    return this.diagnosticsOf(uri, undefined);
  }

  #received(params: PublishDiagnosticsParams): void {
    this.diagnostics.set(params.uri, params);
    for (const waiter of this.#waiting.filter(({ uri, version }) => uri === params.uri && version === params.version)) {
      this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
      waiter.resolve(params.diagnostics);
    }
  }

  /** Ends all that waits for a server whose process has ended. */
  #end(error: Error): void {
    this.client.dispose();
    this.#fails(error);
    for (const { reject } of this.#waiting.splice(0)) reject(error);
  }

  dispose(): void {
    this.client.dispose();
    this.#stop();
  }
}
