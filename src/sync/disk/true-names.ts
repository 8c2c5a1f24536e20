import path from 'node:path';
import { foldName } from '#base/file-names.ts';
import type { Disk } from './disk.ts';

/** How long a listing of names may be reused, in ms: a push asks for the names in one folder by the hundred. */
const LISTED_MS = 10;
/** The short names that Windows creates for programs limited to eight letters, such as `ORDERS~1.YML`. */
const SHORT_NAME = /~\d/;

/**
 * The real names of entries. A disk may find an entry under other names than its own: with different letter case or
 * Unicode form, or by a short name that Windows generated. Whether a name can mislead is checked with the entry itself,
 * because that may differ between folders of one disk; if so, the folder's list decides. Nothing is written for this.
 */
export class TrueNames {
  readonly #disk: Disk;
  #listed: { readonly folder: string; readonly names: ReadonlySet<string>; readonly at: number } | undefined;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Forgets the cached listing. */
  forget(): void {
    this.#listed = undefined;
  }

  /** Returns the name of an existing entry if it differs from the one it was found by; both are compared in normal form. */
  trueName(file: string): string | undefined {
    const name = path.basename(file);
    const folder = path.dirname(file);
    const wanted = name.normalize('NFC');
    if (!this.#mayMislead(folder, name) || this.#names(folder).has(wanted)) return undefined;
    // It may have been created since the folder was listed.
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

/** Returns the name with the case of its letters swapped, where that does not change its length. */
function swapCase(name: string): string {
  let swapped = '';
  for (const character of name) {
    const upper = character.toUpperCase();
    const other = upper === character ? character.toLowerCase() : upper;
    swapped += other.length === character.length ? other : character;
  }
  return swapped;
}
