import { describe, expect, it } from 'vitest';
import type { DiskFileStore } from '#sync/disk/file-store.ts';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { bytes, hashOf } from '#support/sync/disk.ts';
import { SimulatedDisk } from '#support/sync/simulated-disk.ts';
import { FOLDER, portsOver } from '#support/sync/simulated-ports.ts';
import type { LocalListing } from '#sync/core/ports.ts';

const OLD = new Date(Date.now() - 3_600_000);

function scan(files: Pick<DiskFileStore, 'scan'>): Promise<LocalListing> {
  return files.scan({ ignores: () => false, ignoreLines: [], verify: false, maxFileSize: 1000 });
}

async function hashesOf(files: Pick<DiskFileStore, 'scan'>): Promise<Record<string, string>> {
  const listing = await scan(files);
  return Object.fromEntries([...listing.files].map(([path, { hash }]) => [path, hash]));
}

describe('a disk whose files look alike', () => {
  it('notices files of one size and second that swap their names', async () => {
    const disk = new SimulatedDisk({ name: 'FAT', noInodes: true, noHardLinks: true, stepMs: 2000 });
    const calls = disk.calls((_call, _isWrite, effect) => effect());
    for (const name of ['a', 'b']) {
      disk.write(`${FOLDER}/${name}`, bytes(name));
      await calls.utimes(`${FOLDER}/${name}`, OLD);
    }
    const { files } = portsOver(calls);
    expect(await hashesOf(files)).toEqual({ a: hashOf('a'), b: hashOf('b') });
    disk.rename(`${FOLDER}/a`, `${FOLDER}/c`);
    disk.rename(`${FOLDER}/b`, `${FOLDER}/a`);
    disk.rename(`${FOLDER}/c`, `${FOLDER}/b`);
    expect(await hashesOf(files)).toEqual({ a: hashOf('b'), b: hashOf('a') });
  });
});

describe('a shorter version under the same time stamp', () => {
  /** How a scan lists a file that is shorter than at the last scan, so many ms after it was first written. */
  async function shortened(waited: number, how: 'saved' | 'torn'): Promise<unknown> {
    const disk = new SimulatedDisk({ name: 'FAT', noHardLinks: true, stepMs: 2000 });
    const calls = disk.calls((_call, _isWrite, effect) => effect());
    const file = `${FOLDER}/a`;
    disk.write(file, bytes('a long version'));
    const stamp = calls.lstat(file)?.mtimeNs ?? 0n;
    disk.pass(waited);
    const { files } = portsOver(calls);
    await scan(files);
    disk.write(file, bytes('short'));
    if (how === 'torn') await calls.utimes(file, new Date(Number(stamp / 1_000_000n)));
    expect(calls.lstat(file)?.mtimeNs).toBe(stamp);
    return (await scan(files)).files.get('a');
  }

  it('counts as a save where both were written within one step', async () => {
    expect(await shortened(1, 'saved')).toEqual({ hash: hashOf('short'), size: 5 });
  });

  it('counts as left by a crash where the file was known when its step was over', async () => {
    expect(await shortened(5000, 'torn')).toEqual({ hash: hashOf('short'), size: 5, torn: true });
  });
});

describe('a name that changes while its folder is scanned', () => {
  const renames = new Map([
    ['a file', ['m/a', 'm/b', '/m']],
    ['a file in another Unicode form', ['caf\u00e9', 'caf\u00e9'.normalize('NFD'), '']],
    ['a folder with files', ['m', 'n', '']],
    ['a folder whose files were just listed', ['m', 'n', '/m']],
  ] as const);

  it.each([...renames.keys()])('does not count as deleted: %s', async (what) => {
    const [from, to, listed] = renames.get(what) ?? ['', '', ''];
    for (const isKnown of [false, true]) {
      const disk = new SimulatedDisk({ name: 'an ordinary disk' });
      for (const name of ['m/a', 'm/k', 'caf\u00e9', 'z']) disk.write(`${FOLDER}/${name}`, bytes(name));
      let isRenamed = true;
      const { files } = portsOver(
        disk.calls((call, _isWrite, effect) => {
          const found = effect();
          // Each folder is listed before anything in it is read.
          if (!isRenamed && call === `entries ${FOLDER}${listed}`) {
            isRenamed = true;
            disk.rename(`${FOLDER}/${from}`, `${FOLDER}/${to}`);
          }
          return found;
        }),
      );
      if (isKnown) await scan(files);
      isRenamed = false;
      const found = [...(await scan(files)).files.keys()].sort();
      const there = [...disk.files(FOLDER).keys()].map((name) => name.slice(FOLDER.length + 1).normalize('NFC'));
      expect(found).toEqual(there.sort());
      expect([...(await scan(files)).files.keys()].sort()).toEqual(there);
    }
  });
});

describe('a name that leads to another file', () => {
  /** A disk that finds files by short names too, as Windows makes them up. */
  function withShortName(disk: SimulatedDisk, short: string, long: string): DiskCalls {
    const calls = disk.calls((_call, _isWrite, effect) => effect());
    const real = (file: string): string => (file.endsWith(`/${short}`) ? file.slice(0, -short.length) + long : file);
    return {
      ...calls,
      lstat: (file) => calls.lstat(real(file)),
      openNow: (file, flags) => calls.openNow(real(file), flags),
    };
  }

  it.each([{ noInodes: false }, { noInodes: true }])('does not stand for it: a short name (%j)', async (kind) => {
    const disk = new SimulatedDisk({ name: 'NTFS', ignoresCase: true, ...kind });
    disk.write(`${FOLDER}/orders_long.yml`, bytes('long'));
    const { files } = portsOver(withShortName(disk, 'ORDERS~1.YML', 'orders_long.yml'));
    expect(await files.stateOf('ORDERS~1.YML')).toEqual({ kind: 'absent' });
    expect(await files.stateOf('orders_long.yml')).toMatchObject({ kind: 'file' });
    expect(await files.remove('ORDERS~1.YML', hashOf('long'), 'pull')).toMatchObject({ kind: 'changed' });
    expect(disk.files(FOLDER).size).toBe(1);
  });

  it.each([
    ['mass.yml', 'ma\u017fs.yml'],
    ['strasse.yml', 'stra\u00dfe.yml'],
    ['\u03a3.yml', '\u03c2.yml'],
  ])('does not stand for it where letters fold in other ways: %s and %s', async (real, other) => {
    const disk = new SimulatedDisk({ name: 'APFS', ignoresCase: true, unicode: 'preserved' });
    disk.write(`${FOLDER}/${real}`, bytes('text'));
    const { files } = portsOver(disk.calls((_call, _isWrite, effect) => effect()));
    expect(await files.stateOf(other)).toEqual({ kind: 'absent' });
    expect(await files.stateOf(real)).toMatchObject({ kind: 'file' });
    expect(await files.rename(other, 'x.yml', hashOf('text'))).toMatchObject({ kind: 'changed' });
    expect([...disk.files(FOLDER).keys()]).toEqual([`${FOLDER}/${real}`]);
  });

  it('counts again in the same moment in which it was made', async () => {
    const disk = new SimulatedDisk({ name: 'NTFS', ignoresCase: true });
    disk.write(`${FOLDER}/a~1.yml`, bytes('one'));
    const { files } = portsOver(disk.calls((_call, _isWrite, effect) => effect()));
    expect(await files.stateOf('a~1.yml')).toMatchObject({ kind: 'file' });
    disk.write(`${FOLDER}/b~1.yml`, bytes('two'));
    expect(await files.stateOf('b~1.yml')).toMatchObject({ kind: 'file' });
  });
});

describe('a name in the other Unicode form', () => {
  const NFC = 'm/caf\u00e9/cr\u00e8me.yml';
  const NFD = NFC.normalize('NFD');

  it('gets no twin from a file that came here since the last scan', async () => {
    const disk = new SimulatedDisk({ name: 'an ordinary disk' });
    const { files } = portsOver(disk.calls((_call, _isWrite, effect) => effect()));
    await scan({ scan: (request) => files.scan(request) });
    disk.write(`${FOLDER}/${NFD}`, bytes('mine'));
    expect(await files.stateOf(NFC)).toMatchObject({ kind: 'file', hash: hashOf('mine') });
    const staged = await files.stage(NFC, bytes('theirs'), hashOf('theirs'));
    expect(await files.replace(staged, undefined, 'pull')).toMatchObject({ kind: 'changed' });
    expect([...disk.files(FOLDER).keys()]).toEqual([`${FOLDER}/${NFD}`]);
  });

  it('follows when a program spells it again', async () => {
    const disk = new SimulatedDisk({ name: 'an ordinary disk' });
    disk.write(`${FOLDER}/${NFD}`, bytes('mine'));
    const { files } = portsOver(disk.calls((_call, _isWrite, effect) => effect()));
    expect(await hashesOf(files)).toEqual({ [NFC]: hashOf('mine') });
    disk.rename(`${FOLDER}/m/${'caf\u00e9'.normalize('NFD')}`, `${FOLDER}/m/caf\u00e9`);
    expect(await files.stateOf(NFC)).toMatchObject({ kind: 'file' });
    const staged = await files.stage(NFC, bytes('theirs'), hashOf('theirs'));
    expect(await files.replace(staged, hashOf('mine'), 'pull')).toMatchObject({ kind: 'done' });
    await files.sync([NFC]);
    expect([...disk.files(FOLDER).values()].map(String)).toEqual(['theirs']);
  });
});
