import { derived } from '#base/derived.ts';
import { isEqual } from '#base/equal.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import { erasedTimes } from '#shell/erased-texts.ts';
import type { StateStore } from '#shell/ports.ts';
import type { ViewOwner } from './messages.ts';

/**
 * Whose unsent texts the views of the chat show, and whose were erased (docs/security.md#what-is-not-sent-yet). A page keeps the
 * texts of each account apart, because only it can delete what VS Code stores of it.
 */
export class TextOwner implements Disposable {
  readonly #state: Pick<StateStore, 'get'>;
  readonly #store = new DisposableStore();
  readonly #erased: Store<ViewOwner['erased']>;
  readonly owner: ReadonlyStore<ViewOwner>;

  /** `account`: the id of the account that the window shows, or an empty text. `state`: what is stored for the user. */
  constructor(account: ReadonlyStore<string>, state: Pick<StateStore, 'get'>) {
    this.#state = state;
    this.#erased = this.#store.add(new Store(erasedTimes(state), isEqual));
    this.owner = this.#store.add(derived(() => ({ account: account.value, erased: this.#erased.value })));
    this.#store.add(account.onDidChange(() => this.refresh()));
  }

  /** Picks up erased accounts, also those that another window has erased. */
  refresh(): void {
    this.#erased.set(erasedTimes(this.#state));
  }

  dispose(): void {
    this.#store.dispose();
  }
}
