/** What can be closed. */
interface Closing {
  close(): Promise<void>;
}

/**
 * Something that takes long to open, for several tests one after the other. Where a test fails, or ends without a result, nobody knows
 * the state it has left: the next one opens another.
 */
export class KeptForNext<Opened extends Closing> {
  readonly #open: () => Promise<Opened>;
  /** What a test has left in a known state. */
  #kept: Opened | undefined;
  readonly #all = new Set<Opened>();

  constructor(open: () => Promise<Opened>) {
    this.#open = open;
  }

  /** Gives a test what the one before has left, or else something new. Rejects as the test does. */
  async use(test: (opened: Opened, isNew: boolean) => Promise<void>): Promise<void> {
    const left = this.#kept;
    this.#kept = undefined;
    if (left === undefined) await this.close();
    const opened = left ?? (await this.#open());
    this.#all.add(opened);
    await test(opened, left === undefined);
    this.#kept = opened;
  }

  /** Closes what is open, whatever its state is. */
  async close(): Promise<void> {
    const all = [...this.#all];
    this.#all.clear();
    this.#kept = undefined;
    for (const each of all) await each.close();
  }
}
