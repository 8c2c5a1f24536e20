/** What can be closed. */
interface Closing {
  close(): Promise<void>;
}

/**
 * Something that takes long to open, for several tests one after the other. A test gets what the ones before have used only where all of
 * them have, and none has failed or ended without a result: otherwise nobody knows the state, and it gets a new one.
 */
export class KeptForNext<Opened extends Closing> {
  readonly #open: () => Promise<Opened>;
  /** What the first tests have used, and how many of them. */
  #kept: { readonly opened: Opened; readonly count: number } | undefined;
  readonly #all = new Set<Opened>();

  constructor(open: () => Promise<Opened>) {
    this.#open = open;
  }

  /** Gives the test at `place` (0 is the first) what those before have left, or else something new. Rejects as the test does. */
  async use(place: number, test: (opened: Opened, isNew: boolean) => Promise<void>): Promise<void> {
    const left = this.#kept?.count === place ? this.#kept.opened : undefined;
    this.#kept = undefined;
    if (left === undefined) await this.close();
    const opened = left ?? (await this.#open());
    this.#all.add(opened);
    await test(opened, left === undefined);
    if (left !== undefined || place === 0) this.#kept = { opened, count: place + 1 };
  }

  /** Closes what is open, whatever its state is. */
  async close(): Promise<void> {
    const all = [...this.#all];
    this.#all.clear();
    this.#kept = undefined;
    for (const each of all) await each.close();
  }
}
