import { constants } from 'node:fs';
import { chmod, copyFile, mkdir, open, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { mapLimited } from '#base/async.ts';
import type { Trash, TrashItem } from '#sync/ports.ts';
import { randomName, renameFile, syncFolder } from './disk.ts';

const KEEP_MS = 30 * 24 * 60 * 60 * 1000;
const KEEP_BYTES = 1024 * 1024 * 1024;
/** Notes read at once. */
const READS = 16;

type Note = Omit<TrashItem, 'id' | 'size'>;

/** Every version that sync replaced or deleted here: `<id>.json` says which it was, `<id>.bin` holds its bytes. */
export class TrashStore implements Trash {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Notes that a version of `file` is about to be set aside; answers the id under which it will be kept. */
  async announce(file: string, why: Pick<Note, 'cause' | 'deleted'>): Promise<string> {
    const id = randomName();
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const note: Note = { path: file, time: Date.now(), ...why };
    await writeFile(this.#at(id, 'json'), JSON.stringify(note), { mode: 0o600, flush: true });
    await syncFolder(this.#folder);
    return id;
  }

  /** Path of a file that was announced, for cleaning up after a crash. */
  async announced(id: string): Promise<string | undefined> {
    return (await this.#note(id))?.path;
  }

  /** Keeps the version in `aside` for good. The caller removes `aside` afterwards. */
  async keep(id: string, aside: string): Promise<void> {
    const kept = this.#at(id, 'bin');
    const own = `${kept}.tmp`;
    await rm(own, { force: true });
    try {
      // A copy, not a second name: a program that still holds the old file open must not write into the trash.
      await copyFile(aside, own, constants.COPYFILE_FICLONE);
      await chmod(own, 0o600).catch(() => undefined);
      await syncCopy(own);
      await renameFile(own, kept);
    } catch (error) {
      await rm(own, { force: true });
      throw error;
    }
    await syncFolder(this.#folder);
  }

  /** Takes an announcement back: nothing was set aside after all. */
  async forget(id: string): Promise<void> {
    await rm(this.#at(id, 'json'), { force: true });
  }

  async list(): Promise<readonly TrashItem[]> {
    const names = await readdir(this.#folder).catch(() => []);
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
    return readFile(this.#at(id, 'bin')).catch(() => undefined);
  }

  /** Drops what is older than 30 days, and the oldest beyond 1 GB; the newest version of a path stays. */
  async prune(now: number): Promise<void> {
    const items = [...(await this.list())].sort((a, b) => b.time - a.time);
    const newest = new Set<string>();
    let bytes = 0;
    for (const item of items) {
      bytes += item.size;
      const last = !newest.has(item.path);
      newest.add(item.path);
      if (!last && (now - item.time > KEEP_MS || bytes > KEEP_BYTES)) {
        await rm(this.#at(item.id, 'bin'), { force: true });
        await this.forget(item.id);
      }
    }
  }

  async #item(id: string): Promise<TrashItem | undefined> {
    const note = await this.#note(id);
    const known = note && (await stat(this.#at(id, 'bin')).catch(() => undefined));
    return known && { id, ...note, size: known.size };
  }

  async #note(id: string): Promise<Note | undefined> {
    try {
      const {
        path: file,
        time,
        cause,
        deleted,
      } = JSON.parse(await readFile(this.#at(id, 'json'), 'utf8')) as Partial<Note>;
      return typeof file === 'string'
        ? { path: file, time: Number(time), cause, deleted: deleted === true }
        : undefined;
    } catch {
      return undefined;
    }
  }

  #at(id: string, extension: 'json' | 'bin'): string {
    return path.join(this.#folder, `${id}.${extension}`);
  }
}

async function syncCopy(file: string): Promise<void> {
  const handle = await open(file, 'r+');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
