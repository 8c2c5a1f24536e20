import * as v from 'valibot';
import type { StateStore } from './ports.ts';

const stateKey = 'saveSync';
const stateSchema = v.record(v.string(), v.boolean());

/**
 * Whether a folder's saved files go to its dev branch by themselves. Nothing does before the person was asked, at the
 * first save of each folder; the answer is theirs and stays on their machine, and a setting overrules it.
 */
export class SaveChoices {
  readonly #person: StateStore;
  readonly #asking = new Set<string>();

  constructor(person: StateStore) {
    this.#person = person;
  }

  /** `undefined`: not asked yet. */
  of(folderId: string, setting: boolean | undefined): boolean | undefined {
    return setting ?? this.#all()[folderId];
  }

  /** Asks once a window, unless it is known already. Answers what the person chose just now. */
  async ask(
    folderId: string,
    setting: boolean | undefined,
    question: () => Promise<boolean | undefined>,
  ): Promise<boolean | undefined> {
    if (this.of(folderId, setting) !== undefined || this.#asking.has(folderId)) return undefined;
    this.#asking.add(folderId);
    const answer = await question();
    if (answer !== undefined) await this.#person.set(stateKey, { ...this.#all(), [folderId]: answer });
    return answer;
  }

  #all(): v.InferOutput<typeof stateSchema> {
    const parsed = v.safeParse(stateSchema, this.#person.get(stateKey));
    return parsed.success ? parsed.output : {};
  }
}
