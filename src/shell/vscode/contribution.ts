import type { DisposableStore } from '#base/disposable.ts';

/**
 * One feature's registration with VS Code. Each registers in isolation: one that throws is logged and shown, the others
 * still work. Everything it creates goes into `store`.
 */
export interface Contribution {
  /** For the log and for the error a user sees, for example `language`. */
  readonly id: string;
  register(store: DisposableStore): void | Promise<void>;
}
