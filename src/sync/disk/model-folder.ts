import type { BigIntStats } from 'node:fs';
import path from 'node:path';
import { isInside } from '#base/path.ts';
import { foldName, isAscii } from '#base/file-names.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { codeOf, type Disk } from './disk.ts';
import { TrueNames } from './true-names.ts';
import { requireInside } from './real-path.ts';
import { statOfRoot } from './root.ts';

const REACHED_MS = 10;

/** Where the platform's paths lie on this disk, and the guard that nothing is reached outside of the folder. */
export class ModelFolder {
  readonly root: string;
  /** Paths are put together by the hundred thousand: nothing in them has to be normalized. */
  readonly #rootWithSlash: string;
  readonly #disk: Disk;
  readonly #names: TrueNames;
  readonly #prefix: string;
  /** Folders made here whose names are not yet known to be durable. */
  readonly #made = new Set<string>();
  readonly #linkFolder: string;
  /** The folder that was last seen to be reachable, and when. */
  #reached: { readonly parent: string; readonly at: number } | undefined;
  /** The number of the folder when it was last seen to lie inside the linked one. */
  #checked: bigint | undefined;
  /** Names on the disk that are not in NFC, by the path in NFC. */
  aliases: ReadonlyMap<string, string> = new Map();

  /** `linkFolder`: the folder with `modelbench.json`, which `root` must not leave; `root` itself where there is none. */
  constructor(disk: Disk, root: string, prefix: string, linkFolder = root) {
    this.#disk = disk;
    this.#names = new TrueNames(disk);
    this.root = path.resolve(root);
    this.#rootWithSlash = this.root.endsWith(path.sep) ? this.root : this.root + path.sep;
    this.#prefix = prefix;
    this.#linkFolder = path.resolve(linkFolder);
  }

  /** What the platform's paths of this folder begin with; may be empty. */
  get prefix(): string {
    return this.#prefix;
  }

  /** Throws a `FileProblem` when a symbolic link above the folder leads out of the linked one. */
  requireInside(): void {
    requireInside(this.root, this.#linkFolder, this.#disk);
    this.#checked = this.#rootStat()?.ino;
  }

  /**
   * Whether a file is still reached through real folders only, as when that was last required. What was read or moved
   * before this says so may have been reached through a link that took a folder's place.
   */
  isStillInside(file: string): boolean {
    const parent = path.dirname(this.resolve(file));
    const steps = this.#steps(parent);
    if (this.#rootStat()?.ino !== this.#checked) return false;
    return steps.every((_, at) => {
      const folder = this.#disk.stat(path.join(this.root, ...steps.slice(0, at + 1)));
      return folder === undefined || folder.isDirectory();
    });
  }

  /** Throws a `FileProblem` unless {@link isStillInside}. */
  requireStillInside(file: string): void {
    if (this.isStillInside(file)) return;
    throw new FileProblem(
      'blocked',
      `${file}: a folder above it became a link at this moment. Nothing is written through it.`,
    );
  }

  /** Absolute path of a file. Throws a `FileProblem` for a path that is not of this folder. */
  resolve(file: string): string {
    const inside = file !== this.#prefix && isInside(file, this.#prefix);
    const relative = this.#prefix === '' ? file : file.slice(this.#prefix.length + 1);
    const segments = relative.split('/');
    if (
      !inside ||
      segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[\\\0]/.test(segment))
    ) {
      throw new FileProblem('blocked', `${file}: this path is not inside the linked folder.`);
    }
    return isAscii(relative) ? this.#rootWithSlash + segments.join(path.sep) : this.#resolveForms(segments);
  }

  /** With each name in the Unicode form that the disk has, so that no file gets a twin in the other form. */
  #resolveForms(segments: readonly string[]): string {
    let at = this.root;
    let file = this.#prefix;
    for (const segment of segments) {
      file = file === '' ? segment : `${file}/${segment}`;
      at = path.join(at, isAscii(segment) ? segment : this.#formOf(at, segment, this.aliases.get(file)));
    }
    return at;
  }

  /** `alias`: how the last scan found it, which may be changed since. */
  #formOf(folder: string, name: string, alias: string | undefined): string {
    const forms = [...(alias === undefined ? [] : [alias]), name, name.normalize('NFD')];
    try {
      return forms.find((form) => this.#disk.stat(path.join(folder, form)) !== undefined) ?? name;
    } catch {
      // Reading the file fails in the same way and reports it.
      return alias ?? name;
    }
  }

  /** The platform's path of a folder in here. */
  pathOf(folder: string): string {
    return [this.#prefix, ...this.#steps(folder)].filter((step) => step !== '').join('/');
  }

  /**
   * The folder of a file, when every folder above the file is a real one, no link, under exactly these names; creates the
   * missing ones when asked.
   */
  parentOf(file: string, create: boolean): string | undefined {
    this.requireInside();
    const parent = path.dirname(this.resolve(file));
    let at = this.root;
    for (const step of ['', ...this.#steps(parent)]) {
      if (step !== '') at = (at === this.root ? this.#rootWithSlash : at + path.sep) + step;
      const stat = step === '' ? this.#rootStat() : this.#disk.stat(at);
      if (stat?.isDirectory() === true) {
        const name = step === '' ? undefined : this.#names.trueName(at);
        if (name === undefined) continue;
        if (!create) return undefined;
        throw new FileProblem('blocked', `${file}: its folder is called “${name}” here. Rename one of the two.`);
      }
      if (stat)
        throw new FileProblem(
          'blocked',
          `${file}: ${path.basename(at)} is a link or a file, not a folder. Nothing is written through it.`,
        );
      if (!create) return undefined;
      this.#make(at);
    }
    this.#reached = { parent, at: this.#disk.calls.now() };
    return parent;
  }

  /** Whether the disk leads to a file under another name than this one: by letter case only. */
  isMisnamed(target: string): boolean {
    return this.#names.trueName(target) !== undefined;
  }

  /** Names in this folder changed: what was remembered of it no longer counts. */
  renamed(): void {
    this.#names.forget();
    this.#reached = undefined;
  }

  /**
   * Gives folders above `to` the letter case that `to` has, where they are the folders of `from`: on a disk that ignores
   * case, a file cannot get into a folder of another case in any other way.
   */
  async alignCase(from: string, to: string): Promise<void> {
    const steps = this.#steps(path.dirname(this.resolve(to)));
    const sources = this.#steps(path.dirname(this.resolve(from)));
    let at = this.root;
    for (const [depth, step] of steps.entries()) {
      at = path.join(at, step);
      const source = sources[depth];
      if (source === undefined || foldName(source) !== foldName(step)) return;
      if (source === step || this.#disk.stat(at) === undefined || this.#names.trueName(at) === undefined) continue;
      await this.#disk.rename(path.join(path.dirname(at), source), at);
      this.renamed();
    }
  }

  /**
   * Whether nothing but real folders lies above the file, some of them are not there, or a file is in the way. For reading
   * only, and so remembered for a moment: a push reads the files of one folder by the hundred. Writers call `parentOf` each
   * time.
   */
  reach(file: string): 'inside' | 'missing' | 'file' | 'blocked' {
    const now = this.#disk.calls.now();
    try {
      const parent = path.dirname(this.resolve(file));
      if (this.#reached?.parent === parent && Math.abs(now - this.#reached.at) < REACHED_MS) return 'inside';
      return this.parentOf(file, false) === undefined ? 'missing' : 'inside';
    } catch (error) {
      if (!(error instanceof FileProblem)) throw error;
      return this.#steps(path.dirname(this.resolve(file))).some((_, at, all) =>
        this.#disk.stat(path.join(this.root, ...all.slice(0, at + 1)))?.isFile(),
      )
        ? 'file'
        : 'blocked';
    }
  }

  /** Makes way for a file where there are only empty folders of its name. */
  clearEmptyFolder(target: string): void {
    if (this.#disk.stat(target)?.isDirectory() !== true) return;
    for (const entry of this.#disk.calls.entries(target)) {
      if (!entry.isDirectory()) return;
      this.clearEmptyFolder(path.join(target, entry.name));
    }
    this.#disk.calls.removeFolder(target);
  }

  /** Makes the names of the folders that were made here durable. */
  async syncMade(): Promise<void> {
    for (const folder of this.#made) {
      await this.#disk.syncFolder(path.dirname(folder));
      this.#made.delete(folder);
    }
  }

  #steps(folder: string): string[] {
    if (folder === this.root) return [];
    return folder.slice(this.#rootWithSlash.length).split(path.sep);
  }

  #rootStat(): BigIntStats | undefined {
    return this.#disk.stat(this.root) && statOfRoot(this.#disk.calls, this.root);
  }

  #make(folder: string): void {
    try {
      this.#disk.calls.makeFolder(folder, folder === this.root);
      this.#made.add(folder);
      this.#names.forget();
      if (folder === this.root) this.#checked = this.#rootStat()?.ino;
    } catch (error) {
      if (codeOf(error) !== 'EEXIST') throw error;
    }
  }

  /** Removes folders that became empty, up to the root. */
  prune(file: string): void {
    let at = path.dirname(this.resolve(file));
    while (at !== this.root && at.startsWith(this.root + path.sep)) {
      try {
        this.#disk.calls.removeFolder(at);
      } catch {
        return;
      }
      at = path.dirname(at);
    }
  }
}
