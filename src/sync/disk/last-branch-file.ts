import { hash as hashOf } from 'node:crypto';
import path from 'node:path';
import * as v from 'valibot';
import type { AgreedElsewhere, LastBranch } from '#sync/core/ports.ts';
import { BaseFile } from './base-file.ts';
import type { Disk } from './disk.ts';
import { JournalFile } from './journal-file.ts';

const schema = v.pipe(v.string(), v.parseJson(), v.object({ branch: v.string() }));

/** The name of the branch that a folder was last synced with, in one small JSON file beside the records of all branches. */
export class LastBranchFile implements LastBranch {
  readonly #disk: Disk;
  readonly #storage: string;
  readonly #branch: string;

  /** `branch`: the one that is being opened. */
  constructor(disk: Disk, storage: string, branch: string) {
    this.#disk = disk;
    this.#storage = storage;
    this.#branch = branch;
  }

  async load(): Promise<AgreedElsewhere | undefined> {
    const branch = await this.#last();
    if (branch === undefined || branch === this.#branch) return undefined;
    if (branch === damaged) return unknownBranch;
    const notes = notesOf(this.#storage, branch);
    const base = await new BaseFile(this.#disk, path.join(notes, 'base')).load();
    return { branch, base, journal: await new JournalFile(this.#disk, path.join(notes, 'journal')).load() };
  }

  async other(): Promise<string | undefined> {
    const branch = await this.#last();
    return branch === this.#branch || branch === damaged ? undefined : branch;
  }

  async take(): Promise<void> {
    if ((await this.#last()) === this.#branch) return;
    await this.#disk.replaceDurably(this.#file, Buffer.from(JSON.stringify({ branch: this.#branch })));
  }

  get #file(): string {
    return path.join(this.#storage, 'last-branch.json');
  }

  async #last(): Promise<string | undefined> {
    const bytes = await this.#disk.readNote(this.#file);
    if (!bytes) return (await this.#isNoteMissing()) ? damaged : undefined;
    const parsed = v.safeParse(schema, bytes.toString('utf8'));
    return parsed.success ? parsed.output.branch : damaged;
  }

  /** Checks whether both this branch and another one have records, without any note on which match the current files. */
  async #isNoteMissing(): Promise<boolean> {
    const branches = path.join(this.#storage, 'branches');
    const names = await this.#disk.calls.names(branches).catch(() => []);
    const withBase = names.filter((name) => this.#disk.calls.lstat(path.join(branches, name, 'base')) !== undefined);
    return withBase.length > 1 && withBase.includes(path.basename(notesOf(this.#storage, this.#branch)));
  }
}

/** Not a valid branch name, because it contains spaces. */
const damaged = 'not readable';

/** The folder was synced with an unknown branch, so this branch's records may be outdated: the user reviews each difference. */
const unknownBranch: AgreedElsewhere = {
  branch: damaged,
  base: 'damaged',
  journal: { records: [], damaged: true, missing: false },
};

/** Returns the folder with the records of one branch. */
export function notesOf(storage: string, branch: string): string {
  return path.join(storage, 'branches', hashOf('sha1', branch).slice(0, 16));
}
