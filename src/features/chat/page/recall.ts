/** Recalls earlier questions and drafts in the composer, and returns to what was being written. */
export class Recall {
  /** How many entries back; 0 is the user's own text. */
  #back = 0;
  #own = '';
  #shown = '';

  /** Returns the entry before the one that is shown; `entries` is sorted oldest first. */
  older(entries: readonly string[], draft: string): string | undefined {
    this.#follow(draft);
    const wanted = entries.at(-this.#back - 1);
    if (wanted === undefined) return undefined;
    if (this.#back === 0) this.#own = draft;
    return this.#show(this.#back + 1, wanted);
  }

  /** Returns the entry after the one that is shown; after the last one, the user's own text. */
  newer(entries: readonly string[], draft: string): string | undefined {
    this.#follow(draft);
    if (this.#back === 0) return undefined;
    return this.#show(this.#back - 1, this.#back === 1 ? this.#own : (entries.at(-this.#back + 1) ?? this.#own));
  }

  /** Whether an earlier entry is shown unchanged. */
  isShowing(draft: string): boolean {
    return this.#back > 0 && draft === this.#shown;
  }

  /** Treats a recalled entry that was edited as the user's own text. */
  #follow(draft: string): void {
    if (this.#back > 0 && draft !== this.#shown) this.#back = 0;
  }

  #show(back: number, text: string): string {
    this.#back = back;
    this.#shown = text;
    return text;
  }
}
