import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { StateStore } from '#shell/ports.ts';

const stateKey = 'saveSync';
const stateSchema = v.record(v.string(), v.boolean());

/** What decides whether the saved files of a folder are pushed automatically. */
export interface SaveFacts {
  readonly folderId: string;
  /** What the user's setting says; `undefined` where it is not set. */
  readonly setting: boolean | undefined;
  /** Whether uploads need a consent that the user has not given yet. */
  readonly isRisky: boolean;
}

/**
 * Whether the saved files of a folder are pushed to its dev branch automatically. Nothing is before the user was asked, at
 * the first save of each folder. The answer stays on the user's machine, and a setting overrules it.
 */
export class SaveChoices implements Disposable {
  readonly #user: StateStore;
  readonly #asked = new Set<string>();
  readonly #changed = new Emitter<void>();

  constructor(user: StateStore) {
    this.#user = user;
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** `undefined`: neither asked nor set yet. */
  of(folderId: string, setting: boolean | undefined): boolean | undefined {
    return setting ?? this.#all()[folderId];
  }

  /** Whether the user has to be asked: nothing is chosen, or what was chosen does not know of the risk. */
  isOpen({ folderId, setting, isRisky }: SaveFacts): boolean {
    const pushes = this.of(folderId, setting);
    // A user whose setting pushes everywhere may have declined it for this folder.
    return pushes === undefined || (pushes && isRisky && this.#all()[folderId] !== false);
  }

  /** Asks where it is open, once per folder in a window; who closes the question is asked by the next window. */
  async ask<T>(facts: SaveFacts, question: () => Promise<T>): Promise<T | undefined> {
    if (!this.isOpen(facts) || this.#asked.has(facts.folderId)) return undefined;
    this.#asked.add(facts.folderId);
    return question();
  }

  async choose(folderId: string, automatically: boolean): Promise<void> {
    this.#asked.add(folderId);
    await this.#user.set(stateKey, { ...this.#all(), [folderId]: automatically });
    this.#changed.fire();
  }

  dispose(): void {
    this.#changed.dispose();
  }

  #all(): v.InferOutput<typeof stateSchema> {
    const parsed = v.safeParse(stateSchema, this.#user.get(stateKey));
    return parsed.success ? parsed.output : {};
  }
}
