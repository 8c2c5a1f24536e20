import path from 'node:path';
import { mapLimited } from '#base/async.ts';
import type { Hash } from '#sync/core/hash.ts';
import { codeOf, type Disk, randomName } from './disk.ts';
import type { ModelFolder } from './model-folder.ts';
import { OWN_FILE } from './scan.ts';
import type { TrashStore } from './trash-store.ts';

/** Files handled at once. */
const SIDE_BY_SIDE = 8;

/** A version that was taken out of its place in one step, and is kept under a hidden name beside it. */
export interface Aside {
  /** The trash's id, by which a crash finds the path again. */
  readonly id: string;
  readonly file: string;
  /** Absolute path of the hidden file. */
  readonly at: string;
  readonly hash: Hash | undefined;
}

/**
 * The hidden files of an effect: what is about to take a place, and what was taken out of one. None is ever removed before
 * its version is known to be elsewhere, and each that an effect leaves behind is recovered by the next scan.
 */
export class SetAside {
  readonly #disk: Disk;
  readonly #folder: ModelFolder;
  readonly #trash: TrashStore;
  /** Hidden files of effects that still run. */
  readonly #active = new Set<string>();
  readonly #waiting: Aside[] = [];

  constructor(disk: Disk, folder: ModelFolder, trash: TrashStore) {
    this.#disk = disk;
    this.#folder = folder;
    this.#trash = trash;
  }

  /** A hidden name for a file that is about to take a place in this folder. */
  nameIn(folder: string): string {
    const name = path.join(folder, `.modelbench-${randomName()}.tmp`);
    this.#active.add(name);
    return name;
  }

  async discard(temporary: string): Promise<void> {
    this.#active.delete(temporary);
    await this.#disk.calls.remove(temporary);
  }

  /** Takes the file that has this name now out of its place; undefined when no file has it. `id` was announced for it. */
  async take(file: string, id: string): Promise<Aside | undefined> {
    const target = this.#folder.resolve(file);
    this.#folder.requireStillInside(file);
    // While its version went to the trash, the user may have renamed it by letter case: that is another name now.
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
      // The version is still in its place, so its copy is not needed.
      if (!this.#isThere(at)) await this.#trash.forget(id).catch(() => undefined);
      throw error;
    }
    const aside = { id, file, at, hash: undefined };
    try {
      this.#folder.requireStillInside(file);
      if (!this.#isFolder(at)) return { ...aside, hash: this.#disk.hash(at) };
      // The user put a folder there since the last check.
      await this.#giveBack(aside);
      this.#active.delete(at);
      return undefined;
    } catch (error) {
      await this.putBack(aside);
      throw error;
    }
  }

  /**
   * Gives a version its place back. Where that is taken meanwhile, the version goes to the trash. What cannot be done now,
   * the next scan does.
   */
  async putBack(aside: Aside): Promise<void> {
    try {
      await this.#giveBack(aside);
    } catch {
      // The hidden file is still there and holds the version.
    } finally {
      this.#active.delete(aside.at);
    }
  }

  /**
   * Its version was replaced and is kept in the trash. The hidden file stays for a little while: a program that still has
   * it open may write on.
   */
  retire(aside: Aside): void {
    this.#waiting.push(aside);
  }

  /** Removes the hidden files of what was replaced; what a program wrote into one meanwhile goes to the trash, too. */
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

  /** Recovers hidden files that nothing uses any more. What cannot be recovered now is left for the next scan. */
  async recover(leftovers: readonly string[]): Promise<void> {
    for (const own of leftovers) if (!this.#active.has(own)) await this.#recoverFile(own).catch(() => undefined);
  }

  /** Which of these nothing uses any more. */
  abandoned(leftovers: readonly string[]): readonly string[] {
    return leftovers.filter((own) => !this.#active.has(path.normalize(own)));
  }

  /** All hidden files below the folder, and hidden folders that were taken for files. */
  find(folder: string): string[] {
    const found: string[] = [];
    for (const entry of this.#entries(folder)) {
      const at = path.join(folder, entry.name);
      if (OWN_FILE.test(entry.name)) {
        if (entry.isFile() || (entry.isDirectory() && entry.name.endsWith('.old'))) found.push(at);
      } else if (entry.isDirectory() && !entry.name.startsWith('.') && entry.name !== 'node_modules')
        found.push(...this.find(at));
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
    // Copied back, where there are no hard links: a program that has the file open may have written on meanwhile.
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
      // The note of its path is lost: the trash shows it under the folder that it was found in.
      const folder = this.#folder.pathOf(path.dirname(own));
      await this.#keep(`${folder}/recovered-${id}`, own);
      await this.#disk.calls.remove(own);
    } else if (hash !== undefined && this.#trash.has(id, hash) && this.#isThere(this.#placeOf(file, own))) {
      await this.#disk.calls.remove(own);
    } else await this.#giveBack({ id, file, at: own, hash });
  }

  /** Gives a folder its name, or one beside it that the user sees: the place may be taken by something newer. */
  async #show(at: string, target: string): Promise<void> {
    for (const location of placesAt(target)) {
      if (this.#isThere(location)) continue;
      try {
        await this.#disk.rename(at, location);
        break;
      } catch (error) {
        // A folder never takes the place of a file, nor of a folder with files: it was made this very moment.
        if (!TAKEN.includes(codeOf(error)) || !this.#isThere(location)) throw error;
      }
    }
    this.#folder.renamed();
    await this.#disk.syncFolder(path.dirname(at));
  }

  /** Where a file belongs that was found hidden in a folder, whatever that folder is called now. */
  #placeOf(file: string, at: string): string {
    return path.join(path.dirname(at), path.basename(this.#folder.resolve(file)));
  }

  #isThere(place: string): boolean {
    return this.#disk.stat(place) !== undefined;
  }

  #isFolder(at: string): boolean {
    return this.#disk.stat(at)?.isDirectory() === true;
  }

  /** One more version in the trash. */
  async #keep(file: string, from: string): Promise<void> {
    await this.#trash.keep(await this.#trash.announce(file, { cause: 'pull', deleted: false }), from);
  }
}

/** Codes of systems that rename no folder over what is there. */
const TAKEN = ['EEXIST', 'ENOTEMPTY', 'ENOTDIR', 'EPERM', 'EACCES'];

function* placesAt(target: string): Generator<string, never> {
  yield target;
  yield beside(target, '-recovered');
  for (let number = 2; ; number++) yield beside(target, `-recovered-${number}`);
}

/** Most bytes in a name, on nearly every disk. */
const LONGEST_NAME = 255;

/** The name with an ending, shortened by whole letters where it would be too long. */
function beside(target: string, ending: string): string {
  const letters = Array.from(new Intl.Segmenter().segment(path.basename(target)), ({ segment }) => segment);
  while (Buffer.byteLength(letters.join('') + ending) > LONGEST_NAME) letters.pop();
  return path.join(path.dirname(target), letters.join('') + ending);
}
