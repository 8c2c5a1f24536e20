import path from 'node:path';
import { mapLimited } from '#base/async.ts';
import { joinPath } from '#base/path.ts';
import type { Trash, TrashItem } from '#sync/core/ports.ts';
import type { Hash } from '#sync/core/hash.ts';
import { codeOf } from '#base/system-error.ts';
import { type Disk, fileProblem } from './disk.ts';
import { randomName } from './random-name.ts';

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const KEEP_BYTES = 1024 * 1024 * 1024;
/** The number of notes read concurrently. */
const READS = 16;

type Note = Omit<TrashItem, 'id' | 'size'>;

/** Every version that sync replaced or deleted, here or on the platform: `<id>.json` describes it, `<id>.bin` has its bytes. */
export class TrashStore implements Trash {
  readonly #disk: Disk;
  readonly #folder: string;
  readonly #prefix: string;

  /** `prefix`: the beginning of the platform's paths; may be empty. */
  constructor(disk: Disk, folder: string, prefix = '') {
    this.#disk = disk;
    this.#folder = folder;
    this.#prefix = prefix;
  }

  /** Records that a version of `file` is about to move to the trash. Resolves to the id that it will have there. */
  async announce(file: string, why: Pick<Note, 'cause' | 'deleted'>): Promise<string> {
    const id = randomName();
    const note: Note = { path: file, time: Date.now(), ...why };
    return this.#stored(async () => {
      await this.#disk.makeFolder(this.#folder);
      try {
        await this.#disk.writeNew(this.#at(id, 'json'), Buffer.from(JSON.stringify(note)));
      } catch (error) {
        await this.forget(id).catch(() => undefined);
        throw error;
      }
      await this.#disk.syncFolder(this.#folder);
      return id;
    });
  }

  /**
   * Resolves to the path of a file that was announced, for cleaning up after a crash; undefined where the note is
   * damaged or missing.
   */
  async announced(id: string): Promise<string | undefined> {
    const note = await this.#note(id);
    return note === 'damaged' ? undefined : note.path;
  }

  /** Copies the current version of `from` to the trash durably, and resolves to its hash. */
  async keep(id: string, from: string): Promise<Hash | undefined> {
    const kept = this.#at(id, 'bin');
    const own = `${kept}.tmp`;
    return this.#stored(async () => {
      try {
        // A copy, not a hard link: a program that still has the old file open must not write into the trash.
        await this.#disk.copy(from, own);
        const hash = this.#disk.hash(own);
        await this.#disk.rename(own, kept);
        await this.#disk.syncFolder(this.#folder);
        return hash;
      } catch (error) {
        await this.#disk.discard(own);
        throw error;
      }
    });
  }

  async put(file: string, bytes: Uint8Array, why: Pick<Note, 'cause' | 'deleted'>): Promise<string> {
    const id = await this.announce(file, why);
    try {
      await this.#stored(async () => this.#disk.replaceDurably(this.#at(id, 'bin'), bytes));
    } catch (error) {
      await this.forget(id).catch(() => undefined);
      throw fileProblem(file, error);
    }
    return id;
  }

  /** Whether the trash has a version with this id. */
  holds(id: string): boolean {
    return this.#disk.stat(this.#at(id, 'bin')) !== undefined;
  }

  /** Whether the trash has exactly this version. */
  has(id: string, hash: Hash): boolean {
    return this.holds(id) && this.#disk.hash(this.#at(id, 'bin')) === hash;
  }

  /**
   * Withdraws an announcement, including any stored version, because nothing was set aside after all. The note is
   * removed last: bytes without one count as a version whose note was damaged.
   */
  async forget(id: string): Promise<void> {
    await this.#disk.calls.remove(this.#at(id, 'bin'));
    await this.#disk.calls.remove(this.#at(id, 'json'));
  }

  async list(): Promise<readonly TrashItem[]> {
    const names = await this.#disk.calls.names(this.#folder).catch(() => []);
    const items: TrashItem[] = [];
    const kept = names.filter((name) => name.endsWith('.bin'));
    await mapLimited(kept, READS, async (name) => {
      const item = await this.#item(name.slice(0, -4));
      if (item) items.push(item);
    });
    return items;
  }

  async read(id: string): Promise<Uint8Array | undefined> {
    if (!/^[\w-]+$/.test(id)) return undefined;
    return this.#disk.calls.readFile(this.#at(id, 'bin')).catch(() => undefined);
  }

  /** Removes versions older than 30 days, and the oldest beyond 1 GB; the newest version of each path stays. */
  async prune(now: number): Promise<void> {
    const items = [...(await this.list())].sort((a, b) => b.time - a.time);
    const newest = new Set<string>();
    let bytes = 0;
    for (const item of items) {
      bytes += item.size;
      const last = !newest.has(item.path);
      newest.add(item.path);
      if (!last && (now - item.time > KEEP_MS || bytes > KEEP_BYTES)) {
        await this.forget(item.id);
      }
    }
  }

  /** Writes to the trash. Where that is refused, the error names the trash: the file whose version is stored is not the reason. */
  async #stored<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      throw this.#isAtFault(error) ? fileProblem(`The trash “${this.#folder}”`, error) : error;
    }
  }

  /** Whether an error is about the trash. Only its disk is written to; of a copy, the system names the file that is copied. */
  #isAtFault(error: unknown): boolean {
    if (['ENOSPC', 'EDQUOT', 'EROFS'].includes(codeOf(error))) return true;
    const at = error instanceof Error && 'path' in error && typeof error.path === 'string' ? error.path : '';
    return at.startsWith(`${this.#folder}${path.sep}`) && codeOf(error) !== 'ENOENT';
  }

  async #item(id: string): Promise<TrashItem | undefined> {
    const known = await this.#disk.calls.stat(this.#at(id, 'bin')).catch(() => undefined);
    const note = await this.#note(id).catch(() => undefined);
    if (known === undefined || note === undefined) return undefined;
    const found = note === 'damaged' ? this.#unknown(id, known.mtimeMs) : note;
    return { id, ...found, size: known.size };
  }

  /** Returns a note for a version whose own note is damaged: its file is unknown, but its bytes are still there. */
  #unknown(id: string, time: number): Note {
    return { path: joinPath(this.#prefix, `recovered-${id}`), time, cause: undefined, deleted: true };
  }

  async #note(id: string): Promise<Note | 'damaged'> {
    let bytes: Buffer;
    try {
      bytes = await this.#disk.calls.readFile(this.#at(id, 'json'));
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return 'damaged';
      throw error;
    }
    try {
      const { path: file, time, cause, deleted } = JSON.parse(bytes.toString('utf8')) as Partial<Note>;
      if (typeof file !== 'string' || !Number.isFinite(time)) return 'damaged';
      return { path: file, time: Number(time), cause, deleted: deleted === true };
    } catch {
      return 'damaged';
    }
  }

  #at(id: string, extension: 'json' | 'bin'): string {
    return path.join(this.#folder, `${id}.${extension}`);
  }
}
