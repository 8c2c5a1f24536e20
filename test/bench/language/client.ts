import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import {
  type ConfigurationParams,
  createMessageConnection,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { serverProcess, type ServerProcessOptions } from '#features/language/server-process.ts';
import { MODERN } from '#support/language/session.ts';

/** How a server is started, and its settings. */
export interface ServerKind {
  readonly name: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly initializationOptions?: (root: string | undefined) => unknown;
  /** Sections of the settings, for a server that asks for them. */
  readonly configuration?: Readonly<Record<string, unknown>>;
}

/** Bundles the server as it ships; the caller removes the folder. */
export async function bundleServer(): Promise<{
  /** Started as VS Code starts it, with what its last start left and with notes of what it works on. */
  readonly server: ServerKind;
  /** The same with nothing left by a start before. */
  readonly first: ServerKind;
  readonly remove: () => void;
}> {
  const folder = mkdtempSync(join(tmpdir(), 'language-server-'));
  const path = join(folder, 'server.cjs');
  await build({
    entryPoints: ['src/language-server/main.ts'],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    minify: true,
    loader: { '.wasm': 'file' },
    logLevel: 'error',
  });
  const startedWith = ({ execArgv, env }: ServerProcessOptions): ServerKind => ({
    name: 'modelbench',
    args: [...execArgv, path],
    env,
    initializationOptions: (root: string | undefined) => ({ roots: root === undefined ? [] : [root] }),
  });
  const server = startedWith(serverProcess(join(folder, 'compiled'), join(folder, 'notes')));
  const before = new ServerProcess(server);
  await before.initialized();
  await before.exited();
  const first = startedWith(serverProcess(undefined, join(folder, 'notes')));
  return { server, first, remove: () => rmSync(folder, { recursive: true }) };
}

/** yaml-language-server with the JSON Schema of the language; its heap may grow, or it does not live through 7 MB. */
export function yamlServer(): ServerKind {
  const schema = pathToFileURL('media/schema/model.schema.json').href;
  const folder = 'node_modules/yaml-language-server';
  const { version } = JSON.parse(readFileSync(`${folder}/package.json`, 'utf8')) as { readonly version: string };
  return {
    name: `yaml-language-server ${version}`,
    args: ['--max-old-space-size=6144', `${folder}/bin/yaml-language-server`],
    configuration: {
      yaml: {
        schemas: { [schema]: ['*.yml'] },
        validate: true,
        completion: true,
        hover: true,
        schemaStore: { enable: false },
      },
    },
  };
}

/** A server in a process of its own, spoken to over stdio. */
export class ServerProcess {
  readonly #process: ChildProcess;
  readonly connection: MessageConnection;
  readonly #waiting = new Map<string, () => void>();
  #ready: (() => void) | undefined;
  readonly ready: Promise<void>;
  readonly startedIn: Promise<number>;

  constructor({ args, env, initializationOptions, configuration }: ServerKind, root?: string) {
    const from = performance.now();
    this.#process = spawn(process.execPath, [...args, '--stdio'], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    });
    const { stdout, stdin } = this.#process;
    if (!stdout || !stdin) throw new Error('the server has no streams');
    this.connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.ready = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.connection.onNotification('modelbench/status', ({ state }: { readonly state: string }) => {
      if (state === 'ready') this.#ready?.();
    });
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      // A server that stamps no version answers the last change.
      for (const key of [`${params.uri} ${params.version ?? ''}`, `${params.uri} `]) {
        this.#waiting.get(key)?.();
        this.#waiting.delete(key);
      }
    });
    this.connection.onRequest('workspace/configuration', ({ items }: ConfigurationParams) =>
      items.map(({ section }) => configuration?.[section ?? ''] ?? null),
    );
    this.connection.onRequest('client/registerCapability', () => null);
    this.connection.listen();
    const params = {
      processId: process.pid,
      rootUri: root ?? null,
      // What the tests of the server announce: an answer of another form would break the bench, not a test.
      capabilities: { ...MODERN, workspace: { ...MODERN.workspace, configuration: true } },
      initializationOptions: initializationOptions?.(root),
    };
    this.startedIn = this.connection.sendRequest('initialize', params).then(() => performance.now() - from);
  }

  async initialized(): Promise<void> {
    await this.startedIn;
    await this.connection.sendNotification('initialized', {});
  }

  /** Resolves with the diagnostics of a version of a document; without a version with the next ones. */
  diagnostics(uri: string, version: number | ''): Promise<void> {
    return new Promise((resolve) => this.#waiting.set(`${uri} ${version}`, resolve));
  }

  /** The id of the server's process. */
  pid(): number {
    return this.#process.pid ?? 0;
  }

  /** Resident memory in MB (Linux). */
  memory(): number {
    const status = readFileSync(`/proc/${this.pid()}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
  }

  /** Processor time of the main thread so far, in ms (Linux): what a loaded machine does not lengthen. */
  busy(): number {
    return this.#busyOf(this.pid());
  }

  /** The same of all other threads: what V8 compiles and collects beside. */
  busyBeside(): number {
    const threads = readdirSync(`/proc/${this.pid()}/task`).map(Number);
    return threads.reduce((sum, thread) => (thread === this.pid() ? sum : sum + this.#busyOf(thread)), 0);
  }

  #busyOf(thread: number): number {
    return Number(readFileSync(`/proc/${this.pid()}/task/${thread}/schedstat`, 'utf8').split(' ')[0]) / 1e6;
  }

  /** Resolves when the process has nothing to do any more. */
  async idle(): Promise<void> {
    for (let before = -Infinity; this.busy() - before > 5; await new Promise((resolve) => setTimeout(resolve, 300)))
      before = this.busy();
  }

  /** Asks it to end, and waits until it has. */
  async exited(): Promise<void> {
    const done = new Promise((resolve) => this.#process.once('exit', resolve));
    await this.connection.sendRequest('shutdown');
    await this.connection.sendNotification('exit');
    await done;
    this.connection.dispose();
  }

  stop(): void {
    this.connection.dispose();
    this.#process.kill();
  }
}
