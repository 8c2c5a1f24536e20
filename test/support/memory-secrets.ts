import { Emitter } from '#base/event.ts';
import type { SecretStore } from '#shell/ports.ts';

/** A secret store in memory; `values` exposes its content. */
export class MemorySecrets implements SecretStore {
  readonly values = new Map<string, string>();
  readonly #changed = new Emitter<string>();
  readonly onDidChange = this.#changed.event;

  get(key: string): Promise<string | undefined> {
    return Promise.resolve(this.values.get(key));
  }

  set(key: string, value: string): Promise<void> {
    this.values.set(key, value);
    this.#changed.fire(key);
    return Promise.resolve();
  }

  delete(key: string): Promise<void> {
    this.values.delete(key);
    this.#changed.fire(key);
    return Promise.resolve();
  }

  names(): Promise<readonly string[]> {
    return Promise.resolve([...this.values.keys()]);
  }
}
