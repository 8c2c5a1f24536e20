// Runs the real engine on a real folder against a platform on a port, and kills itself at a numbered point. Bundled as CommonJS,
// so that the functions of node:fs can be replaced before the engine uses them.
import fs from 'node:fs';
import { originOf } from '#base/origin.ts';
import { systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { pullPushAndChoose } from './kill-story.ts';
import { patientClient } from '../api/patient-client.ts';

/** The parent's order; as JSON in the first argument. */
export interface KillOrder {
  readonly url: string;
  readonly key: string;
  readonly branch: string;
  readonly remoteFolder: string;
  readonly folder: string;
  readonly storage: string;
  readonly worker: string;
  /** Number of the point at which to die; with 0 it runs to the end and prints the number of points. */
  readonly killAt: number;
}

const order = JSON.parse(process.argv[2] ?? '{}') as KillOrder;
let points = 0;

function point(): void {
  points += 1;
  if (points === order.killAt) process.kill(process.pid, 'SIGKILL');
}

type Work = (...args: unknown[]) => Promise<unknown>;
type Call = (...args: unknown[]) => void;

/** File system functions of Node that take a callback. */
const calls = ['rename', 'link', 'unlink', 'copyFile', 'open', 'chmod', 'write', 'fsync', 'fdatasync'];

function guard(owner: Record<string, Work>, name: string): void {
  const work = owner[name];
  if (!work) throw new Error(`there is no ${name}`);
  owner[name] = async function guarded(this: unknown, ...args: unknown[]) {
    point();
    const result = await work.apply(this, args);
    point();
    return result;
  };
}

function guardCall(owner: Record<string, Call>, name: string): void {
  const call = owner[name];
  if (!call) throw new Error(`there is no ${name}`);
  owner[name] = function guarded(...args: unknown[]) {
    const done = args.at(-1) as Call;
    point();
    call(...args.slice(0, -1), (...results: unknown[]) => {
      point();
      done(...results);
    });
  };
}

async function guardEverything(): Promise<void> {
  const promises = fs.promises as unknown as Record<string, Work>;
  for (const name of ['rename', 'link', 'rm', 'copyFile', 'writeFile', 'open', 'chmod']) guard(promises, name);
  for (const name of calls) guardCall(fs as unknown as Record<string, Call>, name);
  const handle = await fs.promises.open(process.execPath, 'r');
  const methods = Object.getPrototypeOf(handle) as Record<string, Work>;
  await handle.close();
  for (const name of ['sync', 'datasync', 'writeFile', 'appendFile']) guard(methods, name);
  guard(globalThis as unknown as Record<string, Work>, 'fetch');
}

async function main(): Promise<void> {
  const branch = devBranch(order.branch);
  if (!branch.ok) throw new Error(branch.error);
  const client = patientClient({
    baseUrl: order.url,
    credential: () => ({ kind: 'bearer', token: order.key, origin: originOf(order.url) }),
    logger: silentLogger,
    fetch: (input, init) => fetch(input, init),
  });
  const { folder, storage, worker, remoteFolder } = order;
  const local = await createNodePorts({
    folder,
    storage,
    worker,
    remoteFolder,
    branch: branch.value,
    logger: silentLogger,
  });
  const remote = createPlatformWriter({ client, deployment: 1, branch: branch.value, folder: remoteFolder });
  await guardEverything();
  const sync = createFolderSync({
    ports: { ...local, remote, clock: systemClock, editors: { dirty: () => new Set() } },
    target: { account: 'demo', deployment: '1', branch: branch.value },
    logger: silentLogger,
  });
  await pullPushAndChoose(sync);
  await sync.close();
  local.dispose();
  process.stdout.write(`${JSON.stringify({ points })}\n`);
  process.exit(0);
}

main().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exit(1);
});
