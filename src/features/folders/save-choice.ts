import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { StateStore } from '#shell/ports.ts';

/** The key under which answers were stored before they became a setting: by folder. */
const formerKey = 'saveSync';
const formerSchema = v.record(v.string(), v.boolean());

/** The setting `modelbench.sync.onSave`. */
export interface PushSetting {
  /** Returns its value for a folder, by the folder's URI; `undefined` if it is not set. */
  of(folderId: string): boolean | undefined;
  /** Returns the user's own value; `undefined` if there is none. */
  ofUser(): boolean | undefined;
  /** Sets it in the user's settings. */
  set(automatically: boolean): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** The facts that decide whether to ask the user about the saved files of a folder. */
export interface SaveFacts {
  readonly folderId: string;
  /** Whether uploads need a consent that the user has not given yet. */
  readonly isRisky: boolean;
}

/**
 * The choice whether saved files are pushed to the dev branch automatically. Only the setting decides; nothing is pushed before
 * the user has set it, in a row of the Changes view, in the question after the first save, or in Settings.
 */
export class SaveChoices implements Disposable {
  readonly #setting: PushSetting;
  readonly #user: StateStore;
  readonly #asked = new Set<string>();
  readonly #changed = new Emitter<void>();
  readonly #following: Disposable;

  constructor(setting: PushSetting, user: StateStore) {
    this.#setting = setting;
    this.#user = user;
    this.#following = setting.onDidChange(() => this.#changed.fire());
  }

  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** Returns the choice for a folder; `undefined` if there is none yet. */
  of(folderId: string): boolean | undefined {
    this.#changed.track();
    return this.#setting.of(folderId);
  }

  /** Whether to ask the user: there is no choice yet, or it was made without the warning about the risk. */
  isOpen({ folderId, isRisky }: SaveFacts): boolean {
    const pushes = this.of(folderId);
    return pushes === undefined || (pushes && isRisky);
  }

  /** Asks if the choice is open, once per folder in a window; if the user closes the question, the next window asks again. */
  async ask<T>(facts: SaveFacts, question: () => Promise<T>): Promise<T | undefined> {
    if (!this.isOpen(facts) || this.#asked.has(facts.folderId)) return undefined;
    this.#asked.add(facts.folderId);
    return question();
  }

  /** Stores the choice in the user's settings. A repository may still turn it off for its own folder. */
  async choose(automatically: boolean): Promise<void> {
    await this.#setting.set(automatically);
  }

  /** Turns earlier answers into the setting, once: on if every folder had automatic pushes. An existing setting stays. */
  async migrate(): Promise<void> {
    const parsed = v.safeParse(formerSchema, this.#user.get(formerKey));
    const answers = parsed.success ? Object.values(parsed.output) : [];
    if (answers.length > 0 && this.#setting.ofUser() === undefined) await this.choose(answers.every(Boolean));
    if (this.#user.get(formerKey) !== undefined) await this.#user.set(formerKey, undefined);
  }

  dispose(): void {
    this.#following.dispose();
    this.#changed.dispose();
  }
}
