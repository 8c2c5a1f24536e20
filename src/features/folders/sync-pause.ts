import * as v from 'valibot';
import type { StateStore } from '#shell/ports.ts';

const stateKey = 'syncPaused';
const stateSchema = v.array(v.string());

/** The linked folders whose sync the user has paused: remembered on this machine until it is resumed. */
export class SyncPauses {
  readonly #user: StateStore;

  constructor(user: StateStore) {
    this.#user = user;
  }

  has(folderId: string): boolean {
    return this.#all().includes(folderId);
  }

  async set(folderId: string, isPaused: boolean): Promise<void> {
    const others = this.#all().filter((other) => other !== folderId);
    await this.#user.set(stateKey, isPaused ? [...others, folderId] : others);
  }

  #all(): readonly string[] {
    const parsed = v.safeParse(stateSchema, this.#user.get(stateKey));
    return parsed.success ? parsed.output : [];
  }
}
