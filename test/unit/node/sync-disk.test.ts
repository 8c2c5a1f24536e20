import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { silentLogger } from '#base/log.ts';
import { fileProblem } from '#node/disk.ts';
import { LockFile } from '#node/lock-file.ts';
import { createNodePorts, nodeHasher, type NodePorts } from '#node/sync-ports.ts';
import type { LocalListing } from '#sync/ports.ts';
import { hostileNames } from '#support/sync/hostile-names.ts';

const WORKER = new URL('../../../src/node/hash-worker.ts', import.meta.url);
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const hashOf = (text: string): string => nodeHasher.hash(bytes(text));

interface Disk extends NodePorts {
  readonly root: string;
  readonly storage: string;
  at(file: string): string;
  write(file: string, text: string): void;
  list(verify?: boolean): Promise<LocalListing>;
  again(): Promise<NodePorts>;
}

async function openDisk(): Promise<Disk> {
  const root = mkdtempSync(path.join(tmpdir(), 'sync-disk-'));
  const storage = mkdtempSync(path.join(tmpdir(), 'sync-disk-storage-'));
  const opened: NodePorts[] = [];
  const again = async (): Promise<NodePorts> => {
    const ports = await createNodePorts({
      folder: root,
      storage,
      branch: 'dev-a',
      worker: WORKER,
      logger: silentLogger,
    });
    opened.push(ports);
    return ports;
  };
  onTestFinished(async () => {
    for (const ports of opened) {
      await ports.lock.release();
      ports.dispose();
    }
    await rm(root, { recursive: true, force: true });
    await rm(storage, { recursive: true, force: true });
  });
  const ports = await again();
  const at = (file: string): string => path.join(root, file.replace(/^model\//, ''));
  return {
    ...ports,
    root,
    storage,
    at,
    write: (file, text) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    list: (verify = false) => ports.files.scan({ ignores: () => false, ignoreLines: [], verify, maxFileSize: 1000 }),
    again,
  };
}

describe('the scan of a folder', () => {
  it('lists every file with its hash, and names what it leaves alone', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'a');
    disk.write('model/deep/er/b.yml', 'b');
    disk.write('model/big.yml', 'x'.repeat(1001));
    disk.write('model/CON.yml', 'c');
    disk.write('model/.env', 'secret');
    disk.write('model/node_modules/x.js', 'x');
    symlinkSync('/etc/passwd', disk.at('model/link.yml'));
    symlinkSync('/etc', disk.at('model/folder'));
    const { files, frozen, complete } = await disk.list();
    expect([...files]).toEqual([
      ['model/a.yml', { hash: hashOf('a'), size: 1 }],
      ['model/deep/er/b.yml', { hash: hashOf('b'), size: 1 }],
    ]);
    expect(Object.fromEntries(frozen)).toEqual({
      'model/big.yml': 'tooBig',
      'model/CON.yml': 'reservedName',
      'model/link.yml': 'symlink',
      'model/folder': 'symlink',
    });
    expect(complete).toBe(true);
  });

  it('says that a folder is missing instead of calling it empty', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'a');
    const { root } = await disk.list();
    renameSync(disk.root, `${disk.root}-away`);
    expect(await disk.list()).toMatchObject({ root: undefined });
    renameSync(`${disk.root}-away`, disk.root);
    expect(await disk.list()).toMatchObject({ root });
  });

  it('sees an edit that keeps size and time stamp, and a file that replaced another', async () => {
    const disk = await openDisk();
    const then = new Date(1_600_000_000_000);
    for (const name of ['a', 'b']) {
      disk.write(`model/${name}.yml`, 'one');
      utimesSync(disk.at(`model/${name}.yml`), then, then);
    }
    await disk.list();
    disk.write('model/a.yml', 'two');
    utimesSync(disk.at('model/a.yml'), then, then);
    disk.write('model/c.yml', 'six');
    utimesSync(disk.at('model/c.yml'), then, then);
    renameSync(disk.at('model/c.yml'), disk.at('model/b.yml'));
    const { files } = await disk.list();
    expect(files.get('model/a.yml')?.hash).toBe(hashOf('two'));
    expect(files.get('model/b.yml')?.hash).toBe(hashOf('six'));
  });

  it('trusts no time stamp from the future: a clock that was set back hides no edit', async () => {
    const disk = await openDisk();
    const future = new Date(Date.now() + 3_600_000);
    for (const content of ['one', 'two', 'six']) {
      disk.write('model/a.yml', content);
      utimesSync(disk.at('model/a.yml'), future, future);
      expect((await disk.list()).files.get('model/a.yml')?.hash).toBe(hashOf(content));
    }
  });

  it('remembers over a restart, and hashes nothing twice that certainly did not change', async () => {
    const disk = await openDisk();
    for (let at = 0; at < 50; at++) disk.write(`model/${at}.yml`, `content ${at}`);
    const first = await disk.list();
    const before = new Map(first.files);
    const again = await disk.again();
    const listing = await again.files.scan({ ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 });
    expect(listing.files).toEqual(before);
    const verified = await again.files.scan({ ignores: () => false, ignoreLines: [], verify: true, maxFileSize: 1000 });
    expect(verified.files).toEqual(before);
  });

  it('follows additions, deletions and newly ignored files from scan to scan', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'a');
    disk.write('model/b.md', 'b');
    await disk.list();
    await rm(disk.at('model/a.yml'));
    disk.write('model/c.yml', 'c');
    const { files } = await disk.files.scan({
      ignores: () => false,
      ignoreLines: ['*.md'],
      verify: false,
      maxFileSize: 1000,
    });
    expect([...files.keys()]).toEqual(['model/c.yml']);
  });

  it('starts anew when its table is damaged', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'a');
    await disk.list();
    const table = path.join(disk.storage, 'stat-table.bin');
    await expect.poll(() => existsSync(table)).toBe(true);
    const damaged = readFileSync(table);
    damaged[20] = (damaged[20] ?? 0) ^ 255;
    writeFileSync(table, damaged);
    const again = await disk.again();
    const listing = await again.files.scan({ ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 });
    expect(listing.files.get('model/a.yml')?.hash).toBe(hashOf('a'));
  });

  it('knows a torn file by its recorded time stamp', async () => {
    const disk = await openDisk();
    const then = new Date(1_600_000_000_000);
    disk.write('model/a.yml', 'whole content');
    utimesSync(disk.at('model/a.yml'), then, then);
    await disk.list();
    truncateSync(disk.at('model/a.yml'), 3);
    utimesSync(disk.at('model/a.yml'), then, then);
    expect((await disk.list()).files.get('model/a.yml')).toMatchObject({ size: 3, torn: true });
    expect((await disk.list()).files.get('model/a.yml')).toMatchObject({ size: 3, torn: true });
  });

  it('reads names in decomposed form as what they mean', async () => {
    const disk = await openDisk();
    writeFileSync(path.join(disk.root, 'cafe\u0301.yml'), 'x');
    const { files } = await disk.list();
    expect([...files.keys()]).toEqual(['model/caf\u00e9.yml']);
    expect((await disk.files.read('model/caf\u00e9.yml'))?.hash).toBe(hashOf('x'));
    expect(await disk.files.remove('model/caf\u00e9.yml', hashOf('x'))).toMatchObject({ kind: 'done' });
    expect(readdirSync(disk.root)).toEqual([]);
  });
});

describe('writing to a folder', () => {
  it('creates, replaces, deletes and renames, and keeps every replaced version', async () => {
    const disk = await openDisk();
    const put = async (text: string, expected: string | undefined): Promise<unknown> =>
      disk.files.replace(await disk.files.stage('model/x/a.yml', bytes(text), hashOf(text)), expected);
    expect(await put('one', undefined)).toMatchObject({ kind: 'done' });
    expect(await put('two', hashOf('one'))).toMatchObject({ kind: 'done' });
    expect(await disk.files.rename('model/x/a.yml', 'model/x/A.yml', hashOf('two'))).toMatchObject({ kind: 'done' });
    expect(await disk.files.remove('model/x/A.yml', hashOf('two'))).toMatchObject({ kind: 'done' });
    expect(readdirSync(disk.root)).toEqual([]);
    const kept = await disk.trash.list();
    expect(new Map(kept.map(({ path: file, hash }) => [file, hash]))).toEqual(
      new Map([
        ['model/x/a.yml', hashOf('one')],
        ['model/x/A.yml', hashOf('two')],
      ]),
    );
    expect(new TextDecoder().decode(await disk.trash.read(kept[0]?.id ?? ''))).toMatch(/one|two/);
  });

  it('writes nothing when the file is not what was expected, and leaves nothing behind', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'person');
    const stage = (): ReturnType<Disk['files']['stage']> =>
      disk.files.stage('model/a.yml', bytes('new'), hashOf('new'));
    expect(await disk.files.replace(await stage(), undefined)).toMatchObject({ kind: 'changed' });
    expect(await disk.files.replace(await stage(), hashOf('old'))).toMatchObject({ kind: 'changed' });
    expect(await disk.files.remove('model/a.yml', hashOf('old'))).toMatchObject({ kind: 'changed' });
    expect(await disk.files.rename('model/a.yml', 'model/b.yml', hashOf('old'))).toMatchObject({ kind: 'changed' });
    disk.write('model/b.yml', 'other');
    expect(await disk.files.rename('model/a.yml', 'model/b.yml', hashOf('person'))).toMatchObject({ kind: 'changed' });
    expect(readdirSync(disk.root).sort()).toEqual(['a.yml', 'b.yml']);
    expect(readFileSync(disk.at('model/a.yml'), 'utf8')).toBe('person');
    expect(await disk.trash.list()).toEqual([]);
  });

  it('keeps out of every hostile path', async () => {
    const disk = await openDisk();
    const outside = path.dirname(disk.root);
    const before = readdirSync(outside).sort();
    const results = await Promise.allSettled(
      hostileNames
        .filter((name) => /(^|\/)\.\.?(\/|$)|^\/|\\|\0|^$/.test(name))
        .map((name) => disk.files.stage(name, bytes('x'), hashOf('x'))),
    );
    expect(results.filter(({ status }) => status === 'fulfilled')).toEqual([]);
    expect(readdirSync(outside).sort()).toEqual(before);
  });

  it('makes many files durable at once, whether or not they are still there', async () => {
    const disk = await openDisk();
    const files = Array.from({ length: 600 }, (_, at) => `model/f${at % 7}/${at}.yml`);
    for (const file of files) disk.write(file, file);
    await disk.files.sync([...files, 'model/gone.yml', 'model/gone/too.yml']);
    expect((await disk.list()).files.size).toBe(600);
  });

  it('cleans up after a crash: unfinished files go, set-aside ones go back or to the trash', async () => {
    const disk = await openDisk();
    disk.write('model/.modelbench-abc-1.tmp', 'half');
    const note = (id: string, file: string): void => {
      mkdirSync(path.join(disk.storage, 'trash'), { recursive: true });
      writeFileSync(path.join(disk.storage, 'trash', `${id}.json`), JSON.stringify({ path: file, time: 1 }));
    };
    note('one-1', 'model/gone.yml');
    disk.write('model/.modelbench-one-1.old', 'was here');
    note('two-2', 'model/there.yml');
    disk.write('model/.modelbench-two-2.old', 'old version');
    disk.write('model/there.yml', 'new version');
    await disk.files.recover();
    expect(readdirSync(disk.root).sort()).toEqual(['gone.yml', 'there.yml']);
    expect(readFileSync(disk.at('model/gone.yml'), 'utf8')).toBe('was here');
    expect(await disk.trash.list()).toMatchObject([{ path: 'model/there.yml', hash: hashOf('old version') }]);
  });

  it('a program that still holds the old file open does not write into the trash', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'one');
    linkSync(disk.at('model/a.yml'), path.join(disk.storage, 'held'));
    await disk.files.replace(await disk.files.stage('model/a.yml', bytes('two'), hashOf('two')), hashOf('one'));
    appendFileSync(path.join(disk.storage, 'held'), ' and more');
    expect(await disk.trash.list()).toMatchObject([{ hash: hashOf('one') }]);
  });

  it.each([
    ['ENOSPC', 'full', 'disk is full'],
    ['EACCES', 'denied', 'no permission'],
    ['EROFS', 'denied', 'no permission'],
    ['EBUSY', 'busy', 'in use'],
    ['ENOTDIR', 'blocked', 'in the way'],
    ['EIO', 'other', 'EIO'],
  ])('says in words what %s means', (code, kind, words) => {
    const problem = fileProblem('model/a.yml', Object.assign(new Error('x'), { code }));
    expect(problem).toMatchObject({ kind });
    expect(problem.message).toContain(words);
  });
});

describe('notes of the engine', () => {
  it('keeps the base, and calls a damaged one damaged', async () => {
    const disk = await openDisk();
    expect(await disk.base.load()).toBeUndefined();
    const entries = new Map(
      Array.from({ length: 12_000 }, (_, at) => {
        const file = `model/ä ${at}.yml`;
        return [file, { path: file, hash: hashOf(`${at}`), size: at }];
      }),
    );
    await disk.base.save({ target: 't', generation: 7, root: '1:2', entries });
    expect(await disk.base.load()).toEqual({ target: 't', generation: 7, root: '1:2', entries });
    const file =
      readdirSync(path.join(disk.storage, 'branches'), { recursive: true })
        .map(String)
        .find((name) => name.endsWith('base')) ?? '';
    const at = path.join(disk.storage, 'branches', file);
    const whole = readFileSync(at);
    for (const cut of [0, 1, 40, 41, 500, whole.length - 1]) {
      writeFileSync(at, whole.subarray(0, cut));
      expect(await disk.base.load()).toBe('damaged');
    }
  });

  it('reads a journal up to the record that a crash tore, at every byte', async () => {
    const disk = await openDisk();
    await disk.journal.reset([{ type: 'open', target: 't', generation: 1 }]);
    await disk.journal.append(
      [
        { type: 'done', path: 'model/ü.yml', hash: undefined, size: 0 },
        { type: 'close', boot: 'b' },
      ],
      true,
    );
    const records = await disk.journal.load();
    expect(records.map(({ type }) => type)).toEqual(['open', 'done', 'close']);
    const file =
      readdirSync(path.join(disk.storage, 'branches'), { recursive: true })
        .map(String)
        .find((name) => name.endsWith('journal')) ?? '';
    const at = path.join(disk.storage, 'branches', file);
    const whole = readFileSync(at);
    for (let cut = 0; cut < whole.length; cut++) {
      writeFileSync(at, whole.subarray(0, cut));
      const read = await disk.journal.load();
      expect(read).toEqual(records.slice(0, read.length));
      expect(read.length).toBeLessThan(3);
    }
  });

  it('gives the lock to one, and takes it from a dead process', async () => {
    const disk = await openDisk();
    const other = await disk.again();
    expect(await disk.lock.acquire()).toBe(true);
    expect(await other.lock.acquire()).toBe(false);
    await disk.lock.release();
    expect(await other.lock.acquire()).toBe(true);
    await other.lock.release();
    const [name = ''] = readdirSync(path.join(disk.storage, 'branches'));
    const lock = path.join(disk.storage, 'branches', name, 'lock');
    writeFileSync(lock, JSON.stringify({ pid: 1, boot: 'an earlier one', nonce: 'x' }));
    expect(await disk.lock.acquire()).toBe(true);
    expect(await other.lock.acquire()).toBe(false);
  });

  it('takes the lock from one that is silent for two minutes of its own time, and not after a sleep of hours', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    let elapsed = 0;
    const [holder, other] = [new LockFile(file), new LockFile(file, () => elapsed)];
    onTestFinished(() => other.release());
    expect(await holder.acquire()).toBe(true);
    // The machine slept: by the clock the last beat is a day old.
    const beat = (hoursAgo: number): void => utimesSync(file, 0, Date.now() / 1000 - hoursAgo * 3600);
    beat(24);
    expect(await other.acquire()).toBe(false);
    elapsed += 90_000;
    expect(await other.acquire()).toBe(false);
    beat(0);
    elapsed += 90_000;
    expect(await other.acquire()).toBe(false);
    elapsed += 121_000;
    expect(await other.acquire()).toBe(true);
    await holder.release();
    expect(existsSync(file)).toBe(true);
  });

  it('keeps versions by hash and none that does not fit', async () => {
    const disk = await openDisk();
    await disk.blobs.put(hashOf('a'), bytes('a'));
    expect(await disk.blobs.get(hashOf('a'))).toEqual(Buffer.from('a'));
    await disk.blobs.put(hashOf('b'), bytes('not b'));
    expect(await disk.blobs.get(hashOf('b'))).toBeUndefined();
    expect(await disk.blobs.get('../../etc/passwd')).toBeUndefined();
  });
});
