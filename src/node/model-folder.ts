import { mkdirSync, rmdirSync } from 'node:fs';
import path from 'node:path';
import { isInside } from '#base/path.ts';
import { FileProblem } from '#sync/ports.ts';
import { codeOf, statOf } from './disk.ts';
import { requireInside } from './real-path.ts';

const REACHED_MS = 10;

/** Where the platform's paths lie on this disk, and the guard that nothing is reached outside of the folder. */
export class ModelFolder {
  readonly root: string;
  readonly #prefix: string;
  readonly #linkFolder: string;
  /** The folder that was last seen to be reachable, and when. */
  #reached: { readonly parent: string; readonly at: number } | undefined;
  /** Names on the disk that are not in NFC, by the path in NFC. */
  aliases: ReadonlyMap<string, string> = new Map();

  /** `linkFolder`: the folder with `modelbench.json`, which `root` must not leave; `root` itself where there is none. */
  constructor(root: string, prefix: string, linkFolder = root) {
    this.root = path.resolve(root);
    this.#prefix = prefix;
    this.#linkFolder = path.resolve(linkFolder);
  }

  /** What the platform's paths of this folder begin with; may be empty. */
  get prefix(): string {
    return this.#prefix;
  }

  /** Throws a `FileProblem` when a symbolic link above the folder leads out of the linked one. */
  requireInside(): void {
    requireInside(this.root, this.#linkFolder);
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
      throw new FileProblem('blocked', `${file}: this path does not lie in the linked folder.`);
    }
    if (this.aliases.size === 0) return path.join(this.root, ...segments);
    let at = this.#prefix;
    const names = segments.map((segment) => {
      at = at === '' ? segment : `${at}/${segment}`;
      return this.aliases.get(at) ?? segment;
    });
    return path.join(this.root, ...names);
  }

  /** Whether every folder above the file is a real folder, no link; creates the missing ones when asked. */
  parentOf(file: string, create: boolean): string | undefined {
    this.requireInside();
    const target = this.resolve(file);
    const parent = path.dirname(target);
    const steps = path
      .relative(this.root, parent)
      .split(path.sep)
      .filter((step) => step !== '');
    let at = this.root;
    for (const step of ['', ...steps]) {
      at = step === '' ? at : path.join(at, step);
      const stat = statOf(at);
      if (stat?.isDirectory() === true) continue;
      if (stat)
        throw new FileProblem(
          'blocked',
          `${file}: ${path.basename(at)} is a link or a file, not a folder. Nothing is written through it.`,
        );
      if (!create) return undefined;
      makeFolder(at, at === this.root);
    }
    return parent;
  }

  /**
   * Whether nothing but real folders (or nothing at all) lies above the file. For reading only, and so remembered for a
   * moment: a push reads the files of one folder by the hundred. Whoever writes asks `parentOf` each time.
   */
  isReachable(file: string): boolean {
    const now = performance.now();
    try {
      const parent = path.dirname(this.resolve(file));
      if (this.#reached?.parent === parent && now - this.#reached.at < REACHED_MS) return true;
      if (this.parentOf(file, false) !== undefined) this.#reached = { parent, at: now };
      return true;
    } catch (error) {
      if (error instanceof FileProblem) return false;
      throw error;
    }
  }

  /** Removes folders that became empty, up to the root. */
  prune(file: string): void {
    let at = path.dirname(this.resolve(file));
    while (at !== this.root && at.startsWith(this.root + path.sep)) {
      try {
        rmdirSync(at);
      } catch {
        return;
      }
      at = path.dirname(at);
    }
  }
}

function makeFolder(folder: string, recursive: boolean): void {
  try {
    mkdirSync(folder, { recursive });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}
