import { Sequencer } from '#base/async.ts';

/**
 * The text of an open platform document: what auto save stored, what was sent, and the platform's version of it. A text that auto
 * save stored and that was not sent is never replaced by an older one.
 */
export class KeptText {
  #text: string;
  #isUnsent: boolean;
  #answer: string | undefined;
  #sends = 0;
  #keeps = 0;
  /** Sends in the order of the user's saves: the platform must not end up with the older of two texts. */
  readonly order: Sequencer;

  /** `isUnsent`: the text was stored in an earlier window and never sent. `order`: that of the document's texts before this one. */
  constructor(text: string, isUnsent = false, order = new Sequencer()) {
    this.#text = text;
    this.#isUnsent = isUnsent;
    this.order = order;
  }

  /** The content of the document's file. */
  get text(): string {
    return this.#text;
  }

  /** Whether auto save stored the text and it was not sent. */
  get isUnsent(): boolean {
    return this.#isUnsent;
  }

  /** How many times the user's saves were sent, including failed attempts. */
  get sends(): number {
    return this.#sends;
  }

  /** How many texts auto save has stored. */
  get keeps(): number {
    return this.#keeps;
  }

  /** Whether the platform changed the last save, and the file does not have its version yet. */
  get hasAnswer(): boolean {
    return this.#answer !== undefined;
  }

  /** Stores the text that auto save writes. Returns whether it is unsent; a text that was just sent is not. */
  keep(text: string): boolean {
    if (text === this.#text && !this.#isUnsent) return false;
    this.#keeps += 1;
    this.#text = text;
    this.#isUnsent = true;
    this.#answer = undefined;
    return true;
  }

  /**
   * Sends a text with `send`, which resolves to the platform's version of it. If `send` rejects, nothing changes. A text that
   * auto save stores meanwhile is newer and stays unsent, unless it is the same text.
   */
  async send(text: string, send: () => Promise<string | undefined>): Promise<void> {
    this.#sends += 1;
    const keeps = this.#keeps;
    const answer = await this.order.queue(send);
    if (keeps !== this.#keeps && this.#text !== text) return;
    this.#text = text;
    this.#isUnsent = false;
    this.#answer = answer === text ? undefined : answer;
  }

  /** Makes the platform's version the content of the file, once the save is finished. Returns whether that changed it. */
  adoptAnswer(): boolean {
    if (this.#answer === undefined) return false;
    this.#text = this.#answer;
    this.#answer = undefined;
    return true;
  }

  /** Changes the text that reverting restores. */
  revertTo(text: string): void {
    this.#text = text;
  }
}
