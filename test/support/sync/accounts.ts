import type { Version } from './versions.ts';

/** The reason for a version that was dropped by a deletion or a choice, not by a new version. */
export const CHOICE: Version = -1;

/** The versions that a world stores on its disk. */
interface Keeper {
  readonly local: Map<string, Version>;
  readonly durable: Map<string, Version>;
  readonly trash: readonly { readonly version: Version }[];
  readonly side: { kept(): Version[] } | undefined;
}

/** A branch, and the history of every version: who created it, and who chose to drop it. */
export class Accounts {
  readonly remote = new Map<string, Version>();
  /** All worlds around the branch. */
  readonly worlds: Keeper[] = [];
  /** Versions that the user of one of the worlds wrote. */
  readonly byPerson = new Set<Version>();
  readonly renamed = new Set<Version>();
  /** Versions that someone created. */
  readonly #made = new Set<Version>();
  /** Versions that someone replaced or deleted after seeing them: the versions they replaced them with, or -1. */
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
   * Forgives the loss of a version with the disk, before anything could copy it; the choice to drop another version for it is
   * void too. Returns the versions that count as the user's again.
   */
  excuse(gone: Version): readonly Version[] {
    const back: Version[] = [];
    this.#made.delete(gone);
    for (const [version, reasons] of this.#letGo) {
      // A version that was renamed was given up at its old path, whatever happened to the new one.
      if (this.renamed.has(version) || !reasons.delete(gone) || reasons.size > 0) continue;
      this.#letGo.delete(version);
      // The user had overwritten it before the power loss, so it was gone already.
      if (this.isKept(version)) back.push(version);
      else back.push(...this.excuse(version));
    }
    return back;
  }

  /** Returns versions that were never dropped and no longer exist anywhere. */
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
