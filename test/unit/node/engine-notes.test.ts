import { existsSync, readFileSync, readdirSync, statSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BlobFiles } from '#node/blob-files.ts';
import { LockFile } from '#node/lock-file.ts';
import { nodeHasher } from '#node/sync-ports.ts';
import { bytes, hashOf, openDisk } from '#support/sync/disk.ts';

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

  it('keeps large and binary versions, and drops the oldest beyond 256 MB but none of the last minutes', async () => {
    const { storage } = await openDisk();
    const folder = path.join(storage, 'kept');
    const blobs = new BlobFiles(folder);
    const large = new Uint8Array(1024 * 1024 + 1).fill(97);
    for (const content of [large, Uint8Array.of(97, 0, 98)]) {
      await blobs.put(nodeHasher.hash(content), content);
      expect(await blobs.get(nodeHasher.hash(content))).toEqual(Buffer.from(content));
    }
    const texts = ['oldest', 'older', 'new'];
    for (const [at, text] of texts.entries()) {
      await blobs.put(hashOf(text), bytes(text));
      const file = path.join(folder, hashOf(text).slice(0, 2), hashOf(text).slice(2));
      // Holes take no room on the disk.
      truncateSync(file, 100 * 1024 * 1024);
      utimesSync(file, at, at);
    }
    await blobs.prune(60_000);
    expect(readdirSync(folder, { recursive: true })).toHaveLength(5 * 2);
    await blobs.prune();
    const left = readdirSync(folder, { recursive: true }).map(String);
    const isThere = (text: string): boolean => left.some((name) => name.endsWith(hashOf(text).slice(2)));
    expect(texts.filter(isThere)).toEqual(['older', 'new']);
    expect(await blobs.get(nodeHasher.hash(large))).toBeDefined();
  });

  it('is private: nobody else reads models, notes or versions', async () => {
    const disk = await openDisk();
    disk.write('model/a.yml', 'one');
    await disk.files.remove('model/a.yml', hashOf('one'), 'pull');
    await disk.blobs.put(hashOf('a'), bytes('a'));
    await disk.base.save({ target: 't', generation: 1, root: '1:2', entries: new Map() });
    await disk.journal.reset([{ type: 'open', target: 't', generation: 1 }]);
    await disk.lock.acquire();
    const names = readdirSync(disk.storage, { recursive: true }).map(String);
    expect(names.length).toBeGreaterThan(8);
    const open = names.filter((name) => (statSync(path.join(disk.storage, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});
