import path from 'node:path';
import type { Disk } from './disk.ts';

/** So long a listing of names may be used again: a push asks for the names of one folder by the hundred. */
const LISTED_MS = 10;

/**
 * What entries are really called. A disk that ignores letter case finds `Orders.yml` under `orders.yml`, too. Whether it
 * does is asked of each folder with the entry at hand, because it may differ between folders of one disk; nothing is
 * written for it.
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
    const other = swapCase(name);
    // Not found under other letters, so letters count here. (Where both are there, the list decides.)
    if (other === name || this.#disk.stat(path.join(folder, other)) === undefined) return undefined;
    const names = this.#names(folder);
    const wanted = name.normalize('NFC');
    if (names.has(wanted)) return undefined;
    const folded = wanted.toLowerCase();
    for (const real of names) if (real.toLowerCase() === folded) return real;
    return undefined;
  }

  #names(folder: string): ReadonlySet<string> {
    const now = performance.now();
    if (this.#listed?.folder === folder && now - this.#listed.at < LISTED_MS) return this.#listed.names;
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
