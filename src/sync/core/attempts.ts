import type { Hash } from './hash.ts';

/** `here`: on this disk; `there`: on the platform. */
export type Side = 'here' | 'there';

/** A version that was on its way to one side, or a deletion, which may or may not have arrived. */
export interface Attempt {
  readonly side: Side;
  readonly hash: Hash | undefined;
  readonly size: number;
  /** When it was made, ms since the epoch. */
  readonly time: number;
}

/** Attempts that are remembered of one path, and in all: whatever is forgotten becomes a question, never a loss. */
const PER_PATH = 16;
const IN_ALL = 20_000;

/** What was attempted and not confirmed, by path. */
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

  /** Replaces what is remembered of a path. */
  set(path: string, attempts: readonly Attempt[]): void {
    this.#count += attempts.length - this.#of(path).length;
    // The path that was attempted last is forgotten last.
    this.#byPath.delete(path);
    if (attempts.length > 0) this.#byPath.set(path, attempts);
  }

  /** Nothing that was attempted for these paths is open any more. */
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
