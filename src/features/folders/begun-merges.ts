import type { FileTarget } from '#shell/targets.ts';

/** The local version that a merge began with, and the hash of the other version that it is merged with. */
export interface BegunMerge {
  readonly mine: string;
  readonly remote: string;
  /** What both have in common, in a merge with another branch: no version is known that they come from. */
  readonly base?: string | undefined;
  /** What the merge editor began with, where it left conflicts open: a file that still is this was not merged. */
  readonly start?: string | undefined;
}

/** What a window remembers of itself. */
interface WindowMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
  keys(): readonly string[];
}

/** Merges that were begun and are not resolved. They outlive the window, as VS Code's merge editors do. */
export class BegunMerges {
  readonly #window: WindowMemory;
  /** Those that this window began or continued. */
  readonly #own = new Set<string>();

  constructor(window: WindowMemory) {
    this.#window = window;
  }

  of(file: FileTarget): BegunMerge | undefined {
    return this.#window.get(keyOf(file)) as BegunMerge | undefined;
  }

  async keep(file: FileTarget, merge: BegunMerge): Promise<void> {
    this.#own.add(keyOf(file));
    await this.#window.update(keyOf(file), merge);
  }

  async end(file: FileTarget): Promise<void> {
    await this.#window.update(keyOf(file), undefined);
  }

  /** Whether the merge was left over by an earlier window and not opened since. */
  isLeftOver(file: FileTarget): boolean {
    return this.of(file) !== undefined && !this.#own.has(keyOf(file));
  }

  /** Paths of a folder's files with a merge under way: what is on the disk is half of it, whatever it is equal to. */
  paths(folderId: string): readonly string[] {
    const prefix = keyOf({ folderId, path: '' });
    return this.#window.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  }
}

const keyOf = ({ folderId, path }: FileTarget): string => `merge ${folderId} ${path}`;
