import type { Event } from '#base/event.ts';

/** The host's secret storage, the only place where keys are stored. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** Resolves to the keys that have a value. */
  names(): Promise<readonly string[]>;
  /** Fires with the key when another window changes its value. */
  readonly onDidChange: Event<string>;
}

/** Stores small values that outlive a window and are not secret: the host's memento. */
export interface StateStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}
