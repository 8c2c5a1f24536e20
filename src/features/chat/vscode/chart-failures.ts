import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { StateStore } from '#shell/ports.ts';

const KEY = 'modelbench.chat.failedCharts';
const MOST = 200;
const Stored = v.array(v.strictTuple([v.string(), v.string()]));

/**
 * Reasons why charts failed, by specification: these charts took too long and are not drawn again when any window shows their
 * thread.
 */
export class ChartFailures {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  reasonOf(spec: string): string | undefined {
    return this.#all().find(([hash]) => hash === hashOf(spec))?.[1];
  }

  /** Records a failure; an empty reason means that the chart was drawn after all. */
  async set(spec: string, reason: string): Promise<void> {
    const hash = hashOf(spec);
    const others = this.#all().filter(([known]) => known !== hash);
    await this.#state.set(KEY, reason === '' ? others : [...others, [hash, reason.slice(0, 300)]].slice(-MOST));
  }

  #all(): readonly (readonly [hash: string, reason: string])[] {
    const stored = v.safeParse(Stored, this.#state.get(KEY));
    return stored.success ? stored.output : [];
  }
}

function hashOf(spec: string): string {
  return createHash('sha256').update(spec).digest('hex');
}
