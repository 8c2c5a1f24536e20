import type { Dirent } from 'node:fs';
import { isInside } from '#base/path.ts';

/** What a name in a folder turned out to be, beside the row of a file in the stat table (0 or more). */
export const IGNORED_FILE = -1;
export const IGNORED_FOLDER = -2;
export const SUBFOLDER = -3;
/** What is checked again each time: a link, a forbidden name, a file without a row. */
export const UNSETTLED = -4;

export interface KnownFolder {
  /** Names as the disk has them, in the disk's order. */
  readonly names: readonly string[];
  /** For each name, a row of the stat table or one of the numbers above. */
  readonly rows: Int32Array;
}

/**
 * What the last scan made of each folder's names. As long as a folder lists the very same names, nothing about them is
 * worked out again: no normal form, no ignore rule, no path. Each file is still checked.
 */
export class FolderMemory {
  readonly #folders = new Map<string, KnownFolder>();
  readonly #rulesAt = new Map<string, string>();
  #rules: string | undefined;

  /** Forgets everything when it was learnt under other rules. */
  under(rules: string): void {
    if (rules !== this.#rules) this.clear();
    this.#rules = rules;
  }

  /** Forgets a folder and everything below it when its own ignore files are not those of the last time. */
  underAt(path: string, rules: string | undefined): void {
    if (this.#rulesAt.get(path) === rules) return;
    if (rules === undefined) this.#rulesAt.delete(path);
    else this.#rulesAt.set(path, rules);
    for (const folder of this.#folders.keys()) if (isInside(folder, path)) this.#folders.delete(folder);
  }

  /** What is known of a folder that lists exactly these entries. */
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
