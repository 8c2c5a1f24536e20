import { type ChildProcess, fork, type ForkOptions } from 'node:child_process';
import path from 'node:path';
import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client/client.ts';
import { silentLogger } from '#base/log.ts';
import { theExtension } from './extension.ts';
import { patientClient } from '../support/api/patient-client.ts';
import type { Served } from '../platform/serve.ts';
import type { PlatformAnswer, PlatformRequest } from './platform-host.ts';

/** A local platform of a suite's own. */
export interface SuitePlatform {
  readonly url: string;
  readonly apiKey: string;
  /** A key for two of the deployments. */
  readonly scopedKey: string;
  /** `CUBEJS_API_SECRET` of the demo shop. */
  readonly apiSecret: string;
  /** The whole Chat API URL of the demo agent. */
  readonly chatApiUrl: string;
  /** What the platform has, asked past the extension. */
  readonly client: Client;
  /** Replaces the faults that requests meet. */
  readonly faults: (faults: readonly object[]) => Promise<void>;
  /** What was asked of it since the last time this was called. */
  readonly requests: () => Promise<readonly SentRequest[]>;
  /** The statuses of the requests so far whose path ends so. */
  readonly statuses: (path: string) => Promise<readonly number[]>;
  readonly stop: () => void;
}

export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  readonly status: number;
}

interface SentRequests {
  readonly requests: readonly SentRequest[];
}

/** Starts a fresh platform, in a process that all suites share: the extension host has neither its modules nor its language level. */
export async function startPlatform(): Promise<SuitePlatform> {
  const host = (platforms ??= new PlatformHost());
  const { served, stop } = await host.start(process.env['MODELBENCH_SUITES_MODE'] ?? 'generous');
  const { url, apiKey, chatApiUrl, apiSecret, keys } = served;
  const client = patientClient({
    baseUrl: url,
    credential: () => ({ kind: 'bearer', token: apiKey, origin: originOf(url) }),
    logger: silentLogger,
  });
  const faults = async (list: readonly object[]): Promise<void> => {
    const answer = await fetch(`${url}/_faults`, { method: 'POST', body: JSON.stringify({ faults: list }) });
    if (!answer.ok) throw new Error(`the platform takes no such faults: ${await answer.text()}`);
  };
  const statuses = async (path: string): Promise<readonly number[]> => {
    const { requests: all } = (await (await fetch(`${url}/_log`)).json()) as SentRequests;
    return all.filter((request) => request.path.endsWith(path)).map(({ status }) => status);
  };
  const requests = async (): Promise<readonly SentRequest[]> =>
    ((await (await fetch(`${url}/_log`, { method: 'DELETE' })).json()) as SentRequests).requests;
  return { url, apiKey, scopedKey: keys.scoped, apiSecret, chatApiUrl, client, faults, requests, statuses, stop };
}

let platforms: PlatformHost | undefined;

/** The process with the platforms of all suites; it ends with the extension host. */
class PlatformHost {
  readonly #child: ChildProcess;
  readonly #starting = new Map<number, (answer: PlatformAnswer) => void>();
  #started = 0;

  constructor() {
    const root = theExtension().extension.extensionPath;
    const execPath = path.join(root, 'node_modules/node/bin/node');
    const options = {
      cwd: root,
      execPath,
      execArgv: [],
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    } satisfies ForkOptions;
    this.#child = fork(path.join(root, 'test/vscode/platform-host.ts'), options);
    this.#child.on('message', (message) => {
      const answer = message as PlatformAnswer;
      this.#starting.get(answer.id)?.(answer);
      this.#starting.delete(answer.id);
    });
    this.#child.once('error', (error) => this.#end(error.message));
    this.#child.once('exit', (code) => this.#end(`it ended with ${code}`));
  }

  async start(modes: string): Promise<{ readonly served: Served; readonly stop: () => void }> {
    const id = (this.#started += 1);
    const answer = await new Promise<PlatformAnswer>((done) => {
      this.#starting.set(id, done);
      this.#send({ kind: 'start', id, modes });
    });
    if ('error' in answer) throw new Error(answer.error);
    return { served: answer.served, stop: () => this.#send({ kind: 'stop', id }) };
  }

  #send(request: PlatformRequest): void {
    if (this.#child.connected) this.#child.send(request);
  }

  /** Starts that wait are given up; the next one has a new process. */
  #end(why: string): void {
    if (platforms === this) platforms = undefined;
    for (const [id, settle] of this.#starting) settle({ id, error: `The process of the platforms: ${why}` });
    this.#starting.clear();
  }
}
