/**
 * The text of an open document of the platform: what auto save has kept, what was sent, and what the platform made of it.
 * A text that was kept and not sent is never replaced by an older one.
 */
export class KeptText {
  #text: string;
  #isUnsent: boolean;
  #answer: string | undefined;
  #sends = 0;
  #keeps = 0;

  /** `isUnsent`: the text was kept in an earlier window and never sent. */
  constructor(text: string, isUnsent = false) {
    this.#text = text;
    this.#isUnsent = isUnsent;
  }

  /** What the file of the document has. */
  get text(): string {
    return this.#text;
  }

  /** Whether the text was kept by auto save and not sent. */
  get isUnsent(): boolean {
    return this.#isUnsent;
  }

  /** How often a user's save was sent, or tried to be. */
  get sends(): number {
    return this.#sends;
  }

  /** Whether the platform made something else of the last save, which the file does not have yet. */
  get hasAnswer(): boolean {
    return this.#answer !== undefined;
  }

  /** Auto save writes the file: the text stays here. Answers whether it is unsent; one that was sent just now is not. */
  keep(text: string): boolean {
    if (text === this.#text && !this.#isUnsent) return false;
    this.#keeps += 1;
    this.#text = text;
    this.#isUnsent = true;
    this.#answer = undefined;
    return true;
  }

  /**
   * Sends a text. Resolves once `send` does, with what the platform made of it; where `send` rejects, nothing changes. What
   * auto save keeps meanwhile is newer and stays, unsent, unless it is this very text.
   */
  async send(text: string, send: () => Promise<string | undefined>): Promise<void> {
    this.#sends += 1;
    const keeps = this.#keeps;
    const answer = await send();
    if (keeps !== this.#keeps && this.#text !== text) return;
    this.#text = text;
    this.#isUnsent = false;
    this.#answer = answer === text ? undefined : answer;
  }

  /** The save is over: the file has what the platform made of it from now on. Answers whether that is another text. */
  adoptAnswer(): boolean {
    if (this.#answer === undefined) return false;
    this.#text = this.#answer;
    this.#answer = undefined;
    return true;
  }

  /** Changes what reverting brings back; an unsent text in the file is given up. */
  revertTo(text: string): void {
    this.#text = text;
  }
}
