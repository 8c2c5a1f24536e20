import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { fileProblem } from '#sync/disk/disk.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { createNodePorts } from '#sync/disk/sync-ports.ts';
import { type LinkedFolder, linkFolder, pulledFolder } from '#support/sync/linked-folder.ts';
import { asNobody } from '#support/sync/as-nobody.ts';
import { canMount, mountSmallDisk } from '#support/sync/small-disk.ts';
import type { FileStore, SyncPorts } from '#sync/core/ports.ts';
import { hasFeature, newFolder } from '#support/sync/test-disk.ts';

const ORDERS = 'model/cubes/orders.yml';
const WORKER = new URL('../../../../../src/sync/disk/hash-worker.ts', import.meta.url);
const LARGE = 'x'.repeat(300_000);
const real = canMount();

/** Where no small disk can be had, the system's error is made at the call that writes. */
function refusing(code: string, when: (bytes: Uint8Array) => boolean) {
  return (ports: SyncPorts): SyncPorts => {
    const stage: FileStore['stage'] = (file, bytes, hash) =>
      when(bytes)
        ? Promise.reject(fileProblem(file, Object.assign(new Error(code), { code })))
        : ports.files.stage(file, bytes, hash);
    const files = new Proxy(ports.files, {
      get: (store, name) => (name === 'stage' ? stage : (Reflect.get(store, name) as () => unknown).bind(store)),
    });
    return { ...ports, files };
  };
}

function leftovers(linked: LinkedFolder): string[] {
  return linked.files().filter((file) => file.includes('.modelbench-'));
}

describe(`a disk that is really full (${real ? 'a file system of 256 KB' : 'no right to mount: the error is made'})`, () => {
  it('keeps what was there, brings what fits, says what to do, and continues once there is room', async () => {
    const linked = await linkFolder(real ? {} : { ports: refusing('ENOSPC', (bytes) => bytes.length > 200_000) });
    if (real) mountSmallDisk(path.join(linked.root, 'model'), 256);
    await linked.pullAll();
    const before = linked.read(ORDERS);
    await linked.colleague({ [ORDERS]: LARGE, 'model/large.yml': LARGE, 'model/small.yml': '# small\n' });
    const outcome = await linked.sync.pull(await linked.sync.plan(), 'all');
    expect(outcome.status).toBe('partial');
    expect(outcome.message).toContain('the disk is full. Free some space');
    expect(outcome.failed.map((failed) => failed.path)).toEqual(expect.arrayContaining([ORDERS, 'model/large.yml']));
    expect(linked.read(ORDERS)).toBe(before);
    expect(linked.read('model/large.yml')).toBeUndefined();
    // What was written before the disk was full is there, and nothing half.
    expect(leftovers(linked)).toEqual([]);
    expect((await linked.sync.plan()).entries.every(({ kind }) => kind === 'download')).toBe(true);
    await linked.colleague({ [ORDERS]: '# short again\n', 'model/large.yml': null });
    await linked.pullAll();
    expect(linked.read(ORDERS)).toBe('# short again\n');
    expect((await linked.sync.plan()).entries).toEqual([]);
  });

  it('puts a version back for which there is no room in the trash', async () => {
    const linked = await linkFolder();
    await linked.colleague({ [ORDERS]: LARGE, 'model/gone.yml': LARGE });
    await linked.pullAll();
    await linked.sync.close();
    let full = false;
    if (real) mountSmallDisk(linked.storage, 2048);
    const sync = await linked.open(undefined, real ? undefined : refusing('ENOSPC', () => full));
    await sync.plan();
    await linked.colleague({ [ORDERS]: '# theirs\n', 'model/gone.yml': null });
    const plan = await sync.plan();
    full = true;
    // Enough for notes, too little for the version that they announce.
    if (real) fill(linked.storage, 65_536);
    const replaced = await sync.pull(plan, new Set([ORDERS]));
    expect(replaced).toMatchObject({ status: 'partial', applied: [], failed: [{ path: ORDERS }] });
    expect(linked.read(ORDERS)).toBe(LARGE);
    if (real) await sync.pull(await sync.plan(), new Set(['model/gone.yml']));
    expect(linked.read('model/gone.yml')).toBe(LARGE);
    expect(leftovers(linked)).toEqual([]);
    full = false;
    rmSync(path.join(linked.storage, 'filling'), { force: true });
    expect(await sync.pull(await sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect((await sync.plan()).entries).toEqual([]);
    expect((await sync.trashed()).map((item) => item.size)).toEqual([LARGE.length, LARGE.length]);
  });

  it('loses nothing when it is the storage of the notes that is full', async () => {
    const linked = await pulledFolder();
    await linked.sync.close();
    let full = false;
    if (real) mountSmallDisk(linked.storage, 512);
    const sync = await linked.open(undefined, real ? undefined : refusing('ENOSPC', () => full));
    await sync.plan();
    const before = linked.read(ORDERS);
    await linked.colleague({ [ORDERS]: '# theirs\n' });
    const plan = await sync.plan();
    full = true;
    if (real) fill(linked.storage);
    const outcome = await sync.pull(plan, 'all').catch((error: unknown) => error);
    // Without a place for the replaced version nothing is replaced.
    expect(outcome instanceof Error || (outcome as { status: string }).status !== 'done').toBe(true);
    expect(linked.read(ORDERS)).toBe(before);
    full = false;
    rmSync(path.join(linked.storage, 'filling'), { force: true });
    expect(await sync.pull(await sync.plan(), 'all')).toMatchObject({ status: 'done' });
    expect(linked.read(ORDERS)).toBe('# theirs\n');
    expect((await sync.plan()).entries).toEqual([]);
  });
});

/** Leaves room for so many bytes. */
function fill(folder: string, room = 0): void {
  const file = path.join(folder, 'filling');
  for (const size of [65_536, 4096, 256]) {
    try {
      for (;;) writeFileSync(file, Buffer.alloc(size, 1), { flag: 'a' });
    } catch {
      // Full for this size.
    }
  }
  truncateSync(file, statSync(file).size - room);
}

it(`a folder that cannot be written to stays as it is, and can still be pushed (${real ? 'mounted read-only' : 'the error is made'})`, async () => {
  let refuses = false;
  const linked = await linkFolder(real ? {} : { ports: refusing('EROFS', () => refuses) });
  const disk = real ? mountSmallDisk(path.join(linked.root, 'model'), 1024) : undefined;
  await linked.pullAll();
  const before = linked.read(ORDERS);
  linked.write('model/mine.yml', '# mine\n');
  await linked.colleague({ [ORDERS]: '# theirs\n' });
  disk?.freeze();
  refuses = true;
  const outcome = await linked.sync.pull(await linked.sync.plan(), 'all');
  expect(outcome).toMatchObject({ status: 'partial', applied: [] });
  expect(outcome.failed).toMatchObject([
    { path: ORDERS, message: expect.stringContaining('the disk is read-only') as string },
  ]);
  expect(linked.read(ORDERS)).toBe(before);
  expect(await linked.sync.push(await linked.sync.plan(), 'all')).toMatchObject({ status: 'done' });
  expect(await linked.remote('model/mine.yml')).toBe('# mine\n');
});

describe('without the permission', () => {
  it('freezes what cannot be read, deletes nothing on its account, and writes nothing', async () => {
    if (!hasFeature('permissions')) return;
    const root = newFolder('sync-denied-');
    const storage = newFolder('sync-denied-storage-');
    onTestFinished(async () => {
      chmodSync(path.join(root, 'locked'), 0o755);
      await rm(root, { recursive: true, force: true, maxRetries: 3 });
      await rm(storage, { recursive: true, force: true, maxRetries: 3 });
    });
    mkdirSync(path.join(root, 'locked'));
    for (const name of ['open.yml', 'secret.yml', 'locked/a.yml']) writeFileSync(path.join(root, name), name);
    chmodSync(path.join(root, 'secret.yml'), 0o000);
    chmodSync(path.join(root, 'locked'), 0o000);
    chmodSync(root, 0o555);
    chmodSync(storage, 0o777);
    await asNobody(async () => {
      const ports = await createNodePorts({
        folder: root,
        storage: path.join(storage, 'own'),
        branch: 'dev-a',
        worker: WORKER,
        logger: silentLogger,
      });
      const request = { ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 };
      const listing = await ports.files.scan(request);
      expect([...listing.files.keys()]).toEqual(['model/open.yml']);
      expect(listing.frozen).toEqual(
        new Map([
          ['model/locked', 'unreadable'],
          ['model/secret.yml', 'unreadable'],
        ]),
      );
      expect(listing.complete).toBe(false);
      expect(await ports.files.stateOf('model/secret.yml')).toMatchObject({ kind: 'frozen', reason: 'unreadable' });
      const bytes = new TextEncoder().encode('new');
      const hash = nodeHasher.hash(bytes);
      await expect(ports.files.stage('model/new.yml', bytes, hash)).rejects.toMatchObject({ kind: 'denied' });
      const open = listing.files.get('model/open.yml')?.hash ?? '';
      await expect(ports.files.remove('model/open.yml', open, 'pull')).rejects.toMatchObject({ kind: 'denied' });
      ports.dispose();
    });
    expect(readFileSync(path.join(root, 'open.yml'), 'utf8')).toBe('open.yml');
    expect(readdirSync(root).sort()).toEqual(['locked', 'open.yml', 'secret.yml']);
  });
});
