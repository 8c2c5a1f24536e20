import { type BigIntStats, type Dirent, lstatSync, readdirSync } from 'node:fs';
import { compileIgnore, type IgnoreRules } from '#sync/ignore.ts';
import { checkName } from '#sync/names.ts';
import type { FrozenReason } from '#sync/plan.ts';
import { codeOf } from './disk.ts';
import { IGNORED_FILE, IGNORED_FOLDER, SUBFOLDER, UNSETTLED } from './folder-memory.ts';
import { readQuiet, readStable, type StableRead } from './read-file.ts';
import type { StatTable } from './stat-table.ts';

export interface ScanJob {
  /** Absolute path of the folder. */
  readonly root: string;
  /** What its paths begin with on the platform, without a slash at the end; may be empty. */
  readonly prefix: string;
  readonly ignoreLines: readonly string[];
  readonly verify: boolean;
  readonly maxFileSize: number;
}

export interface ScannedFile {
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly torn: boolean;
}

export interface ScanSummary {
  readonly frozen: readonly (readonly [string, FrozenReason])[];
  /** Paths whose name on the disk is not in NFC: path → the name there. */
  readonly aliases: readonly (readonly [string, string])[];
  readonly complete: boolean;
  readonly root: string | undefined;
  /** Files that were read and hashed, and their bytes: the rest came from the table. */
  readonly hashed: number;
  readonly hashedBytes: number;
}

/** Temporary and set-aside files of ours; never listed. */
export const OWN_FILE = /^\.modelbench-[\w-]+\.(tmp|old)$/;

/** So long what the table says is believed without reading each file once more. */
const TRUST_MS = 7 * 24 * 60 * 60 * 1000;

/** What is known when a scan begins, and who hears of what is new. */
export interface ScanKnowledge {
  readonly table: StatTable;
  /** Number of this scan, growing. */
  readonly round: number;
  /** Called for each file whose hash was not told before. */
  readonly found: (file: ScannedFile) => void;
}

/**
 * Walks a folder, stats every file and hashes what the table does not vouch for. Its own recursion over `readdirSync`:
 * the recursive variants of Node drop entries or are many times slower. Nothing is followed out of the folder. Once a week
 * every file is hashed, whatever the table says.
 */
export function scanFolder(asked: ScanJob, knowledge: ScanKnowledge): ScanSummary {
  const { table } = knowledge;
  const job = table.verifiedAt + TRUST_MS < Date.now() ? { ...asked, verify: true } : asked;
  const root = rootOf(job.root);
  if (root === undefined) {
    return { frozen: [], aliases: [], complete: true, root: undefined, hashed: 0, hashedBytes: 0 };
  }
  table.folders.under(JSON.stringify([job.root, job.prefix, job.ignoreLines]));
  const scan = new Scan(job, knowledge);
  scan.run();
  if (job.verify && scan.complete) table.verifiedAt = Date.now();
  return {
    frozen: [...scan.frozen],
    aliases: [...scan.aliases],
    complete: scan.complete,
    root,
    hashed: scan.hashed,
    hashedBytes: scan.hashedBytes,
  };
}

/** Device and inode of a folder, undefined when it is no folder. */
export function rootOf(folder: string): string | undefined {
  try {
    const stat = lstatSync(folder, { bigint: true });
    return stat.isDirectory() ? `${stat.dev}:${stat.ino}` : undefined;
  } catch {
    return undefined;
  }
}

class Scan {
  readonly frozen = new Map<string, FrozenReason>();
  readonly aliases = new Map<string, string>();
  complete = true;
  hashed = 0;
  hashedBytes = 0;
  readonly #job: ScanJob;
  readonly #known: ScanKnowledge;
  readonly #rules: IgnoreRules;

  constructor(job: ScanJob, knowledge: ScanKnowledge) {
    this.#job = job;
    this.#known = knowledge;
    this.#rules = compileIgnore(job.ignoreLines);
  }

  run(): void {
    const { root, prefix } = this.#job;
    if (prefix === '' || !this.#rules.ignores(prefix, true)) this.#folder(root, prefix);
  }

  #folder(absolute: string, path: string): void {
    let entries: Dirent[];
    try {
      entries = readdirSync(absolute, { withFileTypes: true });
    } catch (error) {
      // Gone since its parent was listed is no trouble; unreadable is.
      if (codeOf(error) === 'ENOENT') return;
      this.frozen.set(path, 'unreadable');
      this.complete = false;
      return;
    }
    const known = this.#known.table.folders.recall(path, entries);
    if (known && !this.#job.verify) this.#again(absolute, path, entries, known.rows);
    else this.#anew(absolute, path, entries);
  }

  /** A folder that lists what it listed the last time. */
  #again(absolute: string, path: string, entries: readonly Dirent[], rows: Int32Array): void {
    const above = path === '' ? '' : `${path}/`;
    for (const [at, entry] of entries.entries()) {
      const row = rows[at] ?? UNSETTLED;
      if (row === IGNORED_FILE || row === IGNORED_FOLDER) continue;
      const inside = `${absolute}/${entry.name}`;
      if (row >= 0 && this.#isSame(inside, above, entry.name, row)) continue;
      this.#entry(inside, above + entry.name, entry);
      if (row !== SUBFOLDER) rows[at] = this.#rowOf(above + entry.name);
    }
  }

  /** Whether a file is what its row says; then it is told, if it was not yet. */
  #isSame(absolute: string, above: string, name: string, row: number): boolean {
    const { table, round, found } = this.#known;
    const stat = statOrNothing(absolute);
    if (!stat || !table.vouches(row, stat) || stat.size > this.#job.maxFileSize) return false;
    if (table.tell(row, round)) {
      found({ path: above + name, hash: table.hashAt(row), size: Number(stat.size), torn: false });
    }
    return true;
  }

  #anew(absolute: string, path: string, entries: readonly Dirent[]): void {
    const { folders } = this.#known.table;
    const names = new Set<string>();
    const rows = new Int32Array(entries.length);
    let plain = true;
    for (const [index, entry] of entries.entries()) {
      const name = entry.name.normalize('NFC');
      const at = path === '' ? name : `${path}/${name}`;
      const isFolder = entry.isDirectory();
      rows[index] = isFolder ? IGNORED_FOLDER : IGNORED_FILE;
      if (this.#rules.ignoresHere(at, isFolder)) continue;
      if (names.has(name)) {
        this.frozen.set(at, 'normalization');
        plain = false;
        continue;
      }
      names.add(name);
      if (name !== entry.name) {
        this.aliases.set(at, entry.name);
        plain = false;
      }
      this.#entry(`${absolute}/${entry.name}`, at, entry);
      rows[index] = isFolder ? SUBFOLDER : this.#rowOf(at);
    }
    if (plain) folders.keep(path, { names: entries.map(({ name }) => name), rows });
    else folders.forget(path);
  }

  #rowOf(path: string): number {
    const row = this.#known.table.settled(path, this.#known.round);
    return row === -1 ? UNSETTLED : row;
  }

  #entry(absolute: string, path: string, entry: Dirent): void {
    if (entry.isDirectory()) this.#folder(absolute, path);
    else if (entry.isSymbolicLink()) this.frozen.set(path, 'symlink');
    else if (!entry.isFile()) this.frozen.set(path, 'special');
    else this.#file(absolute, path);
  }

  #file(absolute: string, path: string): void {
    const { table, round } = this.#known;
    const at = table.find(path);
    if ((at === -1 || this.#job.verify) && this.#quietly(absolute, path, at)) return;
    const stat = this.#stat(absolute, path);
    if (!stat) return;
    if (stat.size > this.#job.maxFileSize) {
      this.frozen.set(path, 'tooBig');
      return;
    }
    if (at !== -1 && !this.#job.verify && table.vouches(at, stat)) {
      if (table.tell(at, round)) {
        this.#known.found({ path, hash: table.hashAt(at), size: Number(stat.size), torn: false });
      }
      return;
    }
    const reason = checkName(path);
    if (reason === undefined) this.#hash(absolute, path, stat, at);
    else this.frozen.set(path, reason);
  }

  /** The short way for a file that must be read anyway; false when the long way must decide. */
  #quietly(absolute: string, path: string, at: number): boolean {
    if (checkName(path) !== undefined) return false;
    const hashedAt = BigInt(Date.now()) * 1_000_000n;
    try {
      const read = readQuiet(absolute, hashedAt);
      if (!read || Number(read.stat.size) > this.#job.maxFileSize || this.#known.table.isTorn(at, read.stat))
        return false;
      this.#take(path, read, hashedAt);
      return true;
    } catch {
      // Whatever it is, the long way says it.
      return false;
    }
  }

  #take(path: string, { hash, stat }: Omit<StableRead, 'bytes'>, hashedAt: bigint): void {
    const { table, round, found } = this.#known;
    this.hashed += 1;
    this.hashedBytes += Number(stat.size);
    const known = table.record(path, stat, hash, hashedAt);
    if (table.tell(known, round)) found({ path, hash, size: Number(stat.size), torn: false });
  }

  #stat(absolute: string, path: string): BigIntStats | undefined {
    try {
      return lstatSync(absolute, { bigint: true });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.frozen.set(path, 'unreadable');
      return undefined;
    }
  }

  #hash(absolute: string, path: string, stat: BigIntStats, at: number): void {
    const { table, round, found } = this.#known;
    const torn = table.isTorn(at, stat);
    const hashedAt = BigInt(Date.now()) * 1_000_000n;
    try {
      const read = readStable(absolute, false, stat);
      if (!read) {
        this.frozen.set(path, 'unstable');
        return;
      }
      if (!torn) {
        this.#take(path, read, hashedAt);
        return;
      }
      // Its old record stays: by it the file is known as torn the next time, too.
      this.hashed += 1;
      table.keep(at, round);
      found({ path, hash: read.hash, size: Number(read.stat.size), torn });
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') this.frozen.set(path, codeOf(error) === 'ELOOP' ? 'symlink' : 'unreadable');
    }
  }
}

/** What a file is, undefined when that cannot be told now: the long way says why. */
function statOrNothing(absolute: string): BigIntStats | undefined {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}
