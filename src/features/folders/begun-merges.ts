import type { ListedState } from '#shell/erased-texts.ts';
import type { FileTarget } from '#shell/targets.ts';
import { mergeKey } from './begun-keys.ts';

/** The local version that a merge began with, and the hash of the other version that it is merged with. */
export interface BegunMerge {
  /** The account that the folder is linked to: what is stored of it is erased with the account. */
  readonly accountId?: string | undefined;
  readonly mine: string;
  readonly remote: string;
  /** The stand-in for the common ancestor, if that is not known. */
  readonly base?: string | undefined;
  /** Whether a Git step waits for the merge. */
  readonly inStep?: boolean | undefined;
  /** The initial text of the merge editor, if it left conflicts open: a file that still has this text is not merged. */
  readonly start?: string | undefined;
}

/** Merges that have begun and are not resolved. They survive a restart of the window, as VS Code's merge editors do. */
export class BegunMerges {
  readonly #window: ListedState;
  /** The merges that this window began or continued. */
  readonly #own = new Set<string>();

  constructor(window: ListedState) {
    this.#window = window;
  }

  of(file: FileTarget): BegunMerge | undefined {
    return this.#window.get(mergeKey(file)) as BegunMerge | undefined;
  }

  async keep(file: FileTarget, merge: BegunMerge): Promise<void> {
    this.#own.add(mergeKey(file));
    await this.#window.set(mergeKey(file), merge);
  }

  async end(file: FileTarget): Promise<void> {
    await this.#window.set(mergeKey(file), undefined);
  }

  /** Whether an earlier window left the merge over and this one has not opened it. */
  isLeftOver(file: FileTarget): boolean {
    return this.of(file) !== undefined && !this.#own.has(mergeKey(file));
  }

  /**
   * Returns the paths of a folder's files with a merge in progress: the file on disk is unfinished, even if it equals a known
   * version.
   */
  paths(folderId: string): readonly string[] {
    const prefix = mergeKey({ folderId, path: '' });
    return this.#window.keys().flatMap((key) => (key.startsWith(prefix) ? [key.slice(prefix.length)] : []));
  }
}
