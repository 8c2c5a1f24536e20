import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { BlobFiles } from '#sync/disk/blob-files.ts';
import { Disk } from '#sync/disk/disk.ts';
import { type DiskCalls, nodeCalls } from '#sync/disk/disk-calls.ts';
import { JournalFile } from '#sync/disk/journal-file.ts';
import { checkedLine } from '#sync/disk/checked-line.ts';
import { LockFile, thisMachine } from '#sync/disk/lock-file.ts';
import { nodeHasher } from '#sync/disk/folder-ports.ts';
import { damagesOf } from '#support/sync/damages.ts';
import { bytes, hashOf, openDisk } from '#support/sync/disk.ts';
import { hasFeature } from '#support/sync/test-disk.ts';
import type { JournalRecord } from '#sync/core/record/journal.ts';

const OPEN: JournalRecord = { type: 'open', target: 't', generation: 1, seal: 's' };

/** Absolute paths of files that the engine keeps for one branch. */
function notesOf(storage: string, names: readonly string[]): string[] {
  const [branch = ''] = readdirSync(path.join(storage, 'branches'));
  return names.map((name) => path.join(storage, 'branches', branch, name));
}

// A lock beats every 15 seconds, which a slow machine reaches within a test.
beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

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
    const seal = await disk.base.save({ target: 't', generation: 7, root: '1:2', entries });
    expect(await disk.base.load()).toEqual({ target: 't', generation: 7, root: '1:2', seal, entries });
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

  it('notices damage to any byte of the base', async () => {
    const disk = await openDisk();
    const entries = new Map([['model/a.yml', { path: 'model/a.yml', hash: hashOf('a'), size: 1 }]]);
    await disk.base.save({ target: 't', generation: 7, root: '1', entries });
    const [at = ''] = notesOf(disk.storage, ['base']);
    for (const broken of damagesOf(readFileSync(at))) {
      writeFileSync(at, broken);
      expect(await disk.base.load()).toBe('damaged');
    }
  });

  it('does not take a base or a journal that cannot be read now for a damaged one', async () => {
    const disk = await openDisk();
    await disk.journal.reset([OPEN]);
    for (const name of ['base', 'journal', 'journal.copy']) {
      const [at = ''] = notesOf(disk.storage, [name]);
      rmSync(at, { force: true });
      mkdirSync(at);
      await expect(name === 'base' ? disk.base.load() : disk.journal.load()).rejects.toThrow(
        'The record of the last sync',
      );
      rmSync(at, { recursive: true });
    }
  });

  it('loses nothing by damage to any byte of one copy of the journal', async () => {
    const disk = await openDisk();
    await disk.journal.reset([OPEN]);
    await disk.journal.append([{ type: 'done', path: 'model/ü.yml', hash: undefined, size: 0 }], false);
    await disk.journal.append([{ type: 'close', boot: 'b' }], true);
    const whole = await disk.journal.load();
    expect(whole).toMatchObject({ damaged: false, records: [{ type: 'open' }, { type: 'done' }, { type: 'close' }] });
    for (const at of notesOf(disk.storage, ['journal', 'journal.copy'])) {
      const before = readFileSync(at);
      for (const broken of damagesOf(before)) {
        writeFileSync(at, broken);
        expect(await disk.journal.load()).toEqual(whole);
      }
      rmSync(at);
      expect(await disk.journal.load()).toEqual(whole);
      writeFileSync(at, before);
    }
  });

  it('reads a journal up to the record that a crash tore off both copies, and calls no other loss a crash', async () => {
    const disk = await openDisk();
    await disk.journal.reset([OPEN]);
    await disk.journal.append([{ type: 'done', path: 'model/a.yml', hash: undefined, size: 0 }], true);
    await disk.journal.append([{ type: 'close', boot: 'b' }], true);
    const { records } = await disk.journal.load();
    const files = notesOf(disk.storage, ['journal', 'journal.copy']);
    const whole = readFileSync(files[0] ?? '');
    const first = whole.indexOf('\n', whole.indexOf('\n') + 1) + 1;
    for (let cut = first; cut < whole.length; cut++) {
      for (const at of files) writeFileSync(at, whole.subarray(0, cut));
      const read = await disk.journal.load();
      expect(read.damaged).toBe(false);
      expect(read.records).toEqual(records.slice(0, read.records.length));
      expect(read.records.length).toBeLessThan(3);
    }
    const flipped = [...damagesOf(whole.subarray(0, first))].filter(({ length }) => length === first);
    for (const broken of flipped) {
      for (const at of files) writeFileSync(at, Buffer.concat([broken, whole.subarray(first)]));
      expect(await disk.journal.load()).toMatchObject({ damaged: true });
    }
  });

  it('notes nothing behind a record that may be half written, until the journal is started again', async () => {
    let refuses = true;
    const calls: DiskCalls = {
      ...nodeCalls,
      open: (...args) =>
        refuses && args[0].includes('journal') && !args[0].endsWith('.tmp')
          ? Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' }))
          : nodeCalls.open(...args),
    };
    const disk = await openDisk();
    const journal = new JournalFile(new Disk(calls), path.join(disk.storage, 'journal'));
    await journal.reset([OPEN]);
    await expect(journal.append([{ type: 'close', boot: 'b' }], true)).rejects.toThrow('EMFILE');
    refuses = false;
    await expect(journal.append([{ type: 'close', boot: 'b' }], true)).rejects.toThrow(
      'The journal must be started before',
    );
    await journal.reset([OPEN]);
    await journal.append([{ type: 'close', boot: 'b' }], true);
    expect(await journal.load()).toMatchObject({ records: [{ type: 'open' }, { type: 'close' }] });
    await journal.close();
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
    const lock = path.join(disk.storage, 'branches', name, 'lock.7');
    writeFileSync(lock, checkedLine({ pid: 1, boot: 'an earlier one', nonce: 'x' }));
    expect(await disk.lock.acquire()).toBe(true);
    expect(await other.lock.acquire()).toBe(false);
  });

  it('takes the lock from a window that was silent for two minutes while awake, not after hours of sleep', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    let elapsed = 0;
    const machine = { ...thisMachine, elapsed: () => elapsed, uptime: () => 1000, bootId: () => 'a-boot' };
    const [holder, other] = [
      new LockFile(new Disk(), file, { ...machine, elapsed: () => 0 }),
      new LockFile(new Disk(), file, machine),
    ];
    onTestFinished(() => other.release());
    expect(await holder.acquire()).toBe(true);
    // The machine slept: by the clock the last beat is a day old.
    const beat = (hoursAgo: number): void => utimesSync(file, 0, Date.now() / 1000 - hoursAgo * 3600);
    beat(24);
    expect(await other.acquire()).toBe(false);
    // Where its own time does not stand still, the sleep itself counts as no silence.
    elapsed += 12 * 3_600_000;
    expect(await other.acquire()).toBe(false);
    beat(0);
    const acquires = async (): Promise<readonly boolean[]> => {
      const answers: boolean[] = [];
      for (let check = 0; check < 4; check++) {
        answers.push(await other.acquire());
        elapsed += 50_000;
      }
      return answers;
    };
    expect(await acquires()).toEqual([false, false, false, true]);
    await holder.release();
    expect(await other.isHeld()).toBe(true);
  });

  it('shows a window that was suspended that another one has the lock, and sends that one no heartbeat', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    let elapsed = 0;
    const machine = { ...thisMachine, elapsed: () => elapsed, uptime: () => 1000, bootId: () => 'a-boot' };
    const [holder, other] = [new LockFile(new Disk(), file, machine), new LockFile(new Disk(), file, machine)];
    onTestFinished(() => other.release());
    expect([await holder.isHeld(), await holder.acquire(), await holder.isHeld()]).toEqual([false, true, true]);
    expect(await other.acquire()).toBe(false);
    elapsed += 60_000;
    expect(await other.acquire()).toBe(false);
    elapsed += 60_000;
    expect(await other.acquire()).toBe(false);
    elapsed += 1000;
    expect(await other.acquire()).toBe(true);
    expect([await holder.isHeld(), await other.isHeld()]).toEqual([false, true]);
    expect(await holder.acquire()).toBe(false);
  });

  it('frees a damaged lock only after its holder was silent for two minutes', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    let elapsed = 0;
    const machine = { ...thisMachine, elapsed: () => elapsed, uptime: () => 1000, bootId: () => 'a-boot' };
    const [holder, other] = [new LockFile(new Disk(), file, machine), new LockFile(new Disk(), file, machine)];
    onTestFinished(() => Promise.all([holder.release(), other.release()]).then(() => undefined));
    expect(await holder.acquire()).toBe(true);
    const whole = readFileSync(file);
    for (const bytes of damagesOf(whole)) {
      writeFileSync(file, bytes);
      utimesSync(file, 1, 1);
      expect(await other.acquire()).toBe(false);
    }
    for (let check = 0; check < 2; check++) {
      elapsed += 60_000;
      expect(await other.acquire()).toBe(false);
    }
    elapsed += 1000;
    expect(await other.acquire()).toBe(true);
  });

  it('keeps the lock of a living window when the clock is set, and frees that of an earlier start', async () => {
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    const at = (bootId: string, uptime: number): LockFile =>
      new LockFile(new Disk(), file, { ...thisMachine, elapsed: () => 0, uptime: () => uptime, bootId: () => bootId });
    const [holder, afterClockChange, afterRestart] = [at('28000000', 500), at('28000010', 600), at('28000011', 20)];
    expect(await holder.acquire()).toBe(true);
    expect(await afterClockChange.acquire()).toBe(false);
    expect(await afterRestart.acquire()).toBe(true);
    await afterRestart.release();
    await holder.release();
  });

  it('takes back a lock that could not be released by the same process', async () => {
    let refuses = false;
    const calls: DiskCalls = {
      ...nodeCalls,
      rename: (from, to) => (refuses ? Promise.reject(new Error('EIO')) : nodeCalls.rename(from, to)),
    };
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    const [first, second] = [new LockFile(new Disk(calls), file), new LockFile(new Disk(), file)];
    expect(await first.acquire()).toBe(true);
    refuses = true;
    await expect(first.release()).rejects.toThrow('EIO');
    expect(await second.acquire()).toBe(true);
    await second.release();
  });

  it('does not take a lock that cannot be read now for a free one', async () => {
    const calls: DiskCalls = {
      ...nodeCalls,
      readFile: () => Promise.reject(Object.assign(new Error('EMFILE'), { code: 'EMFILE' })),
    };
    const { storage } = await openDisk();
    const file = path.join(storage, 'a', 'lock');
    const [first, second] = [new LockFile(new Disk(), file), new LockFile(new Disk(calls), file)];
    expect(await first.acquire()).toBe(true);
    await expect(second.acquire()).rejects.toThrow('EMFILE');
    expect(existsSync(file)).toBe(true);
    await first.release();
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
    if (!hasFeature('holes')) return;
    const { storage } = await openDisk();
    const folder = path.join(storage, 'kept');
    const blobs = new BlobFiles(new Disk(), folder);
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

  it('stay private: other users cannot read models, notes or versions', async () => {
    if (!hasFeature('permissions')) return;
    const disk = await openDisk();
    disk.write('model/a.yml', 'one');
    await disk.files.remove('model/a.yml', hashOf('one'), 'pull');
    await disk.blobs.put(hashOf('a'), bytes('a'));
    await disk.base.save({ target: 't', generation: 1, root: '1:2', entries: new Map() });
    await disk.journal.reset([OPEN]);
    await disk.lock.acquire();
    const names = readdirSync(disk.storage, { recursive: true }).map(String);
    expect(names.length).toBeGreaterThan(8);
    const open = names.filter((name) => (statSync(path.join(disk.storage, name)).mode & 0o077) !== 0);
    expect(open).toEqual([]);
  });
});
