import { append } from '#base/long-lists.ts';
import { type Attempt, Attempts } from './attempts.ts';
import type { BaseEntry, BaseSnapshot } from '#sync/core/base.ts';
import type { JournalRecord } from './journal.ts';
import type { Hash } from '#sync/core/hash.ts';
import { unlessOthersTurn } from '#sync/core/in-folder-turn.ts';
import type { JournalContent, SyncPorts } from '#sync/core/ports.ts';
import { type SyncTarget, targetKey } from '#sync/core/target.ts';

/** Both sides now agree on `path`; `hash` undefined: it is gone on both. */
export interface Agreement {
  readonly path: string;
  readonly hash: Hash | undefined;
  readonly size: number;
}

/** A version that is about to arrive on one side; `hash` undefined: the path is about to be deleted there. */
export interface Intent extends Attempt {
  readonly path: string;
}

/** An open upload transaction: of this run, or one that an earlier run left open. */
export interface PendingUpload {
  readonly id: string;
  /** Identifies the set of files that it was started for. */
  readonly set: string;
  readonly sent: Map<string, Hash>;
  /** Whether an earlier run started it: the server may have forgotten it. */
  readonly resumed: boolean;
}

/** The ports that the base needs. */
export type StatePorts = Pick<SyncPorts, 'base' | 'journal' | 'lastBranch' | 'turn'> & {
  readonly files: Pick<SyncPorts['files'], 'recover'>;
};

/** The number of records after which the journal is folded into a new snapshot. */
const CHECKPOINT_RECORDS = 4000;

/**
 * The base in memory, stored as a snapshot (atomic) + a journal (append-only) that names the snapshot it extends.
 * Losing either costs questions, never data: an older base would make a colleague's change look like one to undo.
 * Recovery observes: it finds out what an interrupted run did by comparing both sides again.
 */
export class SyncRecord {
  readonly #ports: StatePorts;
  readonly #target: string;
  readonly #entries: Map<string, BaseEntry>;
  readonly #attempts: Attempts;
  #snapshotGeneration: number;
  #records = 0;
  #changes = 0;
  #root: string | undefined;
  #unclean: boolean;
  #isDoubtful: boolean;
  #seal: string | undefined;
  /** The journal lacks something that the base in memory has: the next write saves a whole snapshot first. */
  #isBehind = false;
  pendingUpload: PendingUpload | undefined;

  private constructor(ports: StatePorts, target: string, loaded: Loaded) {
    this.#ports = ports;
    this.#target = target;
    this.#entries = loaded.entries;
    this.#attempts = loaded.attempts;
    this.#snapshotGeneration = loaded.generation;
    this.#root = loaded.root;
    this.#unclean = loaded.unclean;
    this.#isDoubtful = loaded.isDoubtful;
    this.#seal = loaded.seal;
    this.pendingUpload = loaded.pendingUpload;
  }

  /**
   * Reads snapshot and journal, takes over the state agreed with the branch that the folder was last synced with,
   * cleans up after an unclean stop, and opens the journal for this run.
   */
  static async open(ports: StatePorts, target: SyncTarget): Promise<SyncRecord> {
    const key = targetKey(target);
    const { boot } = ports.journal;
    const load = async (): Promise<Loaded> => {
      const own = fold(await ports.base.load(), await ports.journal.load(), key, boot);
      const elsewhere = await ports.lastBranch?.load();
      if (!elsewhere) return own;
      const { branch, base, journal } = elsewhere;
      return takenOver(own, fold(base, journal, targetKey({ ...target, branch }), boot));
    };
    let loaded = await load();
    // A reader may have loaded one file before and one after a writer replaced them.
    if (loaded.isDoubtful) loaded = await load();
    const state = new SyncRecord(ports, key, loaded);
    if (loaded.unclean) await unlessOthersTurn(ports, async () => ports.files.recover());
    if (loaded.dirty) await state.checkpoint();
    else await state.#openJournal();
    // Not earlier: until this branch's own files contain the agreed state, only the other branch's do.
    await ports.lastBranch?.take();
    return state;
  }

  /** The `targetKey` of the target that the base belongs to. */
  get target(): string {
    return this.#target;
  }

  get entries(): ReadonlyMap<string, BaseEntry> {
    return this.#entries;
  }

  /** Changes with every change of the base: a plan made for another value is discarded. */
  get generation(): number {
    return this.#snapshotGeneration * 1_000_000 + this.#changes;
  }

  /** Whether a run ended without closing the journal, and not every file has been found sound since. */
  get unclean(): boolean {
    return this.#unclean;
  }

  /** Whether the record of the last sync was damaged and the user has not yet seen every difference. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** Trusts the base again after the user has seen every difference, or when there is none. */
  async trustAgain(): Promise<void> {
    if (!this.#isDoubtful) return;
    this.#isDoubtful = false;
    await this.checkpoint();
  }

  /** Clears the unclean stop after a complete scan that found no file that may be torn. */
  trustFiles(): void {
    this.#unclean = false;
  }

  get root(): string | undefined {
    return this.#root;
  }

  /** Records the folder that the base describes. */
  async adoptRoot(root: string | undefined): Promise<void> {
    if (root === undefined || root === this.#root) return;
    this.#root = root;
    await this.checkpoint();
  }

  /** The attempts since both sides last agreed on a path, which may have happened. */
  get attempts(): ReadonlyMap<string, readonly Attempt[]> {
    return this.#attempts.byPath;
  }

  /** Keeps only those attempts for a path that may still turn out to have happened. */
  keepAttempts(path: string, attempts: readonly Attempt[]): void {
    this.#attempts.set(path, attempts);
  }

  /** Records what is about to happen; durable when this resolves. */
  async intend(intents: readonly Intent[]): Promise<void> {
    await this.#append(intents.map(recordOf), true);
    for (const { path, ...attempt } of intents) this.#attempts.add(path, attempt);
  }

  /** Like `intend`, for an upload transaction. */
  async intendUpload(id: string, set: string): Promise<void> {
    await this.#append([{ type: 'upload', id, set, path: undefined, hash: undefined }], true);
  }

  /** Appends records without waiting for the disk. */
  async note(records: readonly JournalRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#append(records, false);
  }

  /** Advances the base. The caller has made sure that these versions are durable on both sides. */
  async commit(agreements: readonly Agreement[]): Promise<void> {
    if (agreements.length === 0) return;
    for (const agreement of agreements) {
      if (isPresent(agreement)) this.#entries.set(agreement.path, agreement);
      else this.#entries.delete(agreement.path);
    }
    this.#attempts.forget(agreements);
    this.#changes += 1;
    if (agreements.length + this.#records > CHECKPOINT_RECORDS) {
      await this.checkpoint();
      return;
    }
    await this.#append(
      agreements.map((agreement) => ({ type: 'done', ...agreement })),
      false,
    );
  }

  /** Writes everything into a new snapshot and starts an empty journal. */
  async checkpoint(): Promise<void> {
    this.#isBehind = true;
    const generation = this.#snapshotGeneration + 1;
    this.#seal = await this.#ports.base.save({
      target: this.#target,
      generation,
      root: this.#root,
      isDoubtful: this.#isDoubtful,
      entries: this.#entries,
    });
    this.#snapshotGeneration = generation;
    await this.#openJournal();
  }

  /** Marks a clean stop; an unresolved torn file keeps it unclean for the next run. */
  async close(): Promise<void> {
    await this.#append(this.#unclean ? [] : [{ type: 'close', boot: this.#ports.journal.boot }], true);
  }

  async #openJournal(): Promise<void> {
    const records: JournalRecord[] = [
      { type: 'open', target: this.#target, generation: this.#snapshotGeneration, seal: this.#seal },
    ];
    const pending = this.pendingUpload;
    if (pending) {
      const { id, set } = pending;
      records.push({ type: 'upload', id, set, path: undefined, hash: undefined });
      for (const [path, hash] of pending.sent) records.push({ type: 'upload', id, set, path, hash });
    }
    for (const [path, attempts] of this.attempts) {
      append(
        records,
        attempts.map((attempt) => recordOf({ path, ...attempt })),
      );
    }
    this.#records = records.length;
    this.#isBehind = true;
    await this.#ports.journal.reset(records);
    this.#isBehind = false;
  }

  async #append(records: readonly JournalRecord[], durable: boolean): Promise<void> {
    // After an earlier failure, only a snapshot can save what the journal lacks.
    if (this.#isBehind) await this.checkpoint();
    this.#records += records.length;
    this.#isBehind = true;
    await this.#ports.journal.append(records, durable);
    this.#isBehind = false;
  }
}

/** Checks that the path exists. The base reuses the agreement as its entry, because there may be a hundred thousand of them. */
function isPresent(agreement: Agreement): agreement is BaseEntry {
  return agreement.hash !== undefined;
}

interface Loaded {
  readonly entries: Map<string, BaseEntry>;
  readonly attempts: Attempts;
  readonly generation: number;
  readonly root: string | undefined;
  readonly seal: string | undefined;
  readonly unclean: boolean;
  readonly isDoubtful: boolean;
  /** Whether the journal contains something that the snapshot does not. */
  readonly dirty: boolean;
  readonly pendingUpload: PendingUpload | undefined;
}

type LoadedBase = Awaited<ReturnType<StatePorts['base']['load']>>;

/** Combines the snapshot with the journal that extends it. A damaged or foreign snapshot is not an agreement at all. */
function fold(snapshot: LoadedBase, journal: JournalContent, target: string, boot: string): Loaded {
  const isForeign = typeof snapshot === 'object' && snapshot.target !== target;
  const usable = typeof snapshot === 'object' && !isForeign ? snapshot : emptySnapshot(target);
  const { records } = journal;
  const last = records.at(-1);
  const unclean = !journal.missing && !(last?.type === 'close' && last.boot === boot);
  const [first] = records;
  const noted = first?.type === 'open' ? first.generation : 0;
  // Never continue from a lower number: a journal of the lost generation must not match by chance.
  const generation = Math.max(usable.generation, noted);
  const nothing = {
    entries: new Map<string, BaseEntry>(),
    attempts: new Attempts(),
    pendingUpload: undefined,
    seal: undefined,
  };
  if (isForeign) return { ...nothing, generation, root: undefined, unclean, isDoubtful: false, dirty: true };
  if (isBroken(snapshot, journal, target)) {
    return { ...nothing, generation, root: usable.root, unclean: true, isDoubtful: true, dirty: true };
  }
  const { root, seal, isDoubtful = false } = usable;
  const entries = new Map(usable.entries);
  const folded = { generation, root, seal, unclean, isDoubtful };
  // The run stopped between a new snapshot and its journal: the snapshot contains everything.
  if (noted < usable.generation) {
    const { attempts } = replay(new Map(), records);
    return { ...folded, entries, attempts, dirty: false, pendingUpload: undefined };
  }
  return { ...folded, ...replay(entries, records) };
}

/**
 * Returns the state of a folder that was last synced with another branch: the versions agreed there, which show which
 * files the user has changed since. Those of an earlier sync with this branch do not apply to the current files.
 */
function takenOver({ generation, unclean }: Loaded, last: Loaded): Loaded {
  return {
    entries: last.entries,
    attempts: new Attempts(),
    generation,
    root: last.root,
    seal: undefined,
    unclean: unclean || last.unclean,
    isDoubtful: last.isDoubtful,
    dirty: true,
    pendingUpload: undefined,
  };
}

/** Checks whether snapshot and journal do not belong together. */
function isBroken(snapshot: LoadedBase, journal: JournalContent, target: string): boolean {
  if (snapshot === 'damaged' || journal.damaged) return true;
  if (journal.missing) return snapshot !== undefined;
  const [first] = journal.records;
  if (first?.type !== 'open' || first.target !== target) return true;
  const generation = snapshot?.generation ?? 0;
  return first.generation > generation || (first.generation === generation && first.seal !== snapshot?.seal);
}

function emptySnapshot(target: string): BaseSnapshot {
  return { target, generation: 0, root: undefined, entries: new Map() };
}

function replay(
  entries: Map<string, BaseEntry>,
  journal: readonly JournalRecord[],
): Pick<Loaded, 'entries' | 'attempts' | 'dirty' | 'pendingUpload'> {
  const attempts = new Attempts();
  let dirty = false;
  let pendingUpload: PendingUpload | undefined;
  for (const record of journal) {
    if (record.type === 'done') {
      dirty = true;
      if (record.hash === undefined) entries.delete(record.path);
      else entries.set(record.path, { path: record.path, hash: record.hash, size: record.size });
      attempts.set(record.path, []);
    } else if (record.type === 'intent') {
      const { side, path, hash, size = 0, time = 0 } = record;
      if (side) attempts.add(path, { side, hash, size, time });
    } else if (record.type === 'upload') {
      if (pendingUpload?.id !== record.id) {
        pendingUpload = { id: record.id, set: record.set, sent: new Map(), resumed: true };
      }
      if (record.path !== undefined && record.hash !== undefined) pendingUpload.sent.set(record.path, record.hash);
    } else if (record.type === 'uploadEnd') pendingUpload = undefined;
  }
  return { entries, attempts, dirty, pendingUpload };
}

function recordOf({ path, side, hash, size, time }: Intent): JournalRecord {
  return { type: 'intent', side, path, hash, size, time };
}
