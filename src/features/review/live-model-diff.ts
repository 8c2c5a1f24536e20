import { asError } from '#base/async.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Event } from '#base/event.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { ReviewSection } from './messages.ts';
import { type ModelDiff, modelSection } from './model-diff.ts';

/** The dependencies of {@link LiveModelDiff}. */
interface LiveModelDiffPorts<Step> {
  /** Whether two steps make the same changes. */
  readonly isSame: (one: Step, other: Step) => boolean;
  /** Whether there is something to compare; always `true` if absent. */
  readonly isReady?: (step: Step) => boolean;
  /** Rejects with the reason to show. `isOver` returns whether the result is no longer needed. */
  readonly find: (step: Step, isOver: () => boolean) => Promise<ModelDiff>;
}

interface Found<Step> {
  readonly of: Step;
  readonly diff: ModelDiff | Error;
}

/**
 * The section on what a step changes in the model. It follows the ticks, one comparison at a time, in the background: the page
 * never waits for it.
 */
export class LiveModelDiff<Step> implements Disposable {
  readonly #step: ReadonlyStore<Step | undefined>;
  readonly #ports: LiveModelDiffPorts<Step>;
  readonly #store = new DisposableStore();
  readonly #found = this.#store.add(new Store<Found<Step> | undefined>(undefined));
  #isRunning = false;

  /** `step`: `undefined` while there is nothing to compare. */
  constructor(step: ReadonlyStore<Step | undefined>, ports: LiveModelDiffPorts<Step>) {
    this.#step = step;
    this.#ports = ports;
    this.#store.add(step.onDidChange(() => void this.#run()));
    void this.#run();
  }

  /** Fires when the section changes. */
  get onDidFind(): Event<unknown> {
    return this.#found.onDidChange;
  }

  /** Returns the section of the page. */
  section(step: Step): ReviewSection {
    const found = this.#found.value;
    return modelSection(found && this.#ports.isSame(found.of, step) ? found.diff : 'loading');
  }

  dispose(): void {
    this.#store.dispose();
  }

  /** Compares the current step, and again if it changes meanwhile. */
  async #run(): Promise<void> {
    if (this.#isRunning) return;
    this.#isRunning = true;
    const { isSame, isReady = () => true, find } = this.#ports;
    const isOver = (): boolean => this.#store.isDisposed;
    for (;;) {
      const step = this.#step.value;
      const known = this.#found.value;
      if (isOver() || step === undefined || !isReady(step) || (known && isSame(known.of, step))) break;
      const diff = await find(step, isOver).catch(asError);
      if (!isOver()) this.#found.set({ of: step, diff });
    }
    this.#isRunning = false;
  }
}
