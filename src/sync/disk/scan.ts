import { append } from '#base/long-lists.ts';
import type { BigIntStats, Dirent } from 'node:fs';
import { compileIgnore, type IgnoreFile, type IgnoreRules } from '#sync/core/selection/ignore.ts';
import { type FileRules, nameProblem } from '#sync/core/selection/file-rules.ts';
import type { FollowedLink } from '#sync/core/selection/followed-link.ts';
import type { FrozenReason } from '#sync/core/planning/plan.ts';
import { codeOf } from '#base/system-error.ts';
import { type DiskCalls, nodeCalls } from './disk-calls.ts';
import { IGNORED_FILE, IGNORED_FOLDER, SUBFOLDER, UNSETTLED } from './folder-memory.ts';
import { ignoreFilesIn } from './ignore-files.ts';
import { hasLink } from './linked-apart.ts';
import { readQuiet, readStable, type StableRead } from './read-file.ts';
import { LinkTargets } from './link-targets.ts';
import { rootOf } from './root.ts';
import { OWN_FILE, type ScanJob, type ScanKnowledge, type ScanSummary } from './scan-job.ts';
import { isCoarse } from './stat-table.ts';

const DOT = 0x2e;

/** The maximum number of listings of a folder while entries keep disappearing. */
const LISTINGS = 3;
/** How long the table is trusted before every file is read again. */
const TRUST_MS = 7 * 24 * 60 * 60 * 1000;

/**
 * Walks a folder, stats every file and hashes those that the table does not vouch for. It recurses over `readdirSync`
 * itself, because Node's recursive variants drop entries or are many times slower. It follows links in the folder only
 * for a deploy (docs/sync.md#deployed-links). Once a week, and after the clock was set back, it hashes every file, whatever the table says.
 */
export function scanFolder(asked: ScanJob, knowledge: ScanKnowledge): ScanSummary {
  const { table, calls = nodeCalls } = knowledge;
  const isSetBack = table.forgetsFuture(calls.now());
  const job = isSetBack || table.verifiedAt + TRUST_MS < calls.now() ? { ...asked, verify: true } : asked;
  const root = rootOf(calls, job.root);
  if (root === undefined) {
    const nothing = { frozen: [], aliases: [], links: [], ignoreFiles: [], leftovers: [], hashed: 0, hashedBytes: 0 };
    return { ...nothing, complete: true, root: undefined };
  }
  table.folders.under(
    JSON.stringify([
      ...[job.root, job.prefix, job.rules ?? 'sync'],
      ...[job.ignoreLines, job.ignoreFiles ?? [], job.ignoreNames ?? []],
    ]),
  );
  const scan = new Scan(job, knowledge);
  scan.run();
  if (job.verify && scan.complete) table.verifiedAt = calls.now();
  return {
    frozen: [...scan.frozen],
    aliases: [...scan.aliases],
    links: [...scan.links],
    complete: scan.complete,
    root,
    ignoreFiles: scan.ignoreFiles,
    leftovers: scan.leftovers,
    hashed: scan.hashed,
    hashedBytes: scan.hashedBytes,
  };
}

class Scan {
  readonly frozen = new Map<string, FrozenReason>();
  readonly aliases = new Map<string, string>();
  readonly links = new Map<string, FollowedLink>();
  readonly ignoreFiles: IgnoreFile[] = [];
  readonly leftovers: string[] = [];
  complete = true;
  hashed = 0;
  hashedBytes = 0;
  readonly #job: ScanJob;
  readonly #known: ScanKnowledge;
  readonly #rules: IgnoreRules;
  readonly #calls: DiskCalls;
  readonly #naming: FileRules;
  readonly #targets: LinkTargets | undefined;

  /** Absolute paths of entries that were listed and no longer exist. */
  readonly #vanished = new Set<string>();
  /** The folder whose time stamp was last read. */
  #lastFolder: { readonly path: string; readonly stat: BigIntStats | undefined } | undefined;

  constructor(job: ScanJob, knowledge: ScanKnowledge) {
    this.#job = job;
    this.#known = knowledge;
    this.#calls = knowledge.calls ?? nodeCalls;
    this.#naming = job.rules ?? 'sync';
    this.#rules = compileIgnore(job.ignoreLines, job.ignoreFiles, this.#naming);
    if (this.#naming === 'deploy') this.#targets = new LinkTargets(this.#calls, job.project ?? job.root);
  }

  run(): void {
    const { root, prefix } = this.#job;
    if (prefix === '' || !this.#rules.ignores(prefix, true)) this.#folder(root, prefix);
  }

  #folder(absolute: string, path: string): void {
    let entries: Dirent[];
    try {
      entries = this.#calls.entries(absolute);
      this.#readIgnoreFiles(absolute, path, entries);
    } catch (error) {
      // Removed since its parent was listed is harmless; unreadable is not.
      if (codeOf(error) === 'ENOENT') this.#missing(absolute, path);
      else {
        this.frozen.set(path, 'unreadable');
        this.complete = false;
      }
      return;
    }
    // A deploy takes everything, as the platform's command line does.
    if (this.#naming === 'sync' && absolute !== this.#job.root && hasLink(entries)) {
      this.frozen.set(path, 'linkedApart');
      return;
    }
    const known = this.#known.table.folders.recall(path, entries);
    if (known && !this.#job.verify) this.#again(absolute, path, entries, known.rows);
    else this.#anew(absolute, path, entries);
    // A link that replaced the folder during the read may lead to someone else's files.
    if (absolute !== this.#job.root && this.#statOrNothing(absolute)?.isSymbolicLink() === true)
      this.frozen.set(path, 'symlink');
    for (let left = LISTINGS; left > 1 && this.#hasLost(absolute, entries); left--) {
      entries = this.#listAgain(absolute, path, entries);
    }
  }

  #hasLost(absolute: string, entries: readonly Dirent[]): boolean {
    return this.#vanished.size > 0 && entries.some(({ name }) => this.#vanished.has(`${absolute}/${name}`));
  }

  /**
   * Lists a folder again after entries disappeared: they may have been renamed, and are then scanned under the new name
   * rather than reported as deleted.
   */
  #listAgain(absolute: string, path: string, before: readonly Dirent[]): Dirent[] {
    const settled = new Set(before.map(({ name }) => name));
    for (const { name } of before) if (this.#vanished.delete(`${absolute}/${name}`)) settled.delete(name);
    let entries: Dirent[] = [];
    try {
      entries = this.#calls.entries(absolute);
    } catch {
      // The folder itself disappeared, or can no longer be read: its parent reports it.
      this.#vanished.add(absolute);
    }
    const fresh = entries.filter(({ name }) => !settled.has(name));
    const taken = entries.filter(({ name }) => settled.has(name)).map(({ name }) => name.normalize('NFC'));
    this.#anew(absolute, path, fresh, new Set(taken));
    this.#known.table.folders.forget(path);
    return fresh;
  }

  /** Reads the ignore files of a folder. If they changed, everything remembered below it is dropped. */
  #readIgnoreFiles(absolute: string, path: string, entries: readonly Dirent[]): void {
    const { ignoreNames = [] } = this.#job;
    const isThere = entries.some(({ name }) => name.startsWith('.') && ignoreNames.some((each) => each === name));
    const found = isThere ? ignoreFilesIn(this.#calls, absolute, path, ignoreNames) : [];
    for (const file of found) this.#rules.add(file);
    append(this.ignoreFiles, found);
    this.#known.table.folders.underAt(path, found.length === 0 ? undefined : JSON.stringify(found));
  }

  /** Scans a folder that lists the same entries as the last time. */
  #again(absolute: string, path: string, entries: readonly Dirent[], rows: Int32Array): void {
    const above = path === '' ? '' : `${path}/`;
    for (const [at, entry] of entries.entries()) {
      const row = rows[at] ?? UNSETTLED;
      if (row === IGNORED_FOLDER || row === IGNORED_FILE) {
        this.#leftOver(absolute, entry.name);
        continue;
      }
      const inside = `${absolute}/${entry.name}`;
      if (row >= 0 && this.#isSame(inside, above, entry.name, row)) continue;
      const now = this.#entry(inside, above + entry.name, entry);
      if (row !== SUBFOLDER) rows[at] = now;
    }
  }

  /** Checks whether a file matches its row, and reports it then, unless that was done before. */
  #isSame(absolute: string, above: string, name: string, row: number): boolean {
    const { table, round, found } = this.#known;
    const stat = this.#statOrNothing(absolute);
    if (!stat || !this.#isVouchedFor(row, stat, absolute) || stat.size > this.#job.maxFileSize) return false;
    // Nearly every file was reported long ago, and its path is not even built.
    if (table.tell(row, round)) {
      found({ path: above + name, hash: table.hashAt(row), size: Number(stat.size), torn: false });
    }
    return true;
  }

  /** Scans entries from scratch. `names`: those in the folder, in NFC, that were scanned already. */
  #anew(absolute: string, path: string, entries: readonly Dirent[], names = new Set<string>()): void {
    const { folders } = this.#known.table;
    const rows = new Int32Array(entries.length);
    let plain = true;
    for (const [index, entry] of entries.entries()) {
      const name = this.#naming === 'deploy' ? entry.name : entry.name.normalize('NFC');
      const at = path === '' ? name : `${path}/${name}`;
      const isFolder = entry.isDirectory();
      rows[index] = isFolder ? IGNORED_FOLDER : IGNORED_FILE;
      if (this.#rules.ignoresHere(at, isFolder)) {
        this.#leftOver(absolute, entry.name);
        continue;
      }
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
      const row = this.#entry(`${absolute}/${entry.name}`, at, entry);
      rows[index] = isFolder ? SUBFOLDER : row;
    }
    if (plain) folders.keep(path, { names: entries.map(({ name }) => name), rows });
    else folders.forget(path);
  }

  /** Returns the row of a file that was found in this scan; any other row may soon belong to another path. */
  #entry(absolute: string, path: string, entry: Dirent): number {
    if (this.#targets?.isTooMany() === true) this.frozen.set(path, 'tooManyLinked');
    else if (this.#targets && entry.isSymbolicLink()) this.#follow(this.#targets, absolute, path);
    else if (entry.isFile()) return this.#file(absolute, path);
    else if (entry.isDirectory()) this.#folder(absolute, path);
    else this.frozen.set(path, entry.isSymbolicLink() ? 'symlink' : 'special');
    return UNSETTLED;
  }

  /** Scans what a link leads to, as the platform's command line does. It is resolved in each scan, and so has no row. */
  #follow(targets: LinkTargets, absolute: string, path: string): void {
    const found = targets.of(absolute);
    if (typeof found === 'string') {
      this.frozen.set(path, found);
      return;
    }
    const isFolder = found.kind === 'folder';
    if (isFolder && this.#rules.ignoresHere(path, true)) return;
    this.links.set(path, { target: found.target, leadsTo: found.leadsTo });
    if (isFolder) targets.inside(absolute, () => this.#folder(found.target, path));
    else this.#file(found.target, path);
  }

  #file(absolute: string, path: string): number {
    const { table } = this.#known;
    const at = table.find(path);
    const quick = at === -1 || this.#job.verify ? this.#quietly(absolute, path, at) : undefined;
    if (quick !== undefined) return quick;
    const stat = this.#stat(absolute, path);
    if (!stat) return UNSETTLED;
    const isTooBig = stat.size > this.#job.maxFileSize;
    if (!isTooBig && at !== -1 && !this.#job.verify && this.#isVouchedFor(at, stat, absolute)) {
      return this.#report(at, path, table.hashAt(at), Number(stat.size));
    }
    const reason = isTooBig ? 'tooBig' : nameProblem(path, this.#naming);
    if (reason === undefined) return this.#hash(absolute, path, stat, at);
    this.frozen.set(path, reason);
    return UNSETTLED;
  }

  #isVouchedFor(row: number, stat: BigIntStats, absolute: string): boolean {
    const { table } = this.#known;
    if (!table.vouches(row, stat)) return false;
    if (!isCoarse(stat)) return true;
    const folder = this.#folderStat(absolute.slice(0, absolute.lastIndexOf('/')));
    return folder !== undefined && table.isOlder(folder, row);
  }

  #folderStat(folder: string): BigIntStats | undefined {
    if (this.#lastFolder?.path !== folder) this.#lastFolder = { path: folder, stat: this.#statOrNothing(folder) };
    return this.#lastFolder.stat;
  }

  #report(row: number, path: string, hash: string, size: number): number {
    const { table, round, found } = this.#known;
    if (table.tell(row, round)) found({ path, hash, size, torn: false });
    return row;
  }

  /** Takes the short way for a file that must be read anyway; returns undefined when the long way must decide. */
  #quietly(absolute: string, path: string, at: number): number | undefined {
    if (nameProblem(path, this.#naming) !== undefined) return undefined;
    const hashedAt = BigInt(this.#calls.now()) * 1_000_000n;
    try {
      const read = readQuiet(this.#calls, absolute, hashedAt);
      if (!read || Number(read.stat.size) > this.#job.maxFileSize || this.#known.table.isTorn(at, read.stat))
        return undefined;
      return this.#take(at, path, read, hashedAt);
    } catch {
      // Whatever it is, the long way reports it.
      return undefined;
    }
  }

  #take(at: number, path: string, { hash, stat }: Omit<StableRead, 'bytes'>, hashedAt: bigint): number {
    const size = Number(stat.size);
    this.hashed += 1;
    this.hashedBytes += size;
    return this.#report(this.#known.table.record(at, path, stat, hash, hashedAt), path, hash, size);
  }

  #stat(absolute: string, path: string): BigIntStats | undefined {
    try {
      const stat = this.#calls.lstat(absolute);
      if (!stat) this.#missing(absolute, path);
      return stat;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') this.#vanished.add(absolute);
      else this.frozen.set(path, 'unreadable');
      return undefined;
    }
  }

  /** Notes an entry that was listed and is not found: it is gone, or its name is not UTF-8, so that no program here can name it. */
  #missing(absolute: string, path: string): void {
    if (path.includes('\uFFFD')) this.frozen.set(path, 'invalidName');
    else this.#vanished.add(absolute);
  }

  #hash(absolute: string, path: string, stat: BigIntStats, at: number): number {
    const { table, round, found } = this.#known;
    const torn = table.isTorn(at, stat);
    const hashedAt = BigInt(this.#calls.now()) * 1_000_000n;
    try {
      const read = readStable(this.#calls, absolute, false, stat);
      if (!read) {
        this.frozen.set(path, 'unstable');
        return UNSETTLED;
      }
      if (!torn) return this.#take(at, path, read, hashedAt);
      // The old record stays, so that the file is still known as torn the next time.
      this.hashed += 1;
      table.keep(at, round);
      found({ path, hash: read.hash, size: Number(read.stat.size), torn });
      return at;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') this.#vanished.add(absolute);
      else this.frozen.set(path, codeOf(error) === 'ELOOP' ? 'symlink' : 'unreadable');
      return UNSETTLED;
    }
  }

  /** Returns the stats of a path, undefined if they cannot be read: the full check reports the reason. */
  #statOrNothing(absolute: string): BigIntStats | undefined {
    try {
      return this.#calls.lstat(absolute);
    } catch {
      return undefined;
    }
  }

  #leftOver(absolute: string, name: string): void {
    if (name.charCodeAt(0) === DOT && OWN_FILE.test(name)) this.leftovers.push(`${absolute}/${name}`);
  }
}
