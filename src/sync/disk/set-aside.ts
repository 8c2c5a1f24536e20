import { append } from '#base/long-lists.ts';
import path from 'node:path';
import { mapLimited } from '#base/async.ts';
import type { Hash } from '#sync/core/hash.ts';
import { codeOf } from '#base/system-error.ts';
import type { Disk } from './disk.ts';
import { randomName } from './random-name.ts';
import type { ModelFolder } from './model-folder.ts';
import { OWN_FILE } from './scan-job.ts';
import type { TrashStore } from './trash-store.ts';

/** The number of files handled concurrently. */
const SIDE_BY_SIDE = 8;

/** A version that was moved away in one step, to a hidden name next to its path. */
export interface Aside {
  /** The trash's id, which leads back to the path after a crash. */
  readonly id: string;
  readonly file: string;
  /** Absolute path of the hidden file. */
  readonly at: string;
  readonly hash: Hash | undefined;
}

/**
 * The hidden files of an effect: those about to be moved to a path, and those moved away from one. None is ever removed
 * before its version is known to be elsewhere, and the next scan recovers each that an effect leaves behind.
 */
export class SetAside {
  readonly #disk: Disk;
  readonly #folder: ModelFolder;
  readonly #trash: TrashStore;
  /** Hidden files of effects that are still running. */
  readonly #active = new Set<string>();
  readonly #waiting: Aside[] = [];

  constructor(disk: Disk, folder: ModelFolder, trash: TrashStore) {
    this.#disk = disk;
    this.#folder = folder;
    this.#trash = trash;
  }

  /** Returns a hidden name for a file that is about to be moved to a path in this folder. */
  nameIn(folder: string): string {
    const name = path.join(folder, `.modelbench-${randomName()}.tmp`);
    this.#active.add(name);
    return name;
  }

  async discard(temporary: string): Promise<void> {
    this.#active.delete(temporary);
    await this.#disk.calls.remove(temporary);
  }

  /** Moves the file that currently has this name away; resolves to undefined when there is none. `id` was announced for it. */
  async take(file: string, id: string): Promise<Aside | undefined> {
    const target = this.#folder.resolve(file);
    this.#folder.requireStillInside(file);
    // While the version was copied to the trash, the user may have changed its letter case, which makes it another
    // name.
    this.#folder.renamed();
    if (this.#folder.isMisnamed(target)) return undefined;
    const at = path.join(path.dirname(target), `.modelbench-${id}.old`);
    this.#active.add(at);
    try {
      await this.#disk.rename(target, at);
      this.#folder.renamed();
    } catch (error) {
      this.#active.delete(at);
      if (codeOf(error) === 'ENOENT') return undefined;
      // The version is still at its path, so its copy is not needed.
      if (!this.#isThere(at)) await this.#trash.forget(id).catch(() => undefined);
      throw error;
    }
    const aside = { id, file, at, hash: undefined };
    try {
      this.#folder.requireStillInside(file);
      if (!this.#isFolder(at)) return { ...aside, hash: this.#disk.hash(at) };
      // The user created a folder there since the last check.
      await this.#giveBack(aside);
      this.#active.delete(at);
      return undefined;
    } catch (error) {
      await this.putBack(aside);
      throw error;
    }
  }

  /** Moves a version back to its path or, if that is occupied by now, to the trash. If that fails, the next scan does it. */
  async putBack(aside: Aside): Promise<void> {
    try {
      await this.#giveBack(aside);
    } catch {
      // The hidden file still exists and contains the version.
    } finally {
      this.#active.delete(aside.at);
    }
  }

  /**
   * Schedules the removal of a hidden file whose version was replaced and is in the trash. It stays for a moment,
   * because a program that still has it open may continue to write.
   */
  retire(aside: Aside): void {
    this.#waiting.push(aside);
  }

  /** Removes the hidden files of replaced versions; anything that a program wrote into one meanwhile goes to the trash, too. */
  async removeRetired(): Promise<void> {
    await mapLimited(this.#waiting.splice(0), SIDE_BY_SIDE, async (aside) => {
      try {
        if (this.#disk.hash(aside.at) !== aside.hash) await this.#keep(aside.file, aside.at);
        await this.#disk.calls.remove(aside.at);
        this.#folder.prune(aside.file);
      } catch (error) {
        if (codeOf(error) !== 'ENOENT') return;
      } finally {
        this.#active.delete(aside.at);
      }
    });
  }

  /** Recovers hidden files that are no longer in use. Those that cannot be recovered now are left for the next scan. */
  async recover(leftovers: readonly string[]): Promise<void> {
    for (const own of leftovers) if (!this.#active.has(own)) await this.#recoverFile(own).catch(() => undefined);
  }

  /** Returns those files that are no longer in use. */
  abandoned(leftovers: readonly string[]): readonly string[] {
    return leftovers.filter((own) => !this.#active.has(path.normalize(own)));
  }

  /** Returns all hidden files below the folder, and hidden folders that were mistaken for files. */
  find(folder: string): string[] {
    const found: string[] = [];
    for (const entry of this.#entries(folder)) {
      const at = path.join(folder, entry.name);
      if (OWN_FILE.test(entry.name)) {
        if (entry.isFile() || (entry.isDirectory() && entry.name.endsWith('.old'))) found.push(at);
      } else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        append(found, this.find(at));
    }
    return found;
  }

  #entries(folder: string): ReturnType<Disk['calls']['entries']> {
    try {
      return this.#disk.calls.entries(folder);
    } catch {
      return [];
    }
  }

  async #giveBack({ id, file, at }: Aside): Promise<void> {
    const target = this.#placeOf(file, at);
    if (this.#isFolder(at)) {
      await this.#show(at, target);
      if (!this.#trash.holds(id)) await this.#trash.forget(id);
      return;
    }
    const isBack = await this.#disk.place(at, target);
    this.#folder.renamed();
    // Without hard links, the file was copied back: a program that has it open may have continued to write.
    const isSame = this.#disk.hash(at) === this.#disk.hash(target);
    if (!isSame && this.#trash.holds(id)) await this.#keep(file, at);
    else if (!isSame) await this.#trash.keep(id, at);
    await this.#disk.calls.remove(at);
    if (isBack && isSame) await this.#trash.forget(id);
    await this.#disk.syncFolder(path.dirname(at));
  }

  async #recoverFile(own: string): Promise<void> {
    const name = path.basename(own);
    if (name.endsWith('.tmp')) {
      await this.#disk.calls.remove(own);
      return;
    }
    const id = name.slice('.modelbench-'.length, -'.old'.length);
    const file = await this.#trash.announced(id);
    if (this.#isFolder(own)) {
      if (file === undefined) await this.#show(own, path.join(path.dirname(own), `recovered-${id}`));
      else await this.#giveBack({ id, file, at: own, hash: undefined });
      return;
    }
    const hash = this.#disk.hash(own);
    if (file === undefined) {
      // The note of its path is lost: the trash shows it under the folder in which it was found.
      const folder = this.#folder.pathOf(path.dirname(own));
      await this.#keep(`${folder}/recovered-${id}`, own);
      await this.#disk.calls.remove(own);
    } else if (hash !== undefined && this.#trash.has(id, hash) && this.#isThere(this.#placeOf(file, own))) {
      await this.#disk.calls.remove(own);
    } else await this.#giveBack({ id, file, at: own, hash });
  }

  /** Gives a folder its name back, or a similar visible one, because something newer may have its name by now. */
  async #show(at: string, target: string): Promise<void> {
    for (const location of placesAt(target)) {
      if (this.#isThere(location)) continue;
      try {
        await this.#disk.rename(at, location);
        break;
      } catch (error) {
        // A folder cannot replace a file or a non-empty folder, so something was created there just now.
        if (!TAKEN.includes(codeOf(error)) || !this.#isThere(location)) throw error;
      }
    }
    this.#folder.renamed();
    await this.#disk.syncFolder(path.dirname(at));
  }

  /** Returns the path of a file that was found hidden in a folder, whatever that folder is called now. */
  #placeOf(file: string, at: string): string {
    return path.join(path.dirname(at), path.basename(this.#folder.resolve(file)));
  }

  #isThere(path: string): boolean {
    return this.#disk.stat(path) !== undefined;
  }

  #isFolder(at: string): boolean {
    return this.#disk.stat(at)?.isDirectory() === true;
  }

  /** Copies another version to the trash. */
  async #keep(file: string, from: string): Promise<void> {
    await this.#trash.keep(await this.#trash.announce(file, { cause: 'pull', deleted: false }), from);
  }
}

/** The error codes of systems on which a folder cannot be renamed to an existing name. */
const TAKEN = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM', 'EACCES'];

function* placesAt(target: string): Generator<string, never> {
  yield target;
  yield beside(target, '-recovered');
  for (let number = 2; ; number++) yield beside(target, `-recovered-${number}`);
}

/** The maximum number of bytes in a name on nearly all disks. */
const LONGEST_NAME = 255;

/** Appends to a name, and shortens it by whole characters if it would be too long. */
function beside(target: string, ending: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(path.basename(target)), ({ segment }) => segment);
  while (Buffer.byteLength(letters.join('') + ending) > LONGEST_NAME) letters.pop();
  return path.join(path.dirname(target), letters.join('') + ending);
}
