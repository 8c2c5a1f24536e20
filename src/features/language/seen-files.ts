import type { StateStore } from '#shell/ports.ts';

export interface FileVersion {
  readonly uri: string;
  /** The `contentHash` of its text. */
  readonly hash: string;
}

/** The user's choice whether JavaScript models of a folder run in the sandbox. */
export type ScriptChoice = 'run' | 'skip';

/**
 * Stores which versions of a model's files may be compiled: those that existed when the folder was first seen, and those that the
 * user has seen in an editor. Changes from a pull, a merge or a proposal may not be compiled until the user has seen them. Stored
 * for the workspace.
 */
export class SeenFiles {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Whether the folder was seen before: any new file in it was then added later. */
  knows(root: string): boolean {
    return this.#read(SEEN)[keyOf(root)] !== undefined;
  }

  /** Stores the texts that were shown to the user, in any document. */
  async shown(hashes: readonly string[]): Promise<void> {
    const before = listOf(this.#read(SEEN)[SHOWN]);
    const after = [...new Set([...before.filter((hash) => !hashes.includes(hash)), ...hashes])].slice(-MOST_SHOWN);
    if (after.join() !== before.join()) await this.#write(SEEN, SHOWN, after.join(' '));
  }

  /** Returns the files whose text the user has not seen. */
  unseen(root: string, files: readonly FileVersion[]): readonly FileVersion[] {
    const all = this.#read(SEEN);
    const seen = new Set([...listOf(all[keyOf(root)]), ...listOf(all[SHOWN])]);
    return files.filter(({ hash }) => !seen.has(hash));
  }

  /** Marks the files' current versions as seen, and no others. */
  async accept(root: string, files: readonly FileVersion[]): Promise<void> {
    const hashes = [...new Set(files.map(({ hash }) => hash))].sort().join(' ');
    if (this.#read(SEEN)[keyOf(root)] !== hashes) await this.#write(SEEN, keyOf(root), hashes);
  }

  scripts(root: string): ScriptChoice | undefined {
    const choice = this.#read(SCRIPTS)[keyOf(root)];
    return choice === 'run' || choice === 'skip' ? choice : undefined;
  }

  async chooseScripts(root: string, choice: ScriptChoice): Promise<void> {
    await this.#write(SCRIPTS, keyOf(root), choice);
  }

  #read(key: string): Readonly<Record<string, string>> {
    const value = this.#state.get(key);
    if (typeof value !== 'object' || value === null) return {};
    return Object.fromEntries(Object.entries(value).filter(([, each]) => typeof each === 'string')) as Record<
      string,
      string
    >;
  }

  async #write(key: string, name: string, value: string): Promise<void> {
    await this.#state.set(key, { ...this.#read(key), [name]: value });
  }
}

const SEEN = 'modelbench.seenFiles';
const SCRIPTS = 'modelbench.modelScripts';
/** The key of the texts that were shown in any document; no root has this name. */
const SHOWN = '';
const MOST_SHOWN = 500;

/** Normalizes the URI of a folder: the editor and the server encode drives and spaces differently. */
function keyOf(root: string): string {
  try {
    return decodeURIComponent(root).replace(/^file:\/\/\/[A-Z]:/, (drive) => drive.toLowerCase());
  } catch {
    return root;
  }
}

function listOf(hashes: string | undefined): readonly string[] {
  return hashes === undefined || hashes === '' ? [] : hashes.split(' ');
}
