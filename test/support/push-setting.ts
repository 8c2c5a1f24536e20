import { Emitter } from '#base/event.ts';
import type { PushSetting } from '#features/folders/save-choice.ts';

/** The setting in memory: the user's value, and a repository's value, which can only turn it off. */
export class MemoryPushSetting implements PushSetting {
  readonly #changed = new Emitter<void>();
  #user: boolean | undefined;
  readonly #repository: false | undefined;

  constructor(user?: boolean, repository?: false) {
    this.#user = user;
    this.#repository = repository;
  }

  readonly onDidChange = this.#changed.event;

  of(): boolean | undefined {
    return this.#repository ?? this.#user;
  }

  ofUser(): boolean | undefined {
    return this.#user;
  }

  async set(automatically: boolean): Promise<void> {
    await Promise.resolve();
    this.#user = automatically;
    this.#changed.fire();
  }
}
