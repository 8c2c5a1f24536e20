import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { originOf } from '#base/origin.ts';
import { startDevMode } from '#api/resources/branches.ts';
import { deleteDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import type { Clock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import type { Platform } from '#platform/app.ts';
import { openPlatform, send } from '#support/platform.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync, SyncSettings } from '#sync/core/folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import type { SyncPorts } from '#sync/core/ports.ts';
import { devBranch } from '#sync/core/target.ts';
import { HurriedClock } from './hurried-clock.ts';
import { newFolder } from './test-disk.ts';
import { sharedScanThread } from './shared-scan-thread.ts';
import { patientClient } from '../api/patient-client.ts';

const DEPLOYMENT = 1;

/** A fetch that can be cut: `before` the platform receives the request, or `after` it has performed it. */
export interface Wire {
  /** Called for each request; returns whether to cut it. */
  cut: (request: Request, when: 'before' | 'after') => boolean;
  /** Called for each request; a returned response replaces the platform's. */
  instead: (request: Request) => Response | undefined;
  /** Awaited before each request, for events that happen meanwhile. */
  meanwhile: (request: Request) => Promise<void>;
  readonly sent: string[];
}

/** A folder on a real disk, linked to a dev branch of a platform in memory. */
export interface LinkedFolder {
  readonly platform: Platform;
  readonly branch: string;
  /** Absolute path of the folder with `model/` in it, and of the engine's storage. */
  readonly root: string;
  readonly storage: string;
  readonly wire: Wire;
  readonly dirty: Set<string>;
  sync: FolderSync;
  write(file: string, text: string | Uint8Array): void;
  read(file: string): string | undefined;
  remove(file: string): void;
  /** Returns all files below the model folder, sorted. */
  files(): string[];
  remote(file: string): Promise<string | undefined>;
  /** Changes the same dev branch as another user; null deletes. */
  colleague(files: Readonly<Record<string, string | null>>): Promise<void>;
  /** Pulls everything from the branch. */
  pullAll(): Promise<void>;
  /** Opens the folder again, as another window or the next start does. */
  open(settings?: Partial<SyncSettings>, change?: (ports: SyncPorts) => SyncPorts): Promise<FolderSync>;
  /** Opens the folder as another program does, which stores its records elsewhere: the command line beside the editor. */
  openElsewhere(): Promise<FolderSync>;
}

export interface LinkOptions {
  readonly settings?: Partial<SyncSettings> | undefined;
  readonly clock?: Clock | undefined;
  readonly ports?: ((ports: SyncPorts) => SyncPorts) | undefined;
  /** The parent folder, on any disk, of both; by default that for temporary files. */
  readonly below?: string | undefined;
}

export async function linkFolder(options: LinkOptions = {}): Promise<LinkedFolder> {
  const platform = await openPlatform();
  const root = newFolder('sync-folder-', options.below);
  const storage = newFolder('sync-storage-', options.below);
  const { value: started } = await send(platform, startDevMode, {
    params: { deploymentId: '1' },
    body: { branchName: 'main' },
  });
  const branch = devBranch(started.name);
  if (!branch.ok) throw new Error(branch.error);
  const clock = new HurriedClock();
  const wire: Wire = { cut: () => false, instead: () => undefined, meanwhile: () => Promise.resolve(), sent: [] };
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    credential: () => ({ kind: 'bearer', token: platform.apiKey, origin: originOf('http://127.0.0.1') }),
    logger: silentLogger,
    fetch: wiredFetch(platform, wire, clock),
    limits: { attempts: 1 },
  });
  const dirty = new Set<string>();
  const opened: (() => Promise<void>)[] = [];
  const openIn = async (
    records: string,
    settings?: Partial<SyncSettings>,
    change: (ports: SyncPorts) => SyncPorts = (ports) => ports,
  ): Promise<FolderSync> => {
    const local = await createNodePorts({
      folder: path.join(root, 'model'),
      linkFolder: root,
      storage: records,
      branch: branch.value,
      turns: { shared: path.join(storage, 'turns'), longestWait: Infinity },
      worker: sharedScanThread,
      logger: silentLogger,
    });
    const remote = createPlatformWriter({ client, deployment: DEPLOYMENT, branch: branch.value });
    const ports: SyncPorts = {
      ...local,
      remote,
      clock: options.clock ?? clock,
      editors: { dirty: () => dirty },
    };
    const target = { account: 'demo', deployment: String(DEPLOYMENT), branch: branch.value };
    const sync = createFolderSync({ ports: change(ports), target, settings, logger: silentLogger });
    opened.push(async () => {
      await sync.close();
      local.dispose();
    });
    return sync;
  };
  const open: LinkedFolder['open'] = async (settings, change) => openIn(storage, settings, change);
  onTestFinished(async () => {
    wire.cut = () => false;
    for (const close of opened) await close();
    rmSync(root, { recursive: true, force: true, maxRetries: 3 });
    rmSync(storage, { recursive: true, force: true, maxRetries: 3 });
  });
  const at = (file: string): string => path.join(root, file);
  const linked: LinkedFolder = {
    platform,
    branch: branch.value,
    root,
    storage,
    wire,
    dirty,
    sync: await open(options.settings, options.ports),
    write: (file, text) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    read: (file) => (existsSync(at(file)) ? readFileSync(at(file), 'utf8') : undefined),
    remove: (file) => rmSync(at(file), { recursive: true }),
    files: () =>
      existsSync(at('model'))
        ? readdirSync(at('model'), { recursive: true, withFileTypes: true })
            .filter((entry) => entry.isFile())
            .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
            .sort()
        : [],
    remote: (file) => platform.control.readFile(DEPLOYMENT, branch.value, file),
    colleague: (files) => changeBranch(platform, branch.value, files),
    pullAll: async () => {
      const outcome = await linked.sync.pull(await linked.sync.plan(), 'all');
      if (outcome.status !== 'done') throw new Error(outcome.message);
    },
    open,
    openElsewhere: async () => openIn(path.join(storage, 'elsewhere')),
  };
  return linked;
}

/** Opens a linked folder that has pulled everything from its branch. */
export async function pulledFolder(options: LinkOptions = {}): Promise<LinkedFolder> {
  const linked = await linkFolder(options);
  await linked.pullAll();
  return linked;
}

/** Changes files of a dev branch of the demo deployment as another user; null deletes. */
export async function changeBranch(
  platform: Platform,
  branchName: string,
  files: Readonly<Record<string, string | null>>,
): Promise<void> {
  const params = { deploymentId: String(DEPLOYMENT) };
  const written = Object.entries(files).flatMap(([file, content]) =>
    content === null ? [] : [{ path: file, content }],
  );
  const deleted = Object.entries(files).flatMap(([file, content]) => (content === null ? [{ path: file }] : []));
  if (written.length > 0) await send(platform, writeDataModelFiles, { params, body: { branchName, files: written } });
  if (deleted.length > 0) await send(platform, deleteDataModelFiles, { params, body: { branchName, files: deleted } });
}

function wiredFetch(platform: Platform, wire: Wire, clock: HurriedClock): typeof fetch {
  const answered = async (request: Request): Promise<Response> => {
    await wire.meanwhile(request);
    if (wire.cut(request, 'before')) throw new TypeError('fetch failed');
    wire.sent.push(`${request.method} ${new URL(request.url).pathname.replace(/^.*data-model\//, '')}`);
    const response = wire.instead(request) ?? (await platform.fetch(request.clone()));
    if (wire.cut(request, 'after')) throw new TypeError('fetch failed');
    return response;
  };
  return async (input, init) => clock.during(async () => answered(new Request(input, init)));
}
