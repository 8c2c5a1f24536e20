import type { ReadonlyStore } from '#base/store.ts';
import type { LastThread } from './last-threads.ts';
import type { ViewOwner } from './messages.ts';
import type { Attached, UnsentAttachments } from './unsent-attachments.ts';

/** What is remembered of a view over a reload of the window. */
export interface ViewMemory {
  /** The thread that the view shows; without it only the page remembers the thread. */
  readonly lastThread?: LastThread | undefined;
  readonly attachments: Pick<UnsentAttachments, 'get' | 'set'>;
  /** Whose unsent questions the view shows. */
  readonly owner: ReadonlyStore<ViewOwner>;
}

const NOTHING: Attached = { attachments: [], askedAbout: [] };

/**
 * Remembers what is attached to the unsent question of one view, for each account. The view in the side bar is known by its window,
 * an editor by its thread, whose key its page remembers.
 */
export class UnsentQuestion {
  readonly #memory: ViewMemory;
  readonly #threadKey: () => string;
  /** The name under which the question was stored last. */
  #stored: string | undefined;
  #isRestored = false;
  /** The account whose question the view shows; empty: no account. */
  #account: string;

  constructor(memory: ViewMemory, threadKey: () => string) {
    this.#memory = memory;
    this.#threadKey = threadKey;
    this.#account = memory.owner.value.account;
  }

  keep(attached: Attached): void {
    // An empty view must not remove what another one on the same thread remembers.
    if (this.#stored === undefined && attached.attachments.length === 0) return;
    const { lastThread, attachments } = this.#memory;
    const name = lastThread?.window ?? this.#threadKey();
    if (this.#stored !== undefined && this.#stored !== name) attachments.set(this.#stored, this.#account, NOTHING);
    this.#stored = name;
    attachments.set(name, this.#account, attached);
  }

  /** Returns what was attached before a reload, at the first report of the page: at later ones the view has it. */
  restored(thread: string | undefined): Attached {
    const name = this.#memory.lastThread?.window ?? thread;
    const isFirst = !this.#isRestored;
    this.#isRestored = true;
    if (!isFirst || name === undefined) return NOTHING;
    this.#stored ??= name;
    return this.#ownOf(name);
  }

  /**
   * Follows the account that the window shows. Returns what is attached for it, given what the view shows; `undefined` if that stays.
   * What was attached without an account goes to the one that is signed in to send it.
   */
  follow(shown: Attached): Attached | undefined {
    const { account } = this.#memory.owner.value;
    if (account === this.#account) return undefined;
    const isUnowned = this.#account === '';
    this.#account = account;
    const own = this.#ownOf(this.#stored ?? this.#memory.lastThread?.window ?? this.#threadKey());
    return isUnowned ? together(own, shown) : own;
  }

  /** Returns what is stored for the account, with what was attached without an account, which becomes the account's. */
  #ownOf(name: string): Attached {
    const { attachments } = this.#memory;
    const own = attachments.get(name, this.#account) ?? NOTHING;
    const unowned = this.#account === '' ? undefined : attachments.get(name, '');
    if (!unowned) return own;
    const all = together(own, unowned);
    attachments.set(name, this.#account, all);
    attachments.set(name, '', NOTHING);
    return all;
  }
}

function together(first: Attached, second: Attached): Attached {
  const known = new Set(first.attachments.map(({ id }) => id));
  return {
    attachments: [...first.attachments, ...second.attachments.filter(({ id }) => !known.has(id))],
    askedAbout: [...new Set([...first.askedAbout, ...second.askedAbout])],
  };
}
