import type { BranchTarget } from '#shell/targets.ts';
import type { TrashItem } from '#sync/core/ports.ts';
import type { BranchFiles, OpenBranchTrash } from './branch-files.ts';
import { Hint } from '#shell/user-error.ts';

/** The versions that changes to branches replaced without a linked folder, and how to restore them. */
export class BranchTrash {
  readonly #files: BranchFiles;
  readonly #open: OpenBranchTrash;

  constructor(files: BranchFiles, open: OpenBranchTrash) {
    this.#files = files;
    this.#open = open;
  }

  async list(target: BranchTarget): Promise<readonly TrashItem[]> {
    return (await this.#open(target)).list();
  }

  /** Resolves to the content of a version; `undefined` if it is no longer in the trash. */
  async bytes(target: BranchTarget, id: string): Promise<Uint8Array | undefined> {
    return (await this.#open(target)).read(id);
  }

  /** Resolves to the text of a version; `undefined` if it is no longer in the trash. */
  async text(target: BranchTarget, id: string): Promise<string | undefined> {
    const bytes = await this.bytes(target, id);
    return bytes && new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  }

  /** Writes a version to its branch again; the current version goes to the trash. */
  async restore(target: BranchTarget, { id, path }: Pick<TrashItem, 'id' | 'path'>): Promise<void> {
    const text = await this.#kept(target, { id, path });
    await this.#files.refresh(target);
    await this.#files.write(target, path, text, { cause: 'restore' });
  }

  /** Restores a deleted file. Throws `Hint` if a file has been created there since: undo does not replace a newer version. */
  async undelete(target: BranchTarget, { id, path }: Pick<TrashItem, 'id' | 'path'>): Promise<void> {
    const text = await this.#kept(target, { id, path });
    await this.#files.refresh(target);
    if ((await this.#files.list(target)).has(path)) {
      throw new Hint(
        `${path} is on “${target.branchName}” again, so its deletion was not undone. The deleted version is in the trash.`,
      );
    }
    await this.#files.write(target, path, text, { cause: 'restore', seen: { hash: undefined } });
  }

  async #kept(target: BranchTarget, { id, path }: Pick<TrashItem, 'id' | 'path'>): Promise<string> {
    const text = await this.text(target, id);
    if (text === undefined) throw new Hint(`This version of ${path} is no longer in the trash.`);
    return text;
  }
}
