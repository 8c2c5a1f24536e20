import { isEqual } from '#base/equal.ts';

/**
 * Which draft of the platform the text of a document was made from: the base of its next merge. The text may become one of
 * before or after a merge at any time (*Undo*, *Redo*, *Revert File*, an editor that is opened again), and its base goes
 * with it. Otherwise what others saved would seem to be removed by the user.
 */
export class DraftBase {
  #value: unknown;
  /** What the document said last. */
  #shown: unknown;
  /** Texts whose base is known for certain, the newest last. */
  #known: readonly Known[] = [];

  get value(): unknown {
    return this.#value;
  }

  /** `draft` was read (`undefined`: there is none yet) and is shown as `shown`. */
  opened(draft: unknown, shown: unknown): void {
    this.#value = draft;
    this.#shown = shown;
    this.#known = [{ shown, base: draft }];
  }

  /** A text that is neither of the known ones was made from `base`: edits that outlived a reload of the window. */
  restored(base: unknown): void {
    this.#value = base;
    this.#shown = undefined;
  }

  /** The document says `value` now. */
  showing(value: unknown): void {
    const known = this.#known.findLast(({ shown }) => isEqual(shown, value));
    if (known && !isEqual(known.base, this.#value)) {
      // *Undo* comes back to what was left.
      if (!isEqual(this.#shown, value)) this.#known = [...this.#known, { shown: this.#shown, base: this.#value }];
      this.#value = known.base;
    }
    this.#shown = value;
  }

  /** `mine` has conflicts with `theirs`: the document is going to say `merged`. */
  offered({
    mine,
    merged,
    theirs,
  }: {
    readonly mine: unknown;
    readonly merged: unknown;
    readonly theirs: unknown;
  }): void {
    this.#known = [
      ...this.#known,
      { shown: mine, base: this.#value },
      { shown: theirs, base: theirs },
      { shown: merged, base: theirs },
    ];
  }

  /** `mine` was saved and the platform has `draft` now. Until the document shows it, it has only what is mine. */
  saved(mine: unknown, draft: unknown): void {
    const superseded = this.#value;
    this.#known = [
      // Going back behind an own save is an own change: only texts from before a merge keep their base.
      ...this.#known.filter(({ base }) => !isEqual(base, superseded)),
      { shown: mine, base: mine },
      { shown: draft, base: draft },
    ];
    this.#value = mine;
  }
}

interface Known {
  readonly shown: unknown;
  readonly base: unknown;
}
