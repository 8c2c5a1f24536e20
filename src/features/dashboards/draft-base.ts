import { isEqual } from '#base/equal.ts';

/**
 * The draft from which the text of a document was made: the base of its next merge. *Undo*, *Redo*, *Revert File* or reopening an
 * editor can change the text to one from before or after a merge, and the base changes with it. Otherwise the changes that others
 * saved would look as if the user had removed them.
 */
export class DraftBase {
  #value: unknown;
  /** The last value of the document. */
  #shown: unknown;
  /** Texts whose base is certain, newest last. */
  #known: readonly Known[] = [];

  get value(): unknown {
    return this.#value;
  }

  /** Records that `draft` was read (`undefined`: there is none yet) and is shown as `shown`. */
  opened(draft: unknown, shown: unknown): void {
    this.#value = draft;
    this.#shown = shown;
    this.#known = [{ shown, base: draft }];
  }

  /** Records `base` as the base of a text that is not known: edits that survived a reload of the window. */
  restored(base: unknown): void {
    this.#value = base;
    this.#shown = undefined;
  }

  /** Records the current value of the document. */
  showing(value: unknown): void {
    const known = this.#known.findLast(({ shown }) => isEqual(shown, value));
    if (known && !isEqual(known.base, this.#value)) {
      // *Undo* can return to the previous text.
      if (!isEqual(this.#shown, value)) this.#known = [...this.#known, { shown: this.#shown, base: this.#value }];
      this.#value = known.base;
    }
    this.#shown = value;
  }

  /** Records that `mine` conflicts with `theirs`, and that the document will show `merged`. */
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

  /** Records that `mine` was saved and that the platform now has `draft`. The base is `mine` until the document shows `draft`. */
  saved(mine: unknown, draft: unknown): void {
    const superseded = this.#value;
    this.#known = [
      // Going back to a text from before one's own save is a change of one's own, so only texts from before a merge keep their
      // base.
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
