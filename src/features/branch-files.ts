import type { CallOptions, Client } from '#api/client.ts';
import {
  deleteDataModelFiles,
  filesOf,
  getFileHashes,
  listDataModelFiles,
  renameDataModelFiles,
  writeDataModelFiles,
} from '#api/data-model.ts';
import { checkName, nameProblemText } from '#base/file-names.ts';
import { systemClock } from '#base/clock.ts';
import { normalizePath } from '#base/path.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { effectOf, settleEffects } from '#sync/effects.ts';
import type { PlanEntry } from '#sync/plan.ts';
import type { RemoteListing, Trash, TrashCause } from '#sync/ports.ts';
import { preconditions, sendWrite } from '#sync/remote-write.ts';
import { isDevBranch } from './branches.ts';
import { branchKey } from './build-watch.ts';
import type { PlatformData } from './platform-data.ts';
import { UserError } from './user-error.ts';

/** One file of a branch as the platform has it. */
export interface BranchFile {
  readonly path: string;
  readonly hash: string;
  /** As it came; undefined where the platform sent none. `text` proves that it is the file's own. */
  readonly content: string | undefined;
  /** Milliseconds since the epoch; moves only when the hash does, so that nothing looks newer than it is. */
  readonly mtime: number;
}

export type BranchTree = ReadonlyMap<string, BranchFile>;

/** Opens the trash of a branch on this machine: what changes of its files replace goes there first. */
export type OpenBranchTrash = (target: BranchTarget) => Promise<Trash>;

/** Sends a change with its condition. */
type Send = (
  client: Client,
  request: { readonly params: { readonly deploymentId: string }; readonly body: { readonly branchName: string } },
  options: CallOptions,
) => Promise<Response>;

/** Whether a content is, byte for byte, what the hash stands for. */
async function isOwnText({ content, hash }: BranchFile): Promise<boolean> {
  return content !== undefined && (hash === '' || (await sha1(content)) === hash);
}

/** SHA-1 of a text's UTF-8 bytes, as the platform counts it. */
async function sha1(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-1', new TextEncoder().encode(text));
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** A file that could never be pulled is not made on the platform. */
function requireName(path: string): void {
  const problem = checkName(path);
  if (problem !== undefined) throw new UserError(`${path}: the name ${nameProblemText(problem)}. Choose another one.`);
}

function requireDevBranch({ branchName }: BranchTarget): void {
  if (isDevBranch(branchName)) return;
  throw new UserError(`“${branchName}” is not a dev branch, so its files cannot be changed. Start dev mode first.`);
}

/** Files of any branch, kept until a look at the hashes says otherwise. */
export class BranchFiles {
  readonly #data: PlatformData;
  readonly #now: () => number;
  readonly #trash: OpenBranchTrash;
  readonly #trees = new Map<string, Promise<BranchTree>>();

  constructor(data: PlatformData, now: () => number, trash: OpenBranchTrash) {
    this.#data = data;
    this.#now = now;
    this.#trash = trash;
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
   * The text of a file; `undefined` where there is none. Throws `UserError` where the platform does not deliver the bytes
   * that it lists: such a text, written back, would destroy the file.
   */
  async text(target: BranchTarget, path: string): Promise<string | undefined> {
    const file = (await this.tree(target)).get(path);
    if (!file || (await isOwnText(file))) return file?.content;
    // Hashes and contents come in two answers: the branch may have moved in between.
    this.forget(target);
    const again = (await this.tree(target)).get(path);
    if (!again || (await isOwnText(again))) return again?.content;
    throw new UserError(
      `${path} cannot be opened: the platform does not deliver its content, or it is not UTF-8 text.`,
    );
  }

  /**
   * Writes one file of a dev branch, if the platform still has the version that was read here (`undefined`: none). Throws
   * `UserError` when somebody else changed it: nothing is overwritten unseen. What is replaced goes to the trash first.
   */
  async write(target: BranchTarget, path: string, content: string, cause: TrashCause = 'branchEdit'): Promise<void> {
    const file = (await this.tree(target)).get(path);
    const before = file?.hash;
    const hash = await sha1(content);
    if (before === undefined) requireName(path);
    else {
      const replaced = await this.text(target, path);
      if (replaced !== undefined && before !== hash) await this.#keepCopy(target, path, replaced, cause, false);
    }
    const entry = { kind: 'upload', path, reason: 'changed', hash, size: 0, expectedRemote: before } as const;
    await this.#change(target, entry, (client, request, options) =>
      client.open(writeDataModelFiles, { ...request, body: { ...request.body, files: [{ path, content }] } }, options),
    );
    await this.#replace(target, path, { path, hash, content, mtime: this.#now() });
  }

  /** Deletes one file of a dev branch, under the same condition; answers the id of its copy in the trash. */
  async remove(target: BranchTarget, path: string, cause: TrashCause = 'branchEdit'): Promise<string> {
    const expectedRemote = (await this.tree(target)).get(path)?.hash;
    if (expectedRemote === undefined) throw new UserError(`${path} is not on the branch any more.`);
    const copy = await this.#keepCopy(target, path, await this.#textToDelete(target, path), cause, true);
    await this.#change(target, { kind: 'deleteRemote', path, expectedRemote, size: 0 }, (client, request, options) =>
      client.open(deleteDataModelFiles, { ...request, body: { ...request.body, files: [{ path }] } }, options),
    );
    await this.#replace(target, path, undefined);
    return copy;
  }

  /** Renames one file of a dev branch, under the same condition; the new name must be free. */
  async rename(target: BranchTarget, path: string, newPath: string): Promise<void> {
    requireName(newPath);
    const tree = await this.tree(target);
    const file = tree.get(path);
    if (tree.has(newPath)) throw new UserError(`There is a file ${newPath} already.`);
    if (!file) throw new UserError(`${path} is not on the branch any more.`);
    const entry = { kind: 'renameRemote', from: path, path: newPath, hash: file.hash, size: 0 } as const;
    await this.#change(target, entry, (client, request, options) =>
      client.open(renameDataModelFiles, { ...request, body: { ...request.body, files: [{ path, newPath }] } }, options),
    );
    await this.#replace(target, path, undefined);
    await this.#replace(target, newPath, { ...file, path: newPath, mtime: this.#now() });
  }

  async #textToDelete(target: BranchTarget, path: string): Promise<string> {
    const text = await this.text(target, path).catch((error: unknown) => {
      if (error instanceof UserError) return undefined;
      throw error;
    });
    if (text !== undefined) return text;
    throw new UserError(
      `${path} was not deleted: its content cannot be read, so it cannot be copied to the trash first.`,
    );
  }

  /** Copies a version to the trash; what cannot be copied is not replaced. */
  async #keepCopy(
    target: BranchTarget,
    path: string,
    text: string,
    cause: TrashCause,
    deleted: boolean,
  ): Promise<string> {
    requireDevBranch(target);
    const trash = await this.#trash(target);
    return trash.put(path, new TextEncoder().encode(text), { cause, deleted });
  }

  /**
   * Carries out one change: the hashes are read right before it, it is sent once under its condition, and what became of
   * an attempt without a clear answer is read off the hashes.
   */
  async #change(target: BranchTarget, entry: PlanEntry, send: Send): Promise<void> {
    const { deploymentId, branchName } = target;
    requireDevBranch(target);
    const client = this.#data.client(target.accountId);
    const effect = effectOf(entry);
    const [first] = effect?.facets ?? [];
    if (!effect || !first) return;
    const options = { once: true, headers: preconditions([first.before]) };
    const request = { params: { deploymentId }, body: { branchName } };
    const { changed, failed, error } = await settleEffects(
      [effect],
      () => sendWrite(() => send(client, request, options)),
      {
        remote: { list: async () => this.#listing(target) },
        clock: systemClock,
        signal: undefined,
        looks: true,
        how: 'conditional',
      },
    );
    if (changed.length > 0) {
      await this.refresh(target);
      const what = `Somebody changed ${first.path} on “${branchName}” meanwhile, so nothing was`;
      // VS Code compares with what is newer when a document is saved again.
      throw new UserError(
        entry.kind === 'upload'
          ? `${what} written. Save again to compare both versions.`
          : `${what} ${entry.kind === 'deleteRemote' ? 'deleted' : 'renamed'}. Open the new version first, then try again.`,
      );
    }
    if (failed.length > 0) throw error ?? new UserError(`${first.path} could not be changed. Try again.`);
  }

  async #listing({ accountId, deploymentId, branchName }: BranchTarget): Promise<RemoteListing> {
    const client = this.#data.client(accountId);
    const { files } = await client.call(getFileHashes, { params: { deploymentId }, query: { branchName } });
    const listed = new Map(Object.entries(files).map(([path, { hash }]) => [normalizePath(path), { hash }]));
    return { files: listed, frozen: new Map(), others: new Map(), complete: true };
  }

  /** The kept tree follows a change that was made here: no reason to read the whole branch again. */
  async #replace(target: BranchTarget, path: string, file: BranchFile | undefined): Promise<void> {
    const tree = new Map(await this.tree(target));
    if (file) tree.set(path, file);
    else tree.delete(path);
    this.#trees.set(branchKey(target), Promise.resolve(tree));
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
      tree.set(path, { path, hash, content: file.content, mtime });
    }
    return tree;
  }
}
