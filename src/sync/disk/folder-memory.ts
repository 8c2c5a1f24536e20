import type { Dirent } from 'node:fs';
import { isInside } from '#base/path.ts';

/** The kinds of names in a folder, besides the row of a file in the stat table (0 or more). */
export const IGNORED_FILE = -1;
export const IGNORED_FOLDER = -2;
export const SUBFOLDER = -3;
/** An entry that is checked again each time: a link, a forbidden name, a file without a row. */
export const UNSETTLED = -4;

export interface KnownFolder {
  /** Names as the disk has them, in the disk's order. */
  readonly names: readonly string[];
  /** For each name, a row of the stat table or one of the negative numbers above. */
  readonly rows: Int32Array;
}

/**
 * The result of the last scan for the names in each folder. As long as a folder lists the very same names, their normal
 * forms, ignore rules and paths are not computed again. Each file is still checked.
 */
export class FolderMemory {
  readonly #folders = new Map<string, KnownFolder>();
  readonly #rulesAt = new Map<string, string>();
  #rules: string | undefined;

  /** Forgets everything if the rules have changed. */
  under(rules: string): void {
    if (rules !== this.#rules) this.clear();
    this.#rules = rules;
  }

  /** Forgets a folder and everything below it if its own ignore files have changed. */
  underAt(path: string, rules: string | undefined): void {
    if (this.#rulesAt.get(path) === rules) return;
    if (rules === undefined) this.#rulesAt.delete(path);
    else this.#rulesAt.set(path, rules);
    for (const folder of this.#folders.keys()) if (isInside(folder, path)) this.#folders.delete(folder);
  }

  /** Returns the stored result for a folder that lists exactly these entries. */
  recall(path: string, entries: readonly Dirent[]): KnownFolder | undefined {
    const known = this.#folders.get(path);
    if (known?.names.length !== entries.length) return undefined;
    for (let at = 0; at < entries.length; at++) {
      const entry = entries[at];
      if (entry === undefined || entry.name !== known.names[at]) return undefined;
      const row = known.rows[at] ?? UNSETTLED;
      if (entry.isDirectory() !== (row === SUBFOLDER || row === IGNORED_FOLDER)) return undefined;
    }
    return known;
  }

  keep(path: string, folder: KnownFolder): void {
    this.#folders.set(path, folder);
  }

  forget(path: string): void {
    this.#folders.delete(path);
  }

  clear(): void {
    this.#folders.clear();
  }
}
