import * as v from 'valibot';
import { Emitter, type Event } from '#base/event.ts';
import type { StateStore } from '#shell/ports.ts';

/** A linked folder of this window. */
export interface ModelFolder {
  /** Its URI as text. */
  readonly id: string;
  readonly name: string;
  /** The path of the model in it; empty if the whole folder is linked. */
  readonly modelPath: string;
}

const KEY = 'modelbench.chat.modelFolders';
const MOST = 50;
const Stored = v.array(v.string());

/**
 * The folders of this window that are linked to the chosen deployment, and the one of them whose files the chat reads and changes.
 * The choice is stored per folder, so that each deployment has its own.
 */
export class ModelFolders {
  readonly #linked: () => readonly ModelFolder[];
  readonly #state: StateStore;
  readonly #chosen = new Emitter<void>();

  constructor(linked: () => readonly ModelFolder[], state: StateStore) {
    this.#linked = linked;
    this.#state = state;
  }

  get onDidChoose(): Event<void> {
    return this.#chosen.event;
  }

  all(): readonly ModelFolder[] {
    return this.#linked();
  }

  /** Returns the folder that the user chose last, else the first; `undefined` if none is linked. */
  current(): ModelFolder | undefined {
    const all = this.all();
    const chosen = this.#choices().find((id) => all.some((folder) => folder.id === id));
    return all.find(({ id }) => id === chosen) ?? all[0];
  }

  /** Returns the folder in which files of an answer were accepted, while it is linked; otherwise the current one. */
  ofAnswer(accepted: string | undefined): ModelFolder | undefined {
    return this.all().find(({ id }) => id === accepted) ?? this.current();
  }

  async choose(id: string): Promise<void> {
    await this.#state.set(KEY, [id, ...this.#choices().filter((other) => other !== id)].slice(0, MOST));
    this.#chosen.fire();
  }

  #choices(): readonly string[] {
    const stored = v.safeParse(Stored, this.#state.get(KEY));
    return stored.success ? stored.output : [];
  }
}
