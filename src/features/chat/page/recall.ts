/** Goes back to earlier questions and drafts in the composer, and forward again to what was being written. */
export class Recall {
  /** How many entries back; 0 is what the user is writing. */
  #back = 0;
  #own = '';
  #shown = '';

  /** The entry before the one that is shown; `entries` from the oldest on. */
  older(entries: readonly string[], draft: string): string | undefined {
    this.#follow(draft);
    const wanted = entries.at(-this.#back - 1);
    if (wanted === undefined) return undefined;
    if (this.#back === 0) this.#own = draft;
    return this.#show(this.#back + 1, wanted);
  }

  /** The entry after the one that is shown; at last what the user was writing. */
  newer(entries: readonly string[], draft: string): string | undefined {
    this.#follow(draft);
    if (this.#back === 0) return undefined;
    return this.#show(this.#back - 1, this.#back === 1 ? this.#own : (entries.at(-this.#back + 1) ?? this.#own));
  }

  /** Whether an earlier entry is shown as it was. */
  isShowing(draft: string): boolean {
    return this.#back > 0 && draft === this.#shown;
  }

  /** A recalled entry that was changed is what the user writes now. */
  #follow(draft: string): void {
    if (this.#back > 0 && draft !== this.#shown) this.#back = 0;
  }

  #show(back: number, text: string): string {
    this.#back = back;
    this.#shown = text;
    return text;
  }
}
