import path from 'node:path';
import { foldName } from '#base/file-names.ts';
import type { Disk } from './disk.ts';

/** How long a listing of names may be used again: a push asks for the names of one folder by the hundred. */
const LISTED_MS = 10;
/** What Windows calls a file for programs that know eight letters only, `ORDERS~1.YML`. */
const SHORT_NAME = /~\d/;

/**
 * What entries are really called. A disk may find an entry under other names than its own: in another letter case or Unicode
 * form, or by a short name that Windows made up. Whether a name may mislead is asked of each folder with the entry at hand,
 * because it may differ between folders of one disk; then the folder's list decides. Nothing is written for it.
 */
export class TrueNames {
  readonly #disk: Disk;
  #listed: { readonly folder: string; readonly names: ReadonlySet<string>; readonly at: number } | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Nothing that was listed counts any more. */
  forget(): void {
    this.#listed = undefined;
  }

  /** The name of an entry that is there, when it is not the one it was found by; both compared in their normal form. */
  trueName(file: string): string | undefined {
    const name = path.basename(file);
    const folder = path.dirname(file);
    const wanted = name.normalize('NFC');
    if (!this.#mayMislead(folder, name) || this.#names(folder).has(wanted)) return undefined;
    // It may have been made since the folder was listed.
    this.forget();
    const names = this.#names(folder);
    if (names.has(wanted)) return undefined;
    const folded = foldName(wanted);
    for (const real of names) if (foldName(real) === folded) return real;
    // Found by a rule of the disk that is not known here.
    return this.#sameEntry(folder, name, names) ?? `${name} (another name)`;
  }

  #mayMislead(folder: string, name: string): boolean {
    const other = swapCase(name);
    if (other !== name && this.#disk.stat(folder + path.sep + other) !== undefined) return true;
    return SHORT_NAME.test(name) || foldName(name) !== name.normalize('NFC').toLowerCase();
  }

  #sameEntry(folder: string, name: string, names: ReadonlySet<string>): string | undefined {
    const entry = this.#disk.stat(path.join(folder, name))?.ino ?? 0n;
    if (entry === 0n) return undefined;
    for (const real of names) if (this.#disk.stat(path.join(folder, real))?.ino === entry) return real;
    return undefined;
  }

  #names(folder: string): ReadonlySet<string> {
    const now = this.#disk.calls.now();
    if (this.#listed?.folder === folder && Math.abs(now - this.#listed.at) < LISTED_MS) return this.#listed.names;
    const names = new Set(this.#disk.calls.entries(folder).map((entry) => entry.name.normalize('NFC')));
    this.#listed = { folder, names, at: now };
    return names;
  }
}

/** The same name in other letters, as far as that keeps its length. */
function swapCase(name: string): string {
  let swapped = '';
  for (const character of name) {
    const upper = character.toUpperCase();
    const other = upper === character ? character.toLowerCase() : upper;
    swapped += other.length === character.length ? other : character;
  }
  return swapped;
}
