import type { Version } from './versions.ts';

/** Deleted, or another side chosen, rather than replaced by a new version. */
export const CHOICE: Version = -1;

/** What a world keeps on its disk. */
interface Keeper {
  readonly local: Map<string, Version>;
  readonly durable: Map<string, Version>;
  readonly trash: readonly { readonly version: Version }[];
  readonly side: { kept(): Version[] } | undefined;
}

/** A branch, and the account of every version: who made it, and who chose to let it go. */
export class Accounts {
  readonly remote = new Map<string, Version>();
  /** All worlds around the branch. */
  readonly worlds: Keeper[] = [];
  /** Versions that the user of one of the worlds wrote. */
  readonly byPerson = new Set<Version>();
  readonly renamed = new Set<Version>();
  /** Versions that someone made. */
  readonly #made = new Set<Version>();
  /** Versions that someone who saw them replaced or deleted: the versions they replaced them with, or -1. */
  readonly #letGo = new Map<Version, Set<Version>>();
  #next: Version = 1;

  make(insteadOf: Version | undefined): Version {
    const version = this.#next++;
    this.#made.add(version);
    this.release(insteadOf, version);
    return version;
  }

  release(version: Version | undefined, by: Version): void {
    if (version !== undefined) this.#letGo.set(version, (this.#letGo.get(version) ?? new Set()).add(by));
  }

  /**
   * A version is gone with the disk before anybody could copy it; so is the choice to give up another one for it.
   * Answers the versions that count as the user's again.
   */
  excuse(gone: Version): readonly Version[] {
    const back: Version[] = [];
    this.#made.delete(gone);
    for (const [version, reasons] of this.#letGo) {
      // A version that was renamed away was given up at its old path, whatever became of the new one.
      if (this.renamed.has(version) || !reasons.delete(gone) || reasons.size > 0) continue;
      this.#letGo.delete(version);
      // Overwritten by the user before the power went: it was gone already.
      if (this.isKept(version)) back.push(version);
      else back.push(...this.excuse(version));
    }
    return back;
  }

  /** Versions that nobody let go and that are nowhere any more. */
  lost(): Version[] {
    return [...this.#made].filter((version) => !this.#letGo.has(version) && !this.isKept(version));
  }

  isKept(version: Version): boolean {
    const sides = [this.remote, ...this.worlds.map(({ local }) => local)];
    return (
      sides.some((side) => [...side.values()].includes(version)) ||
      this.worlds.some(({ trash }) => trash.some((item) => item.version === version)) ||
      this.worlds.some(({ side }) => side?.kept().includes(version) === true)
    );
  }
}
