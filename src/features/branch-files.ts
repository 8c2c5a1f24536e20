import type { Client } from '#api/client.ts';
import {
  deleteDataModelFiles,
  filesOf,
  getFileHashes,
  listDataModelFiles,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/data-model.ts';
import { checkName, nameProblemText } from '#base/file-names.ts';
import { normalizePath } from '#base/path.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { isDevBranch } from './branches.ts';
import { branchKey } from './build-watch.ts';
import type { PlatformData } from './platform-data.ts';
import { UserError } from './user-error.ts';

/** One file of a branch as the platform has it. */
export interface BranchFile {
  readonly path: string;
  readonly hash: string;
  readonly content: string;
  /** Milliseconds since the epoch; moves only when the hash does, so that nothing looks newer than it is. */
  readonly mtime: number;
}

export type BranchTree = ReadonlyMap<string, BranchFile>;

/** A file that could never be pulled is not made on the platform. */
function requireName(path: string): void {
  const problem = checkName(path);
  if (problem !== undefined) throw new UserError(`${path}: the name ${nameProblemText(problem)}. Choose another one.`);
}

/** Files of any branch, kept until a look at the hashes says otherwise. */
export class BranchFiles {
  readonly #data: PlatformData;
  readonly #now: () => number;
  readonly #trees = new Map<string, Promise<BranchTree>>();

  constructor(data: PlatformData, now: () => number) {
    this.#data = data;
    this.#now = now;
  }

  /** The whole tree with contents; fetched once and kept. Rejects with the platform's error, which is not kept. */
  tree(target: BranchTarget): Promise<BranchTree> {
    const key = branchKey(target);
    const known = this.#trees.get(key);
    if (known) return known;
    return this.#keep(key, this.#load(target, new Map()));
  }

  /** Looks whether the branch has moved; answers the paths that differ from what was kept. */
  async refresh(target: BranchTarget): Promise<readonly string[]> {
    const key = branchKey(target);
    const before = await this.#trees.get(key)?.catch(() => undefined);
    if (!before) return [];
    const { deploymentId, branchName } = target;
    const client = this.#data.client(target.accountId);
    const { files } = await client.call(getFileHashes, { params: { deploymentId }, query: { branchName } });
    const hashes = new Map(Object.entries(files).map(([path, { hash }]) => [normalizePath(path), hash]));
    const changed = [...hashes].filter(([path, hash]) => before.get(path)?.hash !== hash).map(([path]) => path);
    const gone = [...before.keys()].filter((path) => !hashes.has(path));
    if (changed.length + gone.length > 0) await this.#keep(key, this.#load(target, before));
    return [...changed, ...gone];
  }

  /**
   * Writes one file of a dev branch, if the platform still has the version that was read here (`undefined`: none).
   * Throws `UserError` when somebody else changed it: nothing is overwritten unseen.
   */
  async write(target: BranchTarget, path: string, content: string): Promise<void> {
    if (!(await this.tree(target)).has(path)) requireName(path);
    await this.#change(target, path, async (client) => {
      const body = { branchName: target.branchName, files: [{ path, content }] };
      await client.call(writeDataModelFiles, { params: { deploymentId: target.deploymentId }, body });
    });
  }

  /** Deletes one file of a dev branch, under the same condition. */
  async remove(target: BranchTarget, path: string): Promise<void> {
    await this.#change(target, path, async (client) => {
      const body = { branchName: target.branchName, files: [{ path }] };
      await client.call(deleteDataModelFiles, { params: { deploymentId: target.deploymentId }, body });
    });
  }

  /** Renames one file of a dev branch, under the same condition; the new name must be free. */
  async rename(target: BranchTarget, path: string, newPath: string): Promise<void> {
    requireName(newPath);
    if ((await this.tree(target)).has(newPath)) throw new UserError(`There is a file ${newPath} already.`);
    await this.#change(target, path, async (client) => {
      const body = { branchName: target.branchName, files: [{ path, newPath }] };
      await client.call(renameDataModelFiles, { params: { deploymentId: target.deploymentId }, body });
    });
  }

  async #change(target: BranchTarget, path: string, act: (client: Client) => Promise<void>): Promise<void> {
    if (!isDevBranch(target.branchName)) {
      throw new UserError(
        `“${target.branchName}” is not a dev branch, so its files cannot be changed. Start dev mode first.`,
      );
    }
    const before = await this.tree(target);
    const moved = await this.refresh(target);
    if (moved.includes(path)) {
      const what = before.has(path) ? 'changed' : 'made';
      throw new UserError(
        `Somebody ${what} ${path} on the platform meanwhile. Look at the new version and save again.`,
      );
    }
    await act(this.#data.client(target.accountId));
    await this.refresh(target);
  }

  /** The trees that are kept: what a refresh can look at. */
  forget(target: BranchTarget): void {
    this.#trees.delete(branchKey(target));
  }

  #keep(key: string, loading: Promise<BranchTree>): Promise<BranchTree> {
    this.#trees.set(key, loading);
    loading.catch(() => {
      if (this.#trees.get(key) === loading) this.#trees.delete(key);
    });
    return loading;
  }

  async #load(target: BranchTarget, before: BranchTree): Promise<BranchTree> {
    const { deploymentId, branchName } = target;
    const client = this.#data.client(target.accountId);
    const params = { deploymentId };
    const [{ files }, listing] = await Promise.all([
      client.call(getFileHashes, { params, query: { branchName } }),
      client.call(listDataModelFiles, { params, query: { branchName, withContent: true } }),
    ]);
    const hashes = new Map(Object.entries(files).map(([path, { hash }]) => [normalizePath(path), hash]));
    const tree = new Map<string, BranchFile>();
    for (const file of filesOf(listing)) {
      const path = normalizePath(file.path);
      const hash = hashes.get(path) ?? '';
      const former = before.get(path);
      const mtime = former && former.hash === hash ? former.mtime : this.#now();
      tree.set(path, { path, hash, content: file.content ?? '', mtime });
    }
    return tree;
  }
}
