import type { Hash } from '#sync/core/hash.ts';

/** `here`: on this disk; `there`: on the platform. */
export type Side = 'here' | 'there';

/** A version or a deletion that was on its way to one side and may or may not have arrived. */
export interface Attempt {
  readonly side: Side;
  readonly hash: Hash | undefined;
  readonly size: number;
  /** The time of the attempt, in ms since the epoch. */
  readonly time: number;
}

/** The maximum number of attempts remembered per path, and in total. A forgotten attempt costs a question, never data. */
const PER_PATH = 16;
const IN_ALL = 20_000;

/** The unconfirmed attempts by path. */
export class Attempts {
  readonly #byPath = new Map<string, readonly Attempt[]>();
  #count = 0;

  get byPath(): ReadonlyMap<string, readonly Attempt[]> {
    return this.#byPath;
  }

  add(path: string, attempt: Attempt): void {
    const earlier = this.#of(path).filter(({ side, hash }) => side !== attempt.side || hash !== attempt.hash);
    this.set(path, [...earlier, attempt].slice(-PER_PATH));
    for (const oldest of this.#byPath.keys()) {
      if (this.#count <= IN_ALL) return;
      this.set(oldest, []);
    }
  }

  /** Replaces the attempts that are remembered for a path. */
  set(path: string, attempts: readonly Attempt[]): void {
    this.#count += attempts.length - this.#of(path).length;
    // Re-inserting moves the path to the end of the map, so that the most recent attempt is forgotten last.
    this.#byPath.delete(path);
    if (attempts.length > 0) this.#byPath.set(path, attempts);
  }

  /** Forgets the attempts for these paths, none of which is open any longer. */
  forget(of: readonly { readonly path: string }[]): void {
    for (const { path } of of) {
      if (this.#byPath.size === 0) return;
      this.set(path, []);
    }
  }

  #of(path: string): readonly Attempt[] {
    return this.#byPath.get(path) ?? [];
  }
}
