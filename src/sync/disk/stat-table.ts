import type { BigIntStats } from 'node:fs';
import { FolderMemory } from './folder-memory.ts';

/** Time stamps that were younger than this when a file was hashed prove nothing: FAT counts in steps of two seconds. */
const GRANULARITY_NS = 2_000_000_000n;
/** Disks that count fractions of a second do so in steps of at most this. */
const FINE_STEP_NS = 10_000_000n;
const SECOND_NS = 1_000_000_000n;
const GROWTH = 1.5;

/** Checks whether the disk counts time in seconds or has no inodes, as with FAT: two files may then seem equal. */
export function isCoarse({ ino, mtimeNs, ctimeNs }: BigIntStats): boolean {
  return ino === 0n || (mtimeNs % SECOND_NS === 0n && ctimeNs % SECOND_NS === 0n);
}

/**
 * The state of each file when it was last hashed, in typed arrays (about 80 bytes per file besides its name). It only
 * saves time: a file that does not match exactly, or was hashed too soon after a change (Git's racy rule), is hashed
 * again.
 */
export class StatTable {
  /** Refers to rows by number, so it forgets everything when one is swept. */
  readonly folders = new FolderMemory();
  /** When every file was last hashed, in ms since the epoch; a new table counts as fully hashed. */
  verifiedAt = Date.now();
  readonly #index = new Map<string, number>();
  readonly #free: number[] = [];
  #capacity = 0;
  #mtime = new BigInt64Array(0);
  #ctime = new BigInt64Array(0);
  #ino = new BigUint64Array(0);
  #size = new Float64Array(0);
  #mode = new Uint32Array(0);
  #hashedAt = new BigInt64Array(0);
  #hash = Buffer.alloc(0);
  #seen = new Uint32Array(0);
  #reported = new Uint8Array(0);
  /** The current round, and the number of rows that were seen in it. */
  #round = 0;
  #seenCount = 0;

  /** The latest time at which a file was hashed. */
  #latestNs = 0n;

  get count(): number {
    return this.#index.size;
  }

  /** Returns the number of a path in the table, -1 when it is not there. A number is valid until the path is swept. */
  find(path: string): number {
    return this.#index.get(path) ?? -1;
  }

  /** Whether the file certainly still has the recorded content. */
  vouches(at: number, stat: BigIntStats): boolean {
    const hashedAt = this.#hashedAt[at] ?? 0n;
    const same =
      this.#mtime[at] === stat.mtimeNs &&
      this.#ctime[at] === stat.ctimeNs &&
      this.#ino[at] === BigInt.asUintN(64, stat.ino) &&
      this.#size[at] === Number(stat.size) &&
      this.#mode[at] === Number(stat.mode);
    return same && stat.mtimeNs + GRANULARITY_NS < hashedAt && stat.ctimeNs + GRANULARITY_NS < hashedAt;
  }

  /**
   * Whether files were hashed later than now, in ms since the epoch: the clock was set back, so that a new version may get
   * the time stamp of an old one. Returns true only once.
   */
  forgetsFuture(now: number): boolean {
    const isAhead = this.#latestNs > BigInt(now) * 1_000_000n;
    if (isAhead) this.#latestNs = 0n;
    return isAhead;
  }

  /**
   * Whether a folder last changed well before this file was hashed. Where time stamps count in seconds and files have
   * no inodes, a file of the same size and second may have taken its name since, which only the folder shows.
   */
  isOlder(folder: BigIntStats, at: number): boolean {
    return folder.mtimeNs + GRANULARITY_NS < (this.#hashedAt[at] ?? 0n);
  }

  /**
   * Whether a file is shorter than recorded although its time stamp is the same: a write that a crash tore. Only a file
   * that was hashed after the step of its time stamp had ended can prove this: within one step, which is two seconds on
   * FAT, the user may save a shorter version.
   */
  isTorn(at: number, stat: BigIntStats): boolean {
    if (at === -1 || this.#mtime[at] !== stat.mtimeNs) return false;
    const stepNs = isCoarse(stat) ? GRANULARITY_NS : FINE_STEP_NS;
    return stat.mtimeNs + stepNs < (this.#hashedAt[at] ?? 0n) && Number(stat.size) < (this.#size[at] ?? 0);
  }

  /** Records a file that was just hashed, and returns its number. `known`: the number that `find` returned. */
  record(known: number, path: string, stat: BigIntStats, hash: string, hashedAtNs: bigint): number {
    const at = known === -1 ? this.#allot(path) : known;
    if (known === -1 || this.hashAt(at) !== hash) this.#reported[at] = 0;
    this.#mtime[at] = stat.mtimeNs;
    this.#ctime[at] = stat.ctimeNs;
    this.#ino[at] = BigInt.asUintN(64, stat.ino);
    this.#size[at] = Number(stat.size);
    this.#mode[at] = Number(stat.mode);
    this.#hashedAt[at] = hashedAtNs;
    if (hashedAtNs > this.#latestNs) this.#latestNs = hashedAtNs;
    this.#hash.write(hash, at * 20, 20, 'hex');
    return at;
  }

  /**
   * Marks a path as found in this round; returns true when its current hash was not reported before (from now on it
   * counts as reported).
   */
  tell(at: number, round: number): boolean {
    this.#see(at, round);
    if (this.#reported[at] === 1) return false;
    this.#reported[at] = 1;
    return true;
  }

  /** Keeps a record in this round although the path is not reported. */
  keep(at: number, round: number): void {
    this.#see(at, round);
    this.#reported[at] = 0;
  }

  /** Marks all paths as not reported, because the next listener starts with an empty list. */
  untell(): void {
    this.#reported.fill(0);
  }

  /** Removes the paths that were not found in this round, and returns them. */
  sweep(round: number): string[] {
    const gone: string[] = [];
    if (this.#round === round && this.#seenCount === this.#index.size) return gone;
    this.folders.clear();
    for (const [path, at] of this.#index) {
      if (this.#seen[at] === round) continue;
      gone.push(path);
      this.#index.delete(path);
      this.#free.push(at);
    }
    return gone;
  }

  hashAt(at: number): string {
    return this.#hash.toString('hex', at * 20, at * 20 + 20);
  }

  *rows(): Generator<StatRow> {
    for (const [path, at] of this.#index) {
      yield {
        path,
        mtime: this.#mtime[at] ?? 0n,
        ctime: this.#ctime[at] ?? 0n,
        ino: this.#ino[at] ?? 0n,
        size: this.#size[at] ?? 0,
        mode: this.#mode[at] ?? 0,
        hashedAt: this.#hashedAt[at] ?? 0n,
        hash: this.#hash.subarray(at * 20, at * 20 + 20),
      };
    }
  }

  /** Reserves rows for this many paths at once: growing step by step leaves much garbage. */
  reserve(count: number): void {
    if (count > this.#capacity) this.#grow(count);
  }

  restore(row: StatRow): void {
    const at = this.#allot(row.path);
    this.#mtime[at] = row.mtime;
    this.#ctime[at] = row.ctime;
    this.#ino[at] = row.ino;
    this.#size[at] = row.size;
    this.#mode[at] = row.mode;
    this.#hashedAt[at] = row.hashedAt;
    if (row.hashedAt > this.#latestNs) this.#latestNs = row.hashedAt;
    this.#hash.set(row.hash, at * 20);
  }

  #see(at: number, round: number): void {
    if (round !== this.#round) {
      this.#round = round;
      this.#seenCount = 0;
    }
    if (this.#seen[at] !== round) this.#seenCount += 1;
    this.#seen[at] = round;
  }

  #allot(path: string): number {
    const free = this.#free.pop();
    const at = free ?? this.#index.size;
    if (at >= this.#capacity) this.#grow(Math.ceil(Math.max(128, this.#capacity * GROWTH)));
    this.#index.set(path, at);
    this.#seen[at] = 0;
    this.#reported[at] = 0;
    return at;
  }

  #grow(capacity: number): void {
    this.#capacity = capacity;
    this.#mtime = longer(this.#mtime, new BigInt64Array(capacity));
    this.#ctime = longer(this.#ctime, new BigInt64Array(capacity));
    this.#ino = longer(this.#ino, new BigUint64Array(capacity));
    this.#size = longer(this.#size, new Float64Array(capacity));
    this.#mode = longer(this.#mode, new Uint32Array(capacity));
    this.#hashedAt = longer(this.#hashedAt, new BigInt64Array(capacity));
    this.#seen = longer(this.#seen, new Uint32Array(capacity));
    this.#reported = longer(this.#reported, new Uint8Array(capacity));
    const hash = Buffer.alloc(capacity * 20);
    this.#hash.copy(hash);
    this.#hash = hash;
  }
}

export interface StatRow {
  readonly path: string;
  readonly mtime: bigint;
  readonly ctime: bigint;
  readonly ino: bigint;
  readonly size: number;
  readonly mode: number;
  readonly hashedAt: bigint;
  readonly hash: Uint8Array;
}

function longer<T extends { set: (from: T) => void }>(from: T, to: T): T {
  to.set(from);
  return to;
}
