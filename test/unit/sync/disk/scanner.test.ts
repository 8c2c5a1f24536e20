import { spawnSync } from 'node:child_process';
import { EventEmitter } from 'node:events';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Scanner, type ScanThread } from '#sync/disk/scanner.ts';
import { loadTable } from '#sync/disk/stat-file.ts';
import { hashOf, openDisk } from '#support/sync/disk.ts';
import { hasFeature } from '#support/sync/test-disk.ts';
import { js } from '#support/language/raw.ts';

const WORKER = new URL('../../../../src/sync/disk/hash-worker.ts', import.meta.url);

describe('the scan of a folder', () => {
  it('lists every file with its hash, and names what it leaves alone', async () => {
    if (!hasFeature('symbolic links')) return;
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

  it('starts again when its table is damaged', async () => {
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
    expect(await disk.files.remove('model/caf\u00e9.yml', hashOf('x'), 'pull')).toMatchObject({ kind: 'done' });
    await disk.files.sync(['model/caf\u00e9.yml']);
    expect(readdirSync(disk.root)).toEqual([]);
  });

  it('answers scans one after the other, and a process waits for every one of them', async () => {
    const disk = await openDisk();
    for (let at = 0; at < 300; at++) disk.write(`model/${at}.yml`, `content ${at}`);
    // A process of its own: nothing but the scans keeps it alive.
    const program = path.join(disk.storage, 'program.mjs');
    writeFileSync(
      program,
      `import { Scanner } from ${JSON.stringify(new URL('../../../../src/sync/disk/scanner.ts', import.meta.url).href)};
      const [root, storage] = process.argv.slice(2);
      const worker = new URL(${JSON.stringify(WORKER.href)});
      const scanner = new Scanner({ root, prefix: 'model', worker, tableFile: storage + '/table' });
      const request = { ignoreLines: [], verify: true, maxFileSize: 1000 };
      const scans = [scanner.scan(request), scanner.scan(request), scanner.scan(request)];
      console.log((await Promise.all(scans)).map(({ files }) => files.size).join(' '));`,
    );
    const ended = spawnSync(process.execPath, [program, disk.root, disk.storage], { encoding: 'utf8' });
    expect([ended.stdout, ended.stderr]).toEqual(['300 300 300\n', '']);
  });

  it('scans nothing after it was disposed', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'a');
    const scanner = new Scanner({
      root: disk.root,
      prefix: 'model',
      worker: WORKER,
      tableFile: path.join(disk.storage, 'table'),
    });
    const request = { ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 };
    const running = scanner.scan(request);
    expect((await running).files.size).toBe(1);
    const waiting = scanner.scan(request);
    scanner.dispose();
    await expect(waiting).rejects.toThrow('The folder is no longer scanned.');
  });

  it('ends its thread after the write that is running, and keeps the process alive until then', async () => {
    const disk = await openDisk();
    const calls: string[] = [];
    const port = new EventEmitter();
    const summary = { frozen: [], aliases: [], links: [], complete: true, root: 'x', ignoreFiles: [], leftovers: [] };
    const thread = (): ScanThread => ({
      postMessage: ({ type, ...request }) => {
        calls.push(type);
        if (type === 'save') return;
        const done = { type: 'done', gone: [], summary: { ...summary, hashed: 1, hashedBytes: 1 }, ...request };
        queueMicrotask(() => port.emit('message', done));
      },
      on: (event: string, listener: (message: never) => void) => port.on(event, listener as () => void),
      off: (event: string, listener: (message: never) => void) => port.off(event, listener as () => void),
      ref: () => calls.push('ref'),
      unref: () => calls.push('unref'),
      terminate: async () => Promise.resolve(calls.push('terminate')),
    });
    const scanner = new Scanner({ root: disk.root, prefix: 'model', worker: thread, tableFile: '' });
    await scanner.scan({ ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 });
    scanner.dispose();
    await new Promise(setImmediate);
    expect(calls).toEqual(['unref', 'ref', 'scan', 'unref', 'ref', 'save']);
    port.emit('message', { type: 'saved' });
    await new Promise(setImmediate);
    expect(calls.slice(6)).toEqual(['unref', 'terminate']);
  });

  it('leaves a whole table and no other file when a process ends right after a scan', async () => {
    const disk = await openDisk();
    for (let at = 0; at < 100; at++) disk.write(`model/${at}.yml`, `content ${at}`);
    const storage = path.join(disk.storage, 'ended');
    mkdirSync(storage);
    const program = path.join(disk.storage, 'program.mjs');
    writeFileSync(
      program,
      `import { Scanner } from ${JSON.stringify(new URL('../../../../src/sync/disk/scanner.ts', import.meta.url).href)};
      const [root, storage] = process.argv.slice(2);
      const worker = new URL(${JSON.stringify(WORKER.href)});
      const scanner = new Scanner({ root, prefix: 'model', worker, tableFile: storage + '/table' });
      await scanner.scan({ ignoreLines: [], verify: true, maxFileSize: 1000 });
      scanner.dispose();`,
    );
    const ended = spawnSync(process.execPath, [program, disk.root, storage], { encoding: 'utf8' });
    expect([ended.status, ended.stderr]).toEqual([0, '']);
    expect(readdirSync(storage)).toEqual(['table']);
    expect(loadTable(path.join(storage, 'table')).count).toBe(100);
  });

  it('leaves its memory to a pull of more files than it knows, and starts again with the next scan', async () => {
    const disk = await openDisk();
    const program = path.join(disk.storage, 'worker.mjs');
    // It finds 600 files whose size is the number of its thread.
    writeFileSync(
      program,
      js`
        import { parentPort, threadId } from 'node:worker_threads';
              const paths = Array.from({ length: 600 }, (_, at) => \`model/f\${at}.yml\`);
              const of = (value) => paths.map(() => value);
              parentPort.on('message', ({ id }) => {
                parentPort.postMessage({ type: 'found', id, paths, hashes: of(''), sizes: of(threadId), torn: [] });
                parentPort.postMessage({ type: 'done', id, gone: [], summary: { frozen: [], aliases: [] } });
              });`,
    );
    const tableFile = path.join(disk.storage, 'table');
    const scanner = new Scanner({ root: disk.root, prefix: 'model', worker: program, tableFile });
    onTestFinished(() => scanner.dispose());
    const threads = async (): Promise<readonly number[]> => {
      const { files } = await scanner.scan({ ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 });
      expect(files.size).toBe(600);
      return [...new Set([...files.values()].map(({ size }) => size))];
    };
    const first = await threads();
    for (let file = 0; file < 600; file++) scanner.wrote();
    expect(await threads()).toEqual(first);
    for (let file = 0; file < 601; file++) scanner.wrote();
    const [next, ...others] = await threads();
    expect([next, others]).toEqual([expect.any(Number), []]);
    expect([next]).not.toEqual(first);
  });
});
