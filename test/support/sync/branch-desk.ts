import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { Disk } from '#sync/disk/disk.ts';
import { createNodePorts, type NodePorts } from '#sync/disk/sync-ports.ts';
import { createFolderSync } from '#sync/core/create-folder-sync.ts';
import type { FolderSync } from '#sync/core/folder-sync.ts';
import { createPlatformWriter } from '#sync/core/remote/platform-remote.ts';
import { devBranch } from '#sync/core/target.ts';
import { patientClient } from '../api/patient-client.ts';
import { InlineScanner } from './inline-scanner.ts';
import { problem, SimulatedDisk } from './simulated-disk.ts';
import { FOLDER, STORAGE } from './simulated-ports.ts';
import { TinyPlatform } from './tiny-platform.ts';

/** A folder on a simulated disk that is synced with one branch after another. */
export interface BranchDesk {
  /** The session with the current branch. */
  readonly sync: FolderSync;
  readonly disk: SimulatedDisk;
  branch(name: string): TinyPlatform;
  /** Closes the current session, and opens one with another branch. */
  switchTo(name: string): Promise<void>;
  /** Opens a session with another branch without closing the current one. */
  crash(name: string): Promise<void>;
  /** Makes the next call fail that changes a file with this text in its name. */
  failNext(name: string): void;
  /** Changes the content of the engine's own files whose paths match. */
  damage(file: RegExp): void;
  /** Removes the engine's own files whose paths match. */
  forget(file: RegExp): void;
  write(file: string, text: string): void;
  remove(file: string): void;
  /** Returns the user's files by path. */
  files(): Record<string, string>;
  /** Resolves to the content of the trash. */
  trashed(): Promise<readonly string[]>;
}

/** Opens a desk with an empty folder, linked to the first of these branches. */
export async function openBranchDesk(
  branches: Readonly<Record<string, Readonly<Record<string, string>>>>,
): Promise<BranchDesk> {
  // Starts today: the engine removes unfinished files that seem old.
  const disk = new SimulatedDisk({ name: 'an ordinary disk' }, Date.now());
  disk.makeFolder(FOLDER);
  const platforms = new Map(
    Object.entries(branches).map(([name, files]) => [name, new TinyPlatform(files, { honours: true })]),
  );
  let failing: string | undefined;
  const calls = disk.calls((call, isWrite, effect) => {
    if (!isWrite || failing === undefined || !call.includes(failing)) return effect();
    failing = undefined;
    throw problem('EIO', call);
  });
  let time = 0;
  let present: { readonly sync: FolderSync; readonly ports: NodePorts } | undefined;
  const branch = (name: string): TinyPlatform => {
    const found = platforms.get(name);
    if (!found) throw new Error(`there is no branch ${name}`);
    return found;
  };
  const open = async (name: string): Promise<void> => {
    const target = devBranch(name);
    if (!target.ok) throw new Error(target.error);
    const ports = await createNodePorts({
      folder: FOLDER,
      remoteFolder: '',
      storage: STORAGE,
      branch: name,
      worker: '',
      logger: silentLogger,
      disk: new Disk(calls),
      scanner: new InlineScanner(FOLDER, '', calls),
    });
    const client = patientClient({
      baseUrl: 'http://127.0.0.1',
      credential: () => ({ kind: 'bearer', token: 'key', origin: originOf('http://127.0.0.1') }),
      logger: silentLogger,
      fetch: async (input, init) => branch(name).answer(new Request(input, init)),
      limits: { attempts: 1 },
    });
    const sync = createFolderSync({
      ports: {
        ...ports,
        remote: createPlatformWriter({ client, deployment: 1, branch: target.value }),
        clock: { now: () => (time += 1), sleep: async (_ms, signal) => signal?.throwIfAborted() },
        editors: { dirty: () => new Set() },
      },
      target: { account: 'demo', deployment: '1', branch: target.value },
      logger: silentLogger,
    });
    present = { sync, ports };
  };
  const session = (): FolderSync => {
    if (!present) throw new Error('no session is open');
    return present.sync;
  };
  await open(Object.keys(branches)[0] ?? '');
  return {
    get sync() {
      return session();
    },
    disk,
    branch,
    switchTo: async (name) => {
      await session().close();
      present?.ports.dispose();
      await open(name);
    },
    crash: async (name) => {
      present?.ports.dispose();
      for (const file of disk.files(STORAGE).keys()) if (file.endsWith('/lock')) disk.remove(file);
      await open(name);
    },
    failNext: (name) => {
      failing = name;
    },
    damage: (file) => {
      for (const name of disk.files(STORAGE).keys()) if (file.test(name)) disk.write(name, Buffer.from('damaged'));
    },
    forget: (file) => {
      for (const name of disk.files(STORAGE).keys()) if (file.test(name)) disk.remove(name);
    },
    write: (file, text) => disk.write(`${FOLDER}/${file}`, Buffer.from(text)),
    remove: (file) => disk.remove(`${FOLDER}/${file}`),
    files: () =>
      Object.fromEntries(
        [...disk.files(FOLDER)].map(([name, bytes]) => [name.slice(FOLDER.length + 1), String(bytes)]),
      ),
    trashed: async () => {
      const kept = await Promise.all((await session().trashed()).map(({ id }) => session().trashedContent(id)));
      return kept.flatMap((bytes) => (bytes === undefined ? [] : [Buffer.from(bytes).toString()]));
    },
  };
}
