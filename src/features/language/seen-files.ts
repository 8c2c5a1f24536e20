import type { StateStore } from '#shell/ports.ts';

export interface FileVersion {
  readonly uri: string;
  /** `contentHash` of its text. */
  readonly hash: string;
}

/** Whether JavaScript models of a folder run in the sandbox: the user's answer. */
export type ScriptChoice = 'run' | 'skip';

/**
 * Which versions of a model's files may be compiled: those that were there when the folder was first seen, and those that the
 * user has had in an editor. What a pull, a merge or a proposal brings is not among them until then. Kept for the workspace.
 */
export class SeenFiles {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Whether the folder was seen before: then what is new in it came later. */
  knows(root: string): boolean {
    return this.#read(SEEN)[keyOf(root)] !== undefined;
  }

  /** What was shown to the user, in whatever document. */
  async shown(hashes: readonly string[]): Promise<void> {
    const before = listOf(this.#read(SEEN)[SHOWN]);
    const after = [...new Set([...before.filter((hash) => !hashes.includes(hash)), ...hashes])].slice(-MOST_SHOWN);
    if (after.join() !== before.join()) await this.#write(SEEN, SHOWN, after.join(' '));
  }

  /** The files whose text the user has not seen. */
  unseen(root: string, files: readonly FileVersion[]): readonly FileVersion[] {
    const all = this.#read(SEEN);
    const seen = new Set([...listOf(all[keyOf(root)]), ...listOf(all[SHOWN])]);
    return files.filter(({ hash }) => !seen.has(hash));
  }

  /** The files as they are now count as seen, and no other version of them. */
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
/** No root has this name. */
const SHOWN = '';
const MOST_SHOWN = 500;

/** One spelling of a folder: the editor and the server encode drives and spaces in their own ways. */
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
