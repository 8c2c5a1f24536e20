import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';

const stateKey = 'planTicks';
/** How many decisions outlive the window, the newest ones. */
const most = 2000;

/** The path in its plan, the change that was ticked or `''` for an unticked path, and whether that ends with the review. */
const entry = v.strictTuple([v.string(), v.string(), v.boolean()]);

/** A decision of the user about one change. */
interface Decision {
  readonly change: string;
  readonly isTicked: boolean;
  /** It holds until the review ends. */
  readonly isOfReview: boolean;
}

/** The decisions about the changes of plans, stored so that they outlive the window; see `PlanTicks`. */
export class StoredTicks {
  readonly #state: StateStore;
  /** The newest decision about each path, the newest path last. */
  readonly #decisions: Map<string, v.InferOutput<typeof entry>>;
  /** The paths that were decided about before this window. */
  readonly #earlier: Set<string>;
  /** The paths that are stored, apart from those that were decided about again since. */
  #stored: Set<string>;

  constructor(state: StateStore) {
    this.#state = state;
    this.#decisions = new Map(this.#read().map((each) => [each[0], each]));
    this.#earlier = new Set(this.#decisions.keys());
    this.#stored = new Set(this.#earlier);
  }

  /**
   * Returns what the user decided about a change before this window. A file that was unticked stays so in any version; a tick holds
   * for the same change only. `undefined`: nothing.
   */
  of(scope: string, path: string, change: string): boolean | undefined {
    if (this.#earlier.size === 0) return undefined;
    const name = nameOf(scope, path);
    const stored = this.#earlier.has(name) ? this.#decisions.get(name) : undefined;
    if (!stored) return undefined;
    const [, ticked] = stored;
    if (ticked === '') return false;
    return ticked === change ? true : undefined;
  }

  /** Records a decision; `save` stores it. */
  decide(scope: string, path: string, { change, isTicked, isOfReview }: Decision): void {
    const name = nameOf(scope, path);
    this.#earlier.delete(name);
    this.#stored.delete(name);
    this.#decisions.delete(name);
    this.#decisions.set(name, [name, isTicked ? change : '', isOfReview]);
  }

  /** Ends the review, and with it what held for it only. */
  ended(): void {
    const ending = [...this.#decisions.values()].filter(([, , isOfReview]) => isOfReview);
    for (const [name] of ending) this.#decisions.delete(name);
    if (ending.length > 0) this.save();
  }

  save(): void {
    this.#dropErased();
    const kept = [...this.#decisions.values()].slice(-most);
    // Without a place on disk, decisions last as long as the window.
    this.#state.set(stateKey, kept).then(
      () => {
        this.#stored = new Set(kept.map(([name]) => name));
      },
      () => undefined,
    );
  }

  /** Drops what was erased with its account since it was stored. */
  #dropErased(): void {
    const present = new Set(this.#read().map(([name]) => name));
    for (const name of this.#stored) {
      if (present.has(name)) continue;
      this.#decisions.delete(name);
      this.#earlier.delete(name);
    }
  }

  #read(): v.InferOutput<typeof entry>[] {
    return parsed(v.array(entry), this.#state.get(stateKey)) ?? [];
  }
}

function nameOf(scope: string, path: string): string {
  return JSON.stringify([scope, path]);
}
