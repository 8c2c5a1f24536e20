import { PlatformError } from '#api/errors.ts';
import type { BaseSnapshot } from '#sync/core/base.ts';
import type { JournalRecord } from '#sync/core/record/journal.ts';
import {
  FileProblem,
  type FileStore,
  type LocalFile,
  type LocalState,
  type RemoteFile,
  type RemoteWriter,
  type ReplaceResult,
  type StoredSave,
  type SyncPorts,
  type WriteReply,
} from '#sync/core/ports.ts';
import type { DevBranch } from '#sync/core/target.ts';
import { bytesOf, hashOfVersion, sizeOfVersion, type Version, versionOfBytes, versionOfHash } from './versions.ts';
import type { Damage } from './world-events.ts';
import { DiskFull, obstacles, StateError, type World } from './world.ts';

/** The engine's own records, which survive a crash. */
export class MemoryNotes {
  base: BaseSnapshot | 'damaged' | undefined;
  readonly #bases: BaseSnapshot[] = [];
  isJournalDamaged = false;
  #unreadable: Damage | undefined;
  journal: JournalRecord[] = [];
  outbox: readonly StoredSave[] = [];
  /** The number of records that a power loss would preserve. */
  durableRecords = 0;
  seals = 0;
  readonly blobs = new Map<string, Uint8Array>();
  readonly notText = new Set<string>();
  readonly transactions = new Map<string, Map<string, Version>>();
  nextTransaction = 1;

  /** Stores a new snapshot in place of the last one. */
  keepBase(snapshot: BaseSnapshot): string {
    const seal = String(++this.seals);
    this.base = { ...snapshot, seal, entries: new Map(snapshot.entries) };
    this.#bases.push(this.base);
    return seal;
  }

  damage(what: Damage): void {
    switch (what) {
      case 'olderBase':
        this.base = this.#bases.at(-2) ?? this.base;
        break;
      case 'lostBase':
        this.base = undefined;
        break;
      case 'badBase':
        this.base = 'damaged';
        break;
      case 'baseError':
      case 'journalError':
        this.#unreadable = what;
        break;
      case 'lostJournal':
        this.journal = [];
        this.durableRecords = 0;
        break;
      default:
        this.isJournalDamaged = true;
    }
  }

  /** Throws if this record cannot be read at the moment. */
  requireReadable(what: 'baseError' | 'journalError'): void {
    if (this.#unreadable !== what) return;
    this.#unreadable = undefined;
    throw new StateError('other', 'A record could not be read.');
  }

  losePower(): void {
    this.journal.length = Math.min(this.journal.length, this.durableRecords);
  }
}

/** Behaviour of the simulated platform. */
export interface RemoteRules {
  /** Responds with 412 if an expected hash does not match. */
  readonly honours: boolean;
  /** Colleagues pause during a write without a condition: the documented window of one round trip. */
  readonly quietWrites: boolean;
}

/** Returns the ports of one life of the engine in a simulated world. */
export function memoryPorts(
  world: World,
  notes: MemoryNotes,
  rules: RemoteRules,
): SyncPorts & { remote: RemoteWriter } {
  const { life } = world;
  let time = 0;
  return {
    files: memoryFiles(world, life),
    remote: memoryRemote(world, notes, rules, life),
    base: {
      load: async () =>
        world.step(life, 'state', 'base.load', () => {
          if (!world.calm) notes.requireReadable('baseError');
          return notes.base;
        }),
      save: async (snapshot) => world.step(life, 'state', 'base.save', () => notes.keepBase(snapshot)),
    },
    journal: {
      boot: String(world.boots),
      close: async () => undefined,
      load: async () =>
        world.step(life, 'state', 'journal.load', () => {
          if (!world.calm) notes.requireReadable('journalError');
          const damaged = notes.isJournalDamaged;
          return { records: damaged ? [] : [...notes.journal], damaged, missing: notes.journal.length === 0 };
        }),
      append: async (records, durable) =>
        world.step(life, 'state', 'journal.append', () => {
          notes.journal.push(...records);
          if (durable) notes.durableRecords = notes.journal.length;
        }),
      reset: async (records) =>
        world.step(life, 'state', 'journal.reset', () => {
          notes.journal = [...records];
          notes.isJournalDamaged = false;
          notes.durableRecords = records.length;
        }),
    },
    outbox: {
      load: async () => world.step(life, 'state', 'outbox.load', () => notes.outbox),
      save: async (saves) =>
        world.step(life, 'state', 'outbox.save', () => {
          notes.outbox = saves;
        }),
    },
    blobs: {
      get: async (hash) => notes.blobs.get(hash),
      put: async (hash, bytes) => {
        notes.blobs.set(hash, bytes);
      },
      notText: async () => notes.notText,
      noteNotText: async (hashes) => {
        for (const hash of hashes) notes.notText.add(hash);
      },
    },
    history: { list: async () => [], append: async () => undefined },
    trash: {
      // No version may depend on this copy, so it does not count as stored.
      put: async (path) => world.step(life, 'state', `trash.put ${path}`, () => path),
      list: async () =>
        world.trash.map(({ path, version }, time) => ({
          id: String(time),
          path,
          time,
          size: sizeOfVersion(version),
          cause: 'pull',
          deleted: false,
        })),
      read: async (id) => {
        const kept = world.trash[Number(id)];
        return kept && bytesOf(kept.version);
      },
    },
    lock: { acquire: async () => true, isHeld: async () => true, release: async () => undefined },
    hasher: { hash: (bytes) => hashOfVersion(versionOfBytes(bytes)) },
    clock: { now: () => (time += 0.01), sleep: async () => undefined },
    editors: { dirty: () => new Set(world.dirty.keys()) },
  };
}

function memoryFiles(world: World, life: number): FileStore {
  const state = (path: string): LocalState => {
    const version = world.local.get(path);
    if (version === undefined) return { kind: 'absent' };
    return { kind: 'file', hash: hashOfVersion(version), size: sizeOfVersion(version) };
  };
  const hashNow = (path: string): string | undefined => {
    const version = world.local.get(path);
    return version === undefined ? undefined : hashOfVersion(version);
  };
  const changed = (path: string): ReplaceResult => ({ kind: 'changed', now: state(path) });
  const done: ReplaceResult = { kind: 'done', backup: undefined };
  const keep = (path: string): void => {
    const version = world.local.get(path);
    if (version !== undefined) world.trash.push({ path, version });
  };
  const on = <T>(what: string, effect: () => T): T => world.step(life, 'files', what, effect);
  return {
    identity: async () => '1:1',
    scan: async ({ ignores }) =>
      on('scan', () => {
        const files = new Map<string, LocalFile>();
        for (const [path, version] of world.local) {
          if (ignores(path, false)) continue;
          files.set(path, { hash: hashOfVersion(version), size: sizeOfVersion(version) });
        }
        if (!world.isUnreadable || world.calm) return { files, frozen: new Map(), complete: true, root: '1:1' };
        world.isUnreadable = false;
        for (const path of files.keys()) if (path.startsWith('m/c/')) files.delete(path);
        return { files, frozen: new Map([['m/c', 'unreadable']]), complete: false, root: '1:1' };
      }),
    stateOf: async (path) => on(`look ${path}`, () => state(path)),
    read: async (path) =>
      on(`read ${path}`, () => {
        const version = world.local.get(path);
        return version === undefined ? undefined : { bytes: bytesOf(version), hash: hashOfVersion(version) };
      }),
    ignoreFiles: async () =>
      world.ignored === undefined ? [] : [{ folder: '', name: '.modelbenchignore', text: `/${world.ignored}` }],
    stage: async (path, _bytes, hash) => {
      try {
        return world.step(life, 'stage', `stage ${path} ${hash}`, () => ({ path, hash, temporary: '' }));
      } catch (error) {
        throw error instanceof DiskFull ? new FileProblem('full', 'The disk is full.') : error;
      }
    },
    replace: async (staged, expected) =>
      world.step(life, 'effect', `replace ${staged.path} ${expected} by ${staged.hash}`, () => {
        if (hashNow(staged.path) !== expected) return changed(staged.path);
        if (obstacles(world.local, staged.path).length > 0)
          throw new FileProblem('blocked', 'Something is in the way.');
        keep(staged.path);
        world.local.set(staged.path, versionOfHash(staged.hash));
        return done;
      }),
    discard: async () => undefined,
    remove: async (path, expected) =>
      world.step(life, 'effect', `remove ${path}`, () => {
        if (hashNow(path) !== expected) return changed(path);
        keep(path);
        world.local.delete(path);
        return done;
      }),
    keepCopy: () => Promise.resolve(undefined),
    rename: async (from, to, expected) =>
      world.step(life, 'effect', `rename ${from} → ${to}`, () => {
        const version = world.local.get(from);
        if (version === undefined || hashNow(from) !== expected || world.local.has(to)) return changed(from);
        world.local.delete(from);
        world.local.set(to, version);
        return done;
      }),
    sync: async (paths) =>
      on('sync', () => {
        for (const path of paths) {
          const version = world.local.get(path);
          if (version === undefined) world.durable.delete(path);
          else world.durable.set(path, version);
        }
      }),
    recover: async () => undefined,
  };
}

function memoryRemote(world: World, notes: MemoryNotes, rules: RemoteRules, life: number): RemoteWriter {
  const on = <T>(what: string, effect: () => T): T => world.step(life, 'remote', what, effect);
  const hashNow = (path: string): string | undefined => {
    const version = world.remote.get(path);
    return version === undefined ? undefined : hashOfVersion(version);
  };
  const fits = (path: string, expected: string | undefined): boolean =>
    obstacles(world.remote, path).length === 0 && (!rules.honours || hashNow(path) === expected);
  const changed: WriteReply = { kind: 'changed' };
  const done: WriteReply = { kind: 'done' };
  const write = (what: string, effect: () => WriteReply): WriteReply => {
    world.quietRemote = rules.quietWrites;
    try {
      return on(what, () => world.untrue.written(done, effect));
    } finally {
      world.quietRemote = false;
    }
  };
  const known = (id: string): Map<string, Version> => {
    const found = notes.transactions.get(id);
    if (found) return found;
    const message = 'The upload transaction is finished or forgotten.';
    throw new PlatformError({ kind: 'notFound', operation: 'simulated', message, retryable: false });
  };
  const transaction = (id: string): ReturnType<RemoteWriter['resumeUpload']> => ({
    id,
    upload: async (path, bytes) =>
      on(`upload ${path} ${versionOfBytes(bytes)}`, () => {
        known(id).set(path, versionOfBytes(bytes));
      }),
    finish: async () => {
      // A finish has no condition: the engine checks right before it, and colleagues pause for that round trip.
      world.quietRemote = true;
      try {
        const end = (): WriteReply => {
          const sent = [...known(id).keys()];
          if (sent.some((path) => obstacles(world.remote, path).length > 0)) return changed;
          for (const [path, version] of known(id)) world.remote.set(path, version);
          notes.transactions.delete(id);
          return done;
        };
        return on('finish', () => world.untrue.written(done, end));
      } finally {
        world.quietRemote = false;
      }
    },
  });
  return {
    branch: 'dev-sim' as DevBranch,
    transactionOnly: false,
    honoursPreconditions: rules.honours,
    canPut: () => true,
    list: async () =>
      on('list', () => {
        const files = new Map<string, RemoteFile>();
        for (const [path, version] of world.untrue.listed()) files.set(path, { hash: hashOfVersion(version) });
        const complete = !world.isListCut || world.calm;
        world.isListCut = false;
        const kept = complete ? files : new Map([...files].slice(0, files.size >> 1));
        return { files: kept, frozen: new Map(), others: new Map(), complete };
      }),
    read: async function* (paths) {
      const found = on('read remote', () =>
        [...paths].flatMap((path) => {
          const version = world.remote.get(path);
          return version === undefined ? [] : [{ path, bytes: bytesOf(version) }];
        }),
      );
      yield* found;
    },
    put: async (files) =>
      write(`put ${files.map(({ path, hash }) => `${path} ${hash}`).join(', ')}`, () => {
        if (!files.every(({ path, expected }) => fits(path, expected))) return changed;
        for (const { path, hash } of files) world.remote.set(path, versionOfHash(hash));
        return done;
      }),
    remove: async (files) =>
      write('remove remote', () => {
        if (!files.every(({ path, expected }) => fits(path, expected))) return changed;
        for (const { path } of files) world.remote.delete(path);
        return done;
      }),
    rename: async (files) =>
      write('rename remote', () => {
        if (!files.every(({ from, to, expected }) => fits(from, expected) && fits(to, undefined))) return changed;
        for (const { from, to } of files) {
          const version = world.remote.get(from);
          if (version === undefined) continue;
          world.remote.delete(from);
          world.remote.set(to, version);
        }
        return done;
      }),
    startUpload: async () =>
      on('start upload', () => {
        const id = `t${notes.nextTransaction++}`;
        notes.transactions.set(id, new Map());
        return transaction(id);
      }),
    resumeUpload: (id) => transaction(id),
  };
}
