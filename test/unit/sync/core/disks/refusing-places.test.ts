import { describe, expect, it } from 'vitest';
import type { DiskCalls } from '#sync/disk/disk-calls.ts';
import { constants } from 'node:fs';
import { comeToRest, everywhere } from '#support/sync/disk-faults.ts';
import { type FaultDesk, openFaultDesk } from '#support/sync/fault-desk.ts';
import { problem } from '#support/sync/simulated-disk.ts';
import { FOLDER } from '#support/sync/simulated-ports.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';
import type { SyncOutcome } from '#sync/core/folder-sync.ts';

const [A, B, C, D, E, NEW] = ['a.yml', 'b.yml', 'sub/c.yml', 'sub/d.yml', 'sub/e.yml', 'sub/new.yml'].map(
  (name) => `model/${name}`,
) as [string, string, string, string, string, string];
const FILES = { [A]: 'a', [B]: 'b', [C]: 'c', [D]: 'd', [E]: 'e' };
const confirmed: readonly GuardKind[] = ['manyDeletesLocal', 'allChangedRemotely'];

/** A place that refuses something, as long as it does. */
interface Place {
  readonly name: string;
  readonly code: string;
  /** Whether a call about this path, relative to the folder, is refused. */
  readonly refuses: (file: string, what: 'look' | 'read' | 'make' | 'take' | 'sync') => boolean;
  /** What fails of a pull that edits a and c, deletes d and brings a new file. */
  readonly failing: readonly string[];
  /** What cannot be read, either. */
  readonly frozen?: readonly string[];
}

const inSub = (file: string): boolean => file.startsWith('model/sub/');
const places: readonly Place[] = [
  ...['EACCES', 'EPERM'].map((code) => ({
    name: 'a folder that may not be written to',
    code,
    refuses: (file: string, what: string) => inSub(file) && (what === 'make' || what === 'take'),
    failing: [C, D, NEW],
  })),
  {
    name: 'a part of the folder that is mounted read-only',
    code: 'EROFS',
    refuses: (file, what) => inSub(file) && (what === 'make' || what === 'take'),
    failing: [C, D, NEW],
  },
  ...['EPERM', 'EBUSY', 'EACCES'].map((code) => ({
    name: 'a file that may not be moved or removed, as one that is open elsewhere on Windows',
    code,
    refuses: (file: string, what: string) => [C, D].includes(file) && what === 'take',
    failing: [C, D],
  })),
  {
    name: 'a file that another program holds for itself',
    code: 'EBUSY',
    refuses: (file, what) => file === C && what !== 'look',
    failing: [C],
    frozen: [C],
  },
];

/** One that cannot be made durable now. */
const held: Place = {
  name: 'a file that a virus scanner holds as soon as it is there',
  code: 'EBUSY',
  refuses: (file, what) => file === C && what === 'sync',
  failing: [C],
};

/** The calls of a disk on which a place refuses what it does. */
function refusing(calls: DiskCalls, place: () => Place | undefined): DiskCalls {
  const check = (file: string, what: Parameters<Place['refuses']>[1]): void => {
    const now = place();
    if (file.startsWith(`${FOLDER}/`) && now?.refuses(file.slice(FOLDER.length + 1), what) === true)
      throw problem(now.code, file);
  };
  const later = async <T>(file: string, what: Parameters<Place['refuses']>[1], call: () => Promise<T>): Promise<T> => {
    check(file, what);
    return call();
  };
  return {
    ...calls,
    openNow: (file, flags) => {
      check(file, 'read');
      return calls.openNow(file, flags);
    },
    makeFolder: (folder, recursive) => {
      check(folder, 'make');
      calls.makeFolder(folder, recursive);
    },
    removeFolder: (folder) => {
      check(folder, 'take');
      calls.removeFolder(folder);
    },
    open: async (file, flags, mode) =>
      later(file, (flags & constants.O_CREAT) === 0 ? 'sync' : 'make', async () => calls.open(file, flags, mode)),
    readFile: async (file) => later(file, 'read', async () => calls.readFile(file)),
    rename: async (from, to) => later(from, 'take', async () => later(to, 'make', async () => calls.rename(from, to))),
    link: async (from, to) => later(to, 'make', async () => calls.link(from, to)),
    copyFile: async (from, to, mode) =>
      later(from, 'read', async () => later(to, 'make', async () => calls.copyFile(from, to, mode))),
    remove: async (file) => later(file, 'take', async () => calls.remove(file)),
  };
}

const pull = async ({ sync }: FaultDesk): Promise<SyncOutcome> => sync.pull(await sync.plan(), 'all', { confirmed });

describe('a place that refuses to be changed', () => {
  it.each(places)('holds up only what lies there: $name ($code)', async (place) => {
    let present: Place | undefined;
    const desk = openFaultDesk(FILES, { calls: (calls) => refusing(calls, () => present) });
    await pull(desk);
    desk.platform.files.set(A, 'theirs').set(C, 'new c').set(NEW, 'new');
    desk.platform.files.delete(D);
    present = place;
    const first = await pull(desk);
    const expected = place.failing.filter((file) => place.frozen?.includes(file) !== true);
    const stays = new Set([...first.failed.map(({ path }) => path), ...first.changed]);
    expect([...stays].toSorted()).toEqual(expected.toSorted());
    for (const { path, message } of first.failed) {
      expect(message).toContain(path);
      expect(message).toMatch(/permission|read-only|in use|try again/);
      expect(message).not.toMatch(/\bE[A-Z]{3,}\b/);
    }
    expect(desk.files()[A]).toBe('theirs');
    // It is asked for again as often as the user likes, and nothing piles up.
    await pull(desk);
    const kept = (await desk.sync.trashed()).length;
    for (let again = 0; again < 3; again++) await pull(desk);
    expect((await desk.sync.trashed()).length).toBe(kept);
    const plan = await desk.sync.plan();
    expect(new Set(plan.entries.map(({ path }) => path))).toEqual(new Set(place.failing));
    expect(desk.sync.status.value.state.kind).not.toBe('inSync');
    present = undefined;
    await pull(desk);
    await comeToRest(desk);
    expect(desk.files()).toEqual({ [A]: 'theirs', [B]: 'b', [C]: 'new c', [E]: 'e', [NEW]: 'new' });
    expect(desk.sync.status.value.state.kind).toBe('inSync');
    expect(await everywhere(desk)).toEqual(expect.arrayContaining(['a', 'c', 'd']));
    expect(desk.unfinished()).toEqual([]);
    await desk.sync.close();
  });

  it('keeps a push of several files whole, and each file is sent as soon as it can be', async () => {
    let present: Place | undefined;
    const desk = openFaultDesk(FILES, { calls: (calls) => refusing(calls, () => present) });
    await pull(desk);
    desk.write(A, 'mine');
    desk.write(C, 'mine too');
    const plan = await desk.sync.plan();
    present = held;
    const outcome = await desk.sync.push(plan, 'all', { confirmed });
    expect(new Map(outcome.failed.map(({ path, message }) => [path, message]))).toEqual(
      new Map([
        [C, expect.stringContaining('in use')],
        [A, expect.stringContaining('Nothing was sent')],
      ]),
    );
    expect([desk.platform.files.get(A), desk.platform.files.get(C)]).toEqual(['a', 'c']);
    // A single file waits for no other.
    desk.sync.onSaved([A]);
    await desk.sync.flush();
    expect([desk.platform.files.get(A), desk.platform.files.get(C)]).toEqual(['mine', 'c']);
    present = undefined;
    await comeToRest(desk);
    expect(desk.platform.files.get(C)).toBe('mine too');
    await desk.sync.close();
  });

  it('holds up no comparison, and the record of that file only waits', async () => {
    let present: Place | undefined;
    const desk = openFaultDesk(FILES, { calls: (calls) => refusing(calls, () => present) });
    await pull(desk);
    // Both sides got the same versions without sync.
    for (const file of [A, C]) {
      desk.write(file, 'both');
      desk.platform.files.set(file, 'both');
    }
    present = held;
    expect((await desk.sync.plan()).entries).toEqual([]);
    desk.write(A, 'mine');
    expect((await desk.sync.plan()).entries).toMatchObject([{ kind: 'upload', path: A }]);
    // The record still has the version before: what is done now to that file is asked about, and nothing is lost.
    desk.write(C, 'edited');
    expect((await desk.sync.plan()).entries.map(({ kind, path }) => `${kind} ${path}`)).toContain(`conflict ${C}`);
    present = undefined;
    desk.write(C, 'both');
    await desk.sync.plan();
    desk.write(C, 'edited');
    expect((await desk.sync.plan()).entries.map(({ kind }) => kind)).toEqual(['upload', 'upload']);
    await desk.sync.close();
  });
});
