import { vi } from 'vitest';
import { Disk } from '#node/disk.ts';
import { StatTable } from '#node/stat-table.ts';
import { TrashStore } from '#node/trash-store.ts';
import { TrueNames } from '#node/true-names.ts';
import type { FolderSync } from '#sync/folder-sync.ts';
import type { JournalRecord } from '#sync/journal.ts';
import type { FileStore, JournalStore, SyncPorts } from '#sync/ports.ts';
import { type FaultDesk, openFaultDesk } from './fault-desk.ts';
import { FOLDER } from './simulated-ports.ts';

/**
 * A rule of sync, told as a story that ends well only where the engine keeps it: with the engine as it is, or with one that
 * breaks just this rule.
 */
export interface BrokenRule {
  readonly rule: string;
  /** Whether the promise was kept. */
  readonly story: (isBroken: boolean) => Promise<boolean>;
}

const [A, B, C] = ['model/a.yml', 'model/b.yml', 'model/sub/c.yml'];
const FILES = { [A]: 'a', [B]: 'b', [C]: 'c' };

type Weakening = (ports: SyncPorts) => SyncPorts;

async function agreed(weaken?: Weakening, kind = { name: 'an ordinary disk' }): Promise<FaultDesk> {
  const desk = openFaultDesk(FILES, { kind, ...(weaken && { ports: weaken }) });
  await pull(desk.sync);
  return desk;
}

async function pull(sync: FolderSync): Promise<void> {
  await sync.pull(await sync.plan(), 'all');
}

const push = async (sync: FolderSync) => sync.push(await sync.plan(), 'all');

const withFiles =
  (change: (files: FileStore) => Partial<FileStore>): Weakening =>
  (ports) => {
    const { files } = ports;
    const bound = Object.fromEntries(
      (
        [
          'identity',
          'scan',
          'look',
          'read',
          'ignoreFiles',
          'stage',
          'replace',
          'discard',
          'remove',
          'keepCopy',
          'rename',
          'sync',
          'recover',
        ] as const
      ).map((name) => [name, (...args: readonly unknown[]): unknown => Reflect.apply(files[name], files, [...args])]),
    ) as unknown as FileStore;
    return { ...ports, files: { ...bound, ...change(files) } };
  };

/** The same port with one method replaced, whatever class it is of. */
function journalWith(journal: JournalStore, change: Partial<JournalStore>): JournalStore {
  return {
    boot: journal.boot,
    load: () => journal.load(),
    append: (records, durable) => journal.append(records, durable),
    reset: (records) => journal.reset(records),
    close: () => journal.close(),
    ...change,
  };
}

async function trashHolds(sync: FolderSync, text: string): Promise<boolean> {
  const kept = await Promise.all((await sync.trashed()).map(({ id }) => sync.trashedContent(id)));
  return kept.some((bytes) => bytes !== undefined && Buffer.from(bytes).toString() === text);
}

async function inConflict(desk: FaultDesk): Promise<void> {
  desk.write(A, 'mine');
  desk.platform.files.set(A, 'theirs');
  await desk.sync.plan();
}

export const brokenRules: readonly BrokenRule[] = [
  {
    rule: 'A file is known by its true name',
    story: async (isBroken) => {
      if (isBroken) vi.spyOn(TrueNames.prototype, 'trueName').mockReturnValue(undefined);
      const desk = await agreed(undefined, { name: 'a disk that ignores case', ...{ ignoresCase: true } });
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/A.yml`);
      desk.sync.onSaved([A, 'model/A.yml']);
      await desk.sync.flush();
      await push(desk.sync);
      return !desk.platform.files.has(A) && desk.platform.files.get('model/A.yml') === 'a';
    },
  },
  {
    rule: 'Files that look alike are read again when their folder changed',
    story: async (isBroken) => {
      if (isBroken) vi.spyOn(StatTable.prototype, 'isOlder').mockReturnValue(true);
      const desk = await agreed(undefined, { name: 'FAT', ...{ noInodes: true, stepMs: 2000 } });
      desk.disk.pass(60_000);
      await desk.sync.plan();
      desk.disk.rename(`${FOLDER}/${A}`, `${FOLDER}/model/x`);
      desk.disk.rename(`${FOLDER}/${B}`, `${FOLDER}/${A}`);
      desk.disk.rename(`${FOLDER}/model/x`, `${FOLDER}/${B}`);
      return (await desk.sync.plan()).entries.length > 0;
    },
  },
  {
    rule: 'A session heals after a failed call',
    story: async (isBroken) => {
      let hasFailed = false;
      const desk = await agreed((ports) => {
        const append = async (records: readonly JournalRecord[], durable: boolean): Promise<void> => {
          if (isBroken && hasFailed) throw new Error('The handle of the journal was lost.');
          try {
            await ports.journal.append(records, durable);
          } catch (error) {
            hasFailed = true;
            throw error;
          }
        };
        return { ...ports, journal: journalWith(ports.journal, { append }) };
      });
      desk.write(A, 'mine');
      desk.watch({ kind: 'write /home/storage/journal', occurrence: 1, code: 'EMFILE' });
      await push(desk.sync).catch(() => undefined);
      desk.calm();
      await push(desk.sync).catch(() => undefined);
      return desk.platform.files.get(A) === 'mine';
    },
  },
  {
    rule: 'A guard holds what looks like an accident',
    story: async (isBroken) => {
      const desk = await agreed(
        isBroken
          ? withFiles((files) => ({
              identity: async () => 'one',
              scan: async (request) => ({ ...(await files.scan(request)), root: 'one' }),
            }))
          : undefined,
      );
      desk.disk.rename(FOLDER, '/home/elsewhere');
      desk.disk.makeFolder(FOLDER);
      desk.write(A, 'another project');
      desk.sync.onSaved([A]);
      await desk.sync.flush();
      return desk.platform.files.get(A) === 'a';
    },
  },
  {
    rule: 'What is replaced here is in the trash',
    story: async (isBroken) => {
      const desk = await agreed();
      await inConflict(desk);
      if (isBroken) {
        const disk = new Disk(desk.disk.calls((_call, _isWrite, effect) => effect()));
        vi.spyOn(TrashStore.prototype, 'keep').mockImplementation(async (_id, from) => disk.hash(from));
      }
      await desk.sync.resolve(A, 'theirs');
      return trashHolds(desk.sync, 'mine');
    },
  },
  {
    rule: 'What is replaced on the platform is in the trash',
    story: async (isBroken) => {
      const desk = await agreed((ports) => {
        const { trash } = ports;
        const put = isBroken ? async (): Promise<string> => 'x' : trash.put.bind(trash);
        return { ...ports, trash: { put, list: () => trash.list(), read: (id) => trash.read(id) } };
      });
      await inConflict(desk);
      await desk.sync.resolve(A, 'mine');
      return desk.platform.files.get(A) === 'mine' && (await trashHolds(desk.sync, 'theirs'));
    },
  },
  {
    rule: 'A folder is known again after its disk was unplugged',
    story: async (isBroken) => {
      let mounts = 0;
      const desk = await agreed((ports) => {
        const mount = ++mounts;
        if (!isBroken) return ports;
        return withFiles((files) => ({
          identity: async () => `${mount}:${await files.identity()}`,
          scan: async (request) => {
            const listing = await files.scan(request);
            return { ...listing, root: `${mount}:${listing.root}` };
          },
        }))(ports);
      });
      await desk.sync.close();
      for (const file of [A, B, C]) desk.write(file, 'formatted');
      return (await desk.open().plan()).guards.every(({ kind }) => kind !== 'rootChanged');
    },
  },
  {
    rule: 'One window writes',
    story: async (isBroken) => {
      const desk = await agreed((ports) =>
        isBroken ? { ...ports, lock: { acquire: async () => true, release: async () => undefined } } : ports,
      );
      const second = desk.open();
      desk.write(A, 'mine');
      await push(second).catch(() => undefined);
      return desk.platform.files.get(A) === 'a';
    },
  },
  {
    rule: 'What an ignore file names stays here',
    story: async (isBroken) => {
      const desk = await agreed(
        isBroken
          ? withFiles((files) => ({
              ignoreFiles: async () => [],
              scan: (request) => files.scan({ ...request, ignoreNames: [] }),
            }))
          : undefined,
      );
      desk.write('model/.modelbenchignore', '/secret.yml\n');
      desk.write('model/secret.yml', 'secret');
      await push(desk.sync);
      return !desk.platform.files.has('model/secret.yml');
    },
  },
];
