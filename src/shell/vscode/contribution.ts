import type { DisposableStore } from '#base/disposable.ts';

/**
 * A feature's registration with VS Code. Features register in isolation: a failure is logged and shown, and the others still
 * work. Everything that a feature creates goes into `store`.
 */
export interface Contribution {
  /** The name for the log and for the error that the user sees, such as `language`. */
  readonly id: string;
  register(store: DisposableStore): void | Promise<void>;
}
