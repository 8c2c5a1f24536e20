import * as v from 'valibot';
import type { StateStore } from '#features/ports.ts';

/** How a document that was open can be made again. */
export interface Remembered {
  readonly path: string;
  readonly recipe: Readonly<Record<string, unknown>>;
  /** Of the text that was read or saved last: tells whether the platform has the same still. */
  readonly sum: string;
}

/** Documents of closed editors are remembered too, up to so many. */
const kept = 50;

const schema = v.array(v.object({ path: v.string(), recipe: v.record(v.string(), v.unknown()), sum: v.string() }));

/** The documents of a window, so that editors that VS Code restores find them. */
export class DocumentMemory {
  readonly #state: StateStore;
  readonly #key: string;

  constructor(state: StateStore, key: string) {
    this.#state = state;
    this.#key = key;
  }

  get(path: string): Remembered | undefined {
    return this.#all().find((each) => each.path === path);
  }

  async set(document: Remembered): Promise<void> {
    const others = this.#all().filter(({ path }) => path !== document.path);
    await this.#state.set(this.#key, [document, ...others].slice(0, kept));
  }

  #all(): readonly Remembered[] {
    const stored = v.safeParse(schema, this.#state.get(this.#key));
    return stored.success ? stored.output : [];
  }
}
