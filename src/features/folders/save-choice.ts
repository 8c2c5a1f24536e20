import * as v from 'valibot';
import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { StateStore } from '#shell/ports.ts';

/** Where answers were kept before they were a setting: by folder. */
const formerKey = 'saveSync';
const formerSchema = v.record(v.string(), v.boolean());

/** The setting `modelbench.sync.onSave`. */
export interface PushSetting {
  /** What it says for a folder, by the folder's URI; `undefined` where it is not set. */
  of(folderId: string): boolean | undefined;
  /** What the user has set; `undefined`: nothing. */
  ofUser(): boolean | undefined;
  /** Sets it for the user. */
  set(automatically: boolean): Promise<void>;
  readonly onDidChange: Event<void>;
}

/** What decides whether a user has to be asked about the saved files of a folder. */
export interface SaveFacts {
  readonly folderId: string;
  /** Whether uploads need a consent that the user has not given yet. */
  readonly isRisky: boolean;
}

/**
 * Whether saved files are pushed to the dev branch automatically. The setting alone decides; nothing is pushed before the user
 * has set it, in a row of the Changes view, in the question after the first save, or in Settings.
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

  /** `undefined`: not chosen yet. */
  of(folderId: string): boolean | undefined {
    this.#changed.track();
    return this.#setting.of(folderId);
  }

  /** Whether the user has to be asked: nothing is chosen, or what was chosen does not know of the risk. */
  isOpen({ folderId, isRisky }: SaveFacts): boolean {
    const pushes = this.of(folderId);
    return pushes === undefined || (pushes && isRisky);
  }

  /** Asks where it is open, once per folder in a window; who closes the question is asked by the next window. */
  async ask<T>(facts: SaveFacts, question: () => Promise<T>): Promise<T | undefined> {
    if (!this.isOpen(facts) || this.#asked.has(facts.folderId)) return undefined;
    this.#asked.add(facts.folderId);
    return question();
  }

  /** Sets it for the user. A repository may still turn it off for its own folder. */
  async choose(automatically: boolean): Promise<void> {
    await this.#setting.set(automatically);
  }

  /** Makes a setting of earlier answers, once: on where every folder was answered so. A setting that is there stays. */
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
