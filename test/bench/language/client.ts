import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import {
  createMessageConnection,
  type MessageConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';

/** Bundles the server as it ships; the caller removes the folder. */
export async function bundleServer(): Promise<{ readonly path: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), 'language-server-'));
  const path = join(folder, 'server.cjs');
  await build({
    entryPoints: ['src/lsp/main.ts'],
    outfile: path,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    mainFields: ['module', 'main'],
    minify: true,
    logLevel: 'error',
  });
  return { path, remove: () => rmSync(folder, { recursive: true }) };
}

/** A server in a process of its own, spoken to over stdio. */
export class ServerProcess {
  readonly #process: ChildProcess;
  readonly connection: MessageConnection;
  readonly #waiting = new Map<string, () => void>();
  #ready: (() => void) | undefined;
  readonly ready: Promise<void>;
  readonly startedIn: Promise<number>;

  constructor(path: string, root: string | undefined) {
    const from = performance.now();
    this.#process = spawn(process.execPath, [path, '--stdio'], { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout, stdin } = this.#process;
    if (!stdout || !stdin) throw new Error('the server has no streams');
    this.connection = createMessageConnection(new StreamMessageReader(stdout), new StreamMessageWriter(stdin));
    this.ready = new Promise((resolve) => {
      this.#ready = resolve;
    });
    this.connection.onNotification('modelbench/status', ({ state }: { readonly state: string }) => {
      if (state === 'ready') this.#ready?.();
    });
    this.connection.onNotification('textDocument/publishDiagnostics', ({ uri, version }: PublishDiagnosticsParams) => {
      const key = `${uri} ${version ?? ''}`;
      this.#waiting.get(key)?.();
      this.#waiting.delete(key);
    });
    this.connection.listen();
    const params = {
      processId: process.pid,
      rootUri: null,
      capabilities: {},
      initializationOptions: { roots: root === undefined ? [] : [root] },
    };
    this.startedIn = this.connection.sendRequest('initialize', params).then(() => performance.now() - from);
  }

  async initialized(): Promise<void> {
    await this.startedIn;
    await this.connection.sendNotification('initialized', {});
  }

  /** Resolves with the diagnostics of a version of a document. */
  diagnostics(uri: string, version: number): Promise<void> {
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

  stop(): void {
    this.connection.dispose();
    this.#process.kill();
  }
}
