import type { BigIntStats } from 'node:fs';
import path from 'node:path';
import { isInside, pathInside } from '#base/path.ts';
import { foldName, isAscii } from '#base/file-names.ts';
import { FileProblem } from '#sync/core/ports.ts';
import { codeOf } from '#base/system-error.ts';
import type { Disk } from './disk.ts';
import { TrueNames } from './true-names.ts';
import { requireInside } from './real-path.ts';
import { statOfRoot } from './root.ts';

const REACHED_MS = 10;

/** Maps the platform's paths to this disk, and makes sure that nothing outside the folder is reached. */
export class ModelFolder {
  readonly root: string;
  /** Paths are joined by the hundred thousand, and nothing in them needs to be normalized. */
  readonly #rootWithSlash: string;
  readonly #disk: Disk;
  readonly #names: TrueNames;
  readonly #prefix: string;
  /** Folders created here whose names may not be durable yet. */
  readonly #made = new Set<string>();
  readonly #linkFolder: string;
  /** The folder that was last found reachable, and when. */
  #reached: { readonly parent: string; readonly at: number } | undefined;
  /** The inode of the folder when it was last found inside the linked one. */
  #checked: bigint | undefined;
  /** Names on the disk that are not in NFC, by the path in NFC. */
  aliases: ReadonlyMap<string, string> = new Map();

  /** `linkFolder`: the folder with `modelbench.json`, which `root` must not leave; `root` itself if there is none. */
  constructor(disk: Disk, root: string, prefix: string, linkFolder = root) {
    this.#disk = disk;
    this.#names = new TrueNames(disk);
    this.root = path.resolve(root);
    this.#rootWithSlash = this.root.endsWith(path.sep) ? this.root : this.root + path.sep;
    this.#prefix = prefix;
    this.#linkFolder = path.resolve(linkFolder);
  }

  /** The beginning of the platform's paths for this folder; may be empty. */
  get prefix(): string {
    return this.#prefix;
  }

  /** Throws a `FileProblem` when a symbolic link above the folder leads out of the linked one. */
  requireInside(): void {
    requireInside(this.root, this.#linkFolder, this.#disk);
    this.#checked = this.#rootStat()?.ino;
  }

  /**
   * Whether a file is still reached through real folders only, as at the last `requireInside`. If not, anything that
   * was just read or moved may have been reached through a link that replaced a folder.
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

  /** Returns the absolute path of a file. Throws a `FileProblem` for a path outside this folder. */
  resolve(file: string): string {
    const relative = pathInside(file, this.#prefix) ?? '';
    const segments = relative.split('/');
    if (segments.some((segment) => segment === '' || segment === '.' || segment === '..' || /[\\\0]/.test(segment))) {
      throw new FileProblem('blocked', `${file}: this path is not inside the linked folder.`);
    }
    return isAscii(relative) ? this.#rootWithSlash + segments.join(path.sep) : this.#resolveForms(segments);
  }

  /** Returns the path with each name in the Unicode form on the disk, so that no file exists in both forms. */
  #resolveForms(segments: readonly string[]): string {
    let at = this.root;
    let file = this.#prefix;
    for (const segment of segments) {
      file = file === '' ? segment : `${file}/${segment}`;
      at = path.join(at, isAscii(segment) ? segment : this.#formOf(at, segment, this.aliases.get(file)));
    }
    return at;
  }

  /** `alias`: the name that the last scan found, which may have changed since. */
  #formOf(folder: string, name: string, alias: string | undefined): string {
    const forms = [...(alias === undefined ? [] : [alias]), name, name.normalize('NFD')];
    try {
      return forms.find((form) => this.#disk.stat(path.join(folder, form)) !== undefined) ?? name;
    } catch {
      // Reading the file fails in the same way and reports it.
      return alias ?? name;
    }
  }

  /** Returns the platform's path of a folder below this one. */
  pathOf(folder: string): string {
    return [this.#prefix, ...this.#steps(folder)].filter((step) => step !== '').join('/');
  }

  /**
   * Returns the folder of a file if every folder above the file is a real one, not a link, with exactly these names;
   * creates the missing ones on request.
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

  /** Whether the disk finds a file under this name although its real name is a different one, such as by letter case. */
  isMisnamed(target: string): boolean {
    return this.#names.trueName(target) !== undefined;
  }

  /** Forgets the remembered names after names in this folder changed. */
  renamed(): void {
    this.#names.forget();
    this.#reached = undefined;
  }

  /**
   * Gives the folders above `to` their new letter case where they are also the folders of `from`: on a disk that
   * ignores case, a file cannot get into a folder with different case in any other way.
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
   * Returns whether only real folders lie above the file (`inside`), some of them are missing, a file is in the way, or something
   * else blocks it, such as a link. For reading only, and so cached for a moment: a push reads the files of one folder by the
   * hundred. Writers call `parentOf` each time.
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

  /** Removes a folder with a file's name if it contains nothing but empty folders. */
  clearEmptyFolder(target: string): void {
    if (this.#disk.stat(target)?.isDirectory() !== true) return;
    for (const entry of this.#disk.calls.entries(target)) {
      if (!entry.isDirectory()) return;
      this.clearEmptyFolder(path.join(target, entry.name));
    }
    this.#disk.calls.removeFolder(target);
  }

  /** Makes the names of the folders that were created here durable. */
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

  /** Removes the folders of a file that have become empty, up to the root. */
  prune(file: string): void {
    let at = path.dirname(this.resolve(file));
    while (at !== this.root && isInside(at, this.root, path.sep)) {
      try {
        this.#disk.calls.removeFolder(at);
      } catch {
        return;
      }
      at = path.dirname(at);
    }
  }
}
