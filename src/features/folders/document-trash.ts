import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import { observe, type ReadonlyStore, Store } from '#base/store.ts';
import { branchKey } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { BranchTrash } from './branch-trash.ts';

/**
 * Follows whether the branch whose document is in the active editor has something in its trash, so that *Restore from Trash…* is
 * offered beside the document only where it has something to act on.
 */
export class DocumentTrash implements Disposable {
  readonly #trash: Pick<BranchTrash, 'list'>;
  readonly #shown: ReadonlyStore<BranchTarget | undefined>;
  readonly #owned = new DisposableStore();
  /** The branch whose trash is known to hold a version. It never becomes empty: it keeps the newest version of each file. */
  readonly #holding = this.#owned.add(new Store<string | undefined>(undefined));

  /** `shown`: the branch of the document in the active editor. */
  constructor(
    shown: ReadonlyStore<BranchTarget | undefined>,
    trash: Pick<BranchTrash, 'list'>,
    onDidWrite: Event<BranchTarget>,
  ) {
    this.#shown = shown;
    this.#trash = trash;
    this.#owned.add(observe(shown, () => void this.#read()));
    this.#owned.add(onDidWrite(() => void this.#read()));
  }

  get holds(): boolean {
    const shown = this.#shown.value;
    return shown !== undefined && this.#holding.value === branchKey(shown);
  }

  dispose(): void {
    this.#owned.dispose();
  }

  async #read(): Promise<void> {
    const shown = this.#shown.value;
    if (!shown || this.holds) return;
    // What cannot be read is offered: the command then says what is wrong.
    const isEmpty = await this.#trash.list(shown).then(
      (items) => items.length === 0,
      () => false,
    );
    const now = this.#shown.value;
    if (!isEmpty && now && branchKey(now) === branchKey(shown)) this.#holding.set(branchKey(shown));
  }
}
