import { type Attempt, Attempts } from './attempts.ts';
import type { BaseEntry, BaseSnapshot } from './base.ts';
import type { JournalRecord } from './journal.ts';
import type { Hash } from './hash.ts';
import type { JournalContent, SyncPorts } from './ports.ts';
import { type SyncTarget, targetKey } from './target.ts';

/** Both sides agree on `path` now; `hash` undefined: it is gone on both. */
export interface Agreement {
  readonly path: string;
  readonly hash: Hash | undefined;
  readonly size: number;
}

/** A version that is about to arrive on one side; `hash` undefined: the path is about to go there. */
export interface Intent extends Attempt {
  readonly path: string;
}

/** An upload transaction that an earlier run left open. */
export interface PendingUpload {
  readonly id: string;
  /** Names the set of files that it was started for. */
  readonly set: string;
  readonly sent: Map<string, Hash>;
  /** Not started just now: the server may have forgotten it. */
  readonly resumed: boolean;
}

/** What the base needs of the outside. */
export type StatePorts = Pick<SyncPorts, 'base' | 'journal' | 'lastBranch'> & {
  readonly files: Pick<SyncPorts['files'], 'recover'>;
};

/** Records after which the journal is folded into a new snapshot. */
const CHECKPOINT_RECORDS = 4000;

/**
 * The base in memory, and its order on disk: snapshot (atomic) + journal (append-only), which names the snapshot that it
 * extends. Losing either costs questions, never data: an older base would make a colleague's change look like one to undo.
 * Recovery observes: what an interrupted run did is found by comparing both sides again.
 */
export class SyncState {
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
  /** The journal lacks something that the base in memory has: the next note writes a whole snapshot first. */
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
   * Reads snapshot and journal, takes over what was agreed with the branch that the folder was synced with last, cleans up
   * after an unclean stop, and opens the journal for this run.
   */
  static async open(ports: StatePorts, target: SyncTarget): Promise<SyncState> {
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
    // A reader may have come between the two that a writer was just replacing.
    if (loaded.isDoubtful) loaded = await load();
    const state = new SyncState(ports, key, loaded);
    if (loaded.unclean) await ports.files.recover();
    if (loaded.dirty) await state.checkpoint();
    else await state.#openJournal();
    // Only now: until the own records have it, what is known is with the other branch.
    await ports.lastBranch?.take();
    return state;
  }

  /** `targetKey` of the target that the base belongs to. */
  get target(): string {
    return this.#target;
  }

  get entries(): ReadonlyMap<string, BaseEntry> {
    return this.#entries;
  }

  /** Counts every change of the base: a plan made at another count is discarded. */
  get generation(): number {
    return this.#snapshotGeneration * 1_000_000 + this.#changes;
  }

  /** A run ended without closing the journal, and since then not every file was seen to be sound. */
  get unclean(): boolean {
    return this.#unclean;
  }

  /** The record of the last sync was damaged, and the user has not yet seen every difference. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /** The user has seen every difference, or there is none. */
  async trustAgain(): Promise<void> {
    if (!this.#isDoubtful) return;
    this.#isDoubtful = false;
    await this.checkpoint();
  }

  /** A whole scan found no file that may be torn: the unclean stop left no trace. */
  trustFiles(): void {
    this.#unclean = false;
  }

  get root(): string | undefined {
    return this.#root;
  }

  /** Remembers which folder the base is about. */
  async adoptRoot(root: string | undefined): Promise<void> {
    if (root === undefined || root === this.#root) return;
    this.#root = root;
    await this.checkpoint();
  }

  /** What was attempted since both sides last agreed on a path, and may have happened. */
  get attempts(): ReadonlyMap<string, readonly Attempt[]> {
    return this.#attempts.byPath;
  }

  /** Of the attempts for a path, only these may still turn out to have happened. */
  keepAttempts(path: string, attempts: readonly Attempt[]): void {
    this.#attempts.set(path, attempts);
  }

  /** Notes what is about to happen; on disk for good before this resolves. */
  async intend(intents: readonly Intent[]): Promise<void> {
    await this.#append(intents.map(recordOf), true);
    for (const { path, ...attempt } of intents) this.#attempts.add(path, attempt);
  }

  /** The same for an upload transaction. */
  async intendUpload(id: string, set: string): Promise<void> {
    await this.#append([{ type: 'upload', id, set, path: undefined, hash: undefined }], true);
  }

  /** Notes without waiting for the disk. */
  async note(records: readonly JournalRecord[]): Promise<void> {
    if (records.length === 0) return;
    await this.#append(records, false);
  }

  /** Advances the base. The caller has made sure that both sides hold these versions for good. */
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

  /** Marks a clean stop; an undecided torn file keeps it unclean for the next run. */
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
      records.push(...attempts.map((attempt) => recordOf({ path, ...attempt })));
    }
    this.#records = records.length;
    this.#isBehind = true;
    await this.#ports.journal.reset(records);
    this.#isBehind = false;
  }

  async #append(records: readonly JournalRecord[], durable: boolean): Promise<void> {
    // What an earlier failure kept out of the journal is in the snapshot.
    if (this.#isBehind) await this.checkpoint();
    this.#records += records.length;
    this.#isBehind = true;
    await this.#ports.journal.append(records, durable);
    this.#isBehind = false;
  }
}

/** Of a hundred thousand agreements, each is the entry of the base as it is. */
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
  /** The journal holds what the snapshot does not. */
  readonly dirty: boolean;
  readonly pendingUpload: PendingUpload | undefined;
}

type LoadedBase = Awaited<ReturnType<StatePorts['base']['load']>>;

/** Snapshot plus the journal that extends it. A damaged or foreign snapshot is not an agreement at all. */
function fold(snapshot: LoadedBase, journal: JournalContent, target: string, boot: string): Loaded {
  const isForeign = typeof snapshot === 'object' && snapshot.target !== target;
  const usable = typeof snapshot === 'object' && !isForeign ? snapshot : emptySnapshot(target);
  const { records } = journal;
  const last = records.at(-1);
  const unclean = !journal.missing && !(last?.type === 'close' && last.boot === boot);
  const [first] = records;
  const noted = first?.type === 'open' ? first.generation : 0;
  // Never continue from a lower number: a journal of the lost generation must not fit by chance.
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
  // Stopped between a new snapshot and its journal: the snapshot holds everything.
  if (noted < usable.generation) {
    const { attempts } = replay(new Map(), records);
    return { ...folded, entries, attempts, dirty: false, pendingUpload: undefined };
  }
  return { ...folded, ...replay(entries, records) };
}

/**
 * What is known about a folder that was synced with another branch last: what was agreed there, because that says which files
 * the user has changed since. What an earlier sync with this branch agreed on says nothing about the present files.
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

/** Whether snapshot and journal are not the two that were written one after the other. */
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
