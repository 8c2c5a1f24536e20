import type { Event } from '#base/event.ts';

/** Where keys live: the host's secret storage. Nothing else may hold one. */
export interface SecretStore {
  get(key: string): Promise<string | undefined>;
  set(key: string, value: string): Promise<void>;
  delete(key: string): Promise<void>;
  /** The keys under which something is kept. */
  names(): Promise<readonly string[]>;
  /** Fires with the key when another window changed it. */
  readonly onDidChange: Event<string>;
}

/** Small facts that outlive a window (not secrets): the host's memento. */
export interface StateStore {
  get(key: string): unknown;
  set(key: string, value: unknown): Promise<void>;
}
