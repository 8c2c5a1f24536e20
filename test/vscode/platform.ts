import { type ChildProcess, spawn, type SpawnOptions } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { originOf } from '#base/origin.ts';
import type { Client } from '#api/client.ts';
import { silentLogger } from '#base/log.ts';
import { theExtension } from './extension.ts';
import { patientClient } from '../support/api/patient-client.ts';

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

/** Starts the platform as a process: the extension host has neither its modules nor its language level. */
export async function startPlatform(): Promise<SuitePlatform> {
  const root = theExtension().extension.extensionPath;
  const data = mkdtempSync(path.join(tmpdir(), 'modelbench-suite-'));
  const node = path.join(root, 'node_modules/node/bin/node');
  const main = path.join(root, 'test/platform/main.ts');
  const mode = process.env['MODELBENCH_SUITES_MODE'];
  const modes = mode === undefined ? [] : ['--mode', mode];
  const options = { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] } satisfies SpawnOptions;
  const child = spawn(node, [main, '--data', data, '--faults', ...modes], options);
  const stop = (): void => {
    child.kill();
    rmSync(data, { recursive: true, force: true, maxRetries: 3 });
  };
  process.once('exit', stop);
  const { url, apiKey, chatApiUrl, apiSecret, keys } = JSON.parse(await firstLine(child)) as {
    readonly [Key in 'url' | 'apiKey' | 'chatApiUrl' | 'apiSecret']: string;
  } & { readonly keys: { readonly scoped: string } };
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

async function firstLine({ stdout }: ChildProcess): Promise<string> {
  if (!stdout) throw new Error('the platform has no output');
  for await (const line of createInterface({ input: stdout })) return line;
  throw new Error('the platform ended at once');
}
