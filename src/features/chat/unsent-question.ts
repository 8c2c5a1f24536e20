import type { LastThread } from './last-threads.ts';
import type { Attached, UnsentAttachments } from './unsent-attachments.ts';

/** What is remembered of a view over a reload of the window. */
export interface ViewMemory {
  /** The thread that the view shows; without it only the page remembers the thread. */
  readonly lastThread?: LastThread | undefined;
  readonly attachments: Pick<UnsentAttachments, 'get' | 'set'>;
}

const NOTHING: Attached = { attachments: [], askedAbout: [] };

/**
 * Remembers what is attached to the unsent question of one view. The view in the side bar is known by its window, an editor by its
 * thread, whose key its page remembers.
 */
export class UnsentQuestion {
  readonly #memory: ViewMemory;
  readonly #threadKey: () => string;
  /** The name under which the question was stored last. */
  #stored: string | undefined;
  #isRestored = false;

  constructor(memory: ViewMemory, threadKey: () => string) {
    this.#memory = memory;
    this.#threadKey = threadKey;
  }

  keep(attached: Attached): void {
    // An empty view must not remove what another one on the same thread remembers.
    if (this.#stored === undefined && attached.attachments.length === 0) return;
    const { lastThread, attachments } = this.#memory;
    const name = lastThread?.window ?? this.#threadKey();
    if (this.#stored !== undefined && this.#stored !== name) attachments.set(this.#stored, NOTHING);
    this.#stored = name;
    attachments.set(name, attached);
  }

  /** Returns what was attached before a reload, at the first report of the page: at later ones the view has it. */
  restored(thread: string | undefined): Attached {
    const name = this.#memory.lastThread?.window ?? thread;
    const isFirst = !this.#isRestored;
    this.#isRestored = true;
    if (!isFirst || name === undefined) return NOTHING;
    this.#stored ??= name;
    return this.#memory.attachments.get(name) ?? NOTHING;
  }
}
