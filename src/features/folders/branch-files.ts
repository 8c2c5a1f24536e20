import { isDevBranch } from '#api/resources/branches.ts';
import type { CallOptions, Client } from '#api/client/client.ts';
import { deleteDataModelFiles, renameDataModelFiles, writeDataModelFiles } from '#api/resources/data-model.ts';
import { checkName, nameProblemText } from '#base/file-names.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { effectOf, finishEffects } from '#sync/core/transfer/effects.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { proveEffects, unprovenError } from '#sync/core/transfer/proven-effects.ts';
import type { RemoteListing, Trash, TrashCause } from '#sync/core/ports.ts';
import { preconditions, sendWrite } from '#sync/core/remote/remote-write.ts';
import {
  type BranchContents,
  type BranchHashes,
  branchKey,
  listedHashes,
  openContents,
  type PlatformData,
  sha1,
} from '#features/platform/index.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import { changedMeanwhile } from './changed-meanwhile.ts';
import { requireStillDev } from '#sync/core/remote/still-dev.ts';

/** One file of a branch as the platform lists it. */
export interface ListedFile {
  readonly path: string;
  readonly hash: string;
  /** Milliseconds since the epoch; changes only with the hash, so that no file seems newer than it is. */
  readonly mtime: number;
}

/** A listed file with its content. */
export interface BranchFile extends ListedFile {
  /** The content that the hash stands for, byte for byte; `undefined` if the platform does not deliver it. */
  readonly content: string | undefined;
}

/** The version of a file that someone decided on: its hash, or `undefined` if there was no file. */
export interface SeenVersion {
  readonly hash: string | undefined;
}

export type BranchListing = ReadonlyMap<string, ListedFile>;
export type BranchTree = ReadonlyMap<string, BranchFile>;

/** Opens the local trash of a branch, which stores the versions that changes to its files replace. */
export type OpenBranchTrash = (target: BranchTarget) => Promise<Trash>;

/** Sends the request of a change with its precondition. */
type Send = (
  client: Client,
  request: { readonly params: { readonly deploymentId: string }; readonly body: { readonly branchName: string } },
  options: CallOptions,
) => Promise<Response>;

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const encoder = new TextEncoder();

/** Refuses to create a file on the platform that could never be pulled. */
function requireName(path: string): void {
  const problem = checkName(path);
  if (problem !== undefined) throw new UserError(`${path}: the name ${nameProblemText(problem)}. Choose another one.`);
}

function requireDevBranch({ branchName }: BranchTarget): void {
  if (isDevBranch(branchName)) return;
  throw new Hint(`“${branchName}” is not a dev branch, so its files cannot be changed. Start dev mode first.`);
}

/** A text of a file, and its hash. */
export interface FileVersion {
  readonly hash: string;
  readonly content: string;
}

/** Why a file is changed, and the version that this was decided on; without it, the last one that was read here. */
interface ChangeOptions {
  readonly cause?: TrashCause | undefined;
  readonly seen?: SeenVersion | undefined;
}

interface LoadedTree {
  readonly listing: BranchListing;
  readonly tree: BranchTree;
}

/** Files of any branch: listings are cached until a refresh, contents are read on demand. */
export class BranchFiles {
  readonly #data: PlatformData;
  readonly #now: () => number;
  readonly #trash: OpenBranchTrash;
  readonly #clock: Clock;
  #contents: Promise<BranchContents> | undefined;
  readonly #listings = new Map<string, Promise<BranchListing>>();
  readonly #trees = new Map<string, Promise<LoadedTree>>();

  constructor(data: PlatformData, now: () => number, trash: OpenBranchTrash, clock: Clock = systemClock) {
    this.#clock = clock;
    this.#data = data;
    this.#now = now;
    this.#trash = trash;
  }

  /**
   * Resolves to the files of the branch, without contents; cached after the first call. Rejects with the platform's error, which
   * is not cached.
   */
  list(target: BranchTarget): Promise<BranchListing> {
    const key = branchKey(target);
    return this.#listings.get(key) ?? keepUnlessFailed(this.#listings, key, this.#list(target, new Map()));
  }

  /** Resolves to the whole tree with contents; reads only contents that are not known yet. */
  async tree(target: BranchTarget): Promise<BranchTree> {
    const key = branchKey(target);
    const listing = await this.list(target);
    const before = await this.#trees.get(key)?.catch(() => undefined);
    if (before?.listing === listing) return before.tree;
    const { tree } = await keepUnlessFailed(this.#trees, key, this.#load(target, listing, before?.tree ?? new Map()));
    return tree;
  }

  /**
   * Checks whether the branch has moved; resolves to the paths that differ from the listing. `hashes`: its files, if they have
   * just been read.
   */
  async refresh(target: BranchTarget, hashes?: BranchHashes): Promise<readonly string[]> {
    const key = branchKey(target);
    const before = await this.#listings.get(key)?.catch(() => undefined);
    if (!before && !hashes) return [];
    const now = await this.#list(target, before ?? new Map(), hashes);
    if (!before) {
      this.#listings.set(key, Promise.resolve(now));
      return [];
    }
    const changed = [...now.values()].filter(({ path, hash }) => before.get(path)?.hash !== hash);
    const gone = [...before.keys()].filter((path) => !now.has(path));
    if (changed.length + gone.length > 0) this.#listings.set(key, Promise.resolve(now));
    return [...changed.map(({ path }) => path), ...gone];
  }

  /** Reads the contents of these files in one request, for callers that then ask for them one by one. */
  async prefetch(target: BranchTarget, paths: readonly string[]): Promise<void> {
    const listing = await this.list(target);
    const wanted = paths.flatMap((path) => listing.get(path) ?? []);
    const versions = (await this.#reader()).read(target, wanted)[Symbol.asyncIterator]();
    while ((await versions.next()).done !== true);
  }

  /**
   * Resolves to the text of a file; `undefined` if there is none. Throws `UserError` if the platform does not deliver the bytes
   * that it lists: writing such a text back would destroy the file.
   */
  async text(target: BranchTarget, path: string): Promise<string | undefined> {
    return (await this.version(target, path))?.content;
  }

  /** Resolves to the text of a file and the hash of exactly that text; as `text` otherwise. */
  async version(target: BranchTarget, path: string): Promise<FileVersion | undefined> {
    const version = await this.#listedVersion(target, path);
    if (version !== 'unread') return version;
    // Hashes and contents come in two responses: the branch may have moved in between.
    await this.refresh(target);
    const again = await this.#listedVersion(target, path);
    if (again !== 'unread') return again;
    throw new UserError(
      `${path} cannot be opened: the platform does not deliver its content, or it is not UTF-8 text.`,
    );
  }

  /**
   * Writes one file of a dev branch if the platform still has the version that `seen` names, or else the one that was read here
   * (`undefined`: none). Throws `UserError` if someone else changed it: nothing is overwritten unseen. The replaced version goes to
   * the trash first.
   */
  async write(
    target: BranchTarget,
    path: string,
    content: string,
    { cause = 'branchEdit', seen }: ChangeOptions = {},
  ): Promise<void> {
    const before = await this.#seenHash(target, path, cause, seen);
    const bytes = encoder.encode(content);
    const hash = await sha1(bytes);
    if (before === undefined) requireName(path);
    else {
      const replaced = await this.text(target, path);
      if (replaced !== undefined && before !== hash) await this.#keepCopy(target, path, replaced, cause, false);
    }
    const entry = { kind: 'upload', path, reason: 'changed', hash, size: 0, expectedRemote: before } as const;
    await this.#change(target, entry, cause, (client, request, options) =>
      client.open(writeDataModelFiles, { ...request, body: { ...request.body, files: [{ path, content }] } }, options),
    );
    (await this.#reader()).keep(hash, bytes);
    await this.#replace(target, path, { path, hash, mtime: this.#now() });
  }

  /** Deletes one file of a dev branch, under the same condition; resolves to the id of its copy in the trash. */
  async remove(
    target: BranchTarget,
    path: string,
    { cause = 'branchEdit', seen }: ChangeOptions = {},
  ): Promise<string> {
    const expectedRemote = await this.#seenHash(target, path, cause, seen);
    if (expectedRemote === undefined) throw new UserError(`${path} is no longer on the branch.`);
    const copy = await this.#keepCopy(target, path, await this.#textToDelete(target, path), cause, true);
    const entry = { kind: 'deleteRemote', path, expectedRemote, size: 0 } as const;
    await this.#change(target, entry, cause, (client, request, options) =>
      client.open(deleteDataModelFiles, { ...request, body: { ...request.body, files: [{ path }] } }, options),
    );
    await this.#replace(target, path, undefined);
    return copy;
  }

  /** Renames one file of a dev branch, under the same condition; the new name must be free. */
  async rename(target: BranchTarget, path: string, newPath: string, seen?: SeenVersion): Promise<void> {
    requireName(newPath);
    await this.#seenHash(target, path, 'rename', seen);
    const listing = await this.list(target);
    const file = listing.get(path);
    if (listing.has(newPath)) throw new UserError(`A file ${newPath} already exists.`);
    if (!file) throw new UserError(`${path} is no longer on the branch.`);
    const entry = { kind: 'renameRemote', from: path, path: newPath, hash: file.hash, size: 0 } as const;
    await this.#change(target, entry, 'rename', (client, request, options) =>
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

  /** Copies a version to the trash; a version that cannot be copied is not replaced. */
  async #keepCopy(
    target: BranchTarget,
    path: string,
    text: string,
    cause: TrashCause,
    deleted: boolean,
  ): Promise<string> {
    requireDevBranch(target);
    const trash = await this.#trash(target);
    return trash.put(path, encoder.encode(text), { cause, deleted });
  }

  /**
   * Carries out one change: reads the hashes right before it, sends it once with its precondition, and infers from the hashes
   * what an attempt without a clear response did.
   */
  async #change(target: BranchTarget, entry: PlanEntry, attempt: TrashCause | 'rename', send: Send): Promise<void> {
    const { deploymentId, branchName } = target;
    requireDevBranch(target);
    const client = this.#data.client(target.accountId);
    const effect = effectOf(entry);
    const [first] = effect?.facets ?? [];
    if (!effect || !first) return;
    // The name does not show that production is built from the branch by now.
    await requireStillDev(client, { deployment: deploymentId, branch: branchName });
    const options = { once: true, headers: preconditions([first.before]) };
    const request = { params: { deploymentId }, body: { branchName } };
    let isSent = false;
    const list = async (): Promise<RemoteListing> => {
      const listing = await this.#listing(target);
      // A file that a cut list lacks may be there, and nothing is overwritten unseen.
      const isKnown = listing.complete || effect.facets.every(({ path }) => listing.files.has(path));
      if (isSent || isKnown) return listing;
      throw new UserError('The platform’s list of files was not complete, so nothing was changed. Try again.');
    };
    const ports = { remote: { list }, clock: this.#clock, signal: undefined };
    const { changed, confirmed, failed, error } = await finishEffects(
      [effect],
      () => {
        isSent = true;
        return sendWrite(() => send(client, request, options));
      },
      { ...ports, listsFirst: true, how: 'conditional' },
    );
    if (changed.length > 0) {
      await this.refresh(target);
      throw changedMeanwhile(target, first.path, attempt);
    }
    const [missing] = confirmed.length > 0 ? (await proveEffects(confirmed, ports)).missing : [];
    if (missing) throw new UserError(unprovenError(missing).message);
    if (failed.length > 0) throw error ?? new UserError(`${first.path} could not be changed. Try again.`);
  }

  /** Resolves to the hash that the branch has now. Throws `UserError` if it is another one than `seen`. */
  async #seenHash(
    target: BranchTarget,
    path: string,
    attempt: TrashCause | 'rename',
    seen: SeenVersion | undefined,
  ): Promise<string | undefined> {
    const hash = (await this.list(target)).get(path)?.hash;
    if (seen && seen.hash !== hash) throw changedMeanwhile(target, path, attempt);
    return hash;
  }

  async #listing(target: BranchTarget): Promise<RemoteListing> {
    const { hashes, isComplete } = await listedHashes(this.#data, target);
    const files = new Map(Array.from(hashes, ([path, hash]) => [path, { hash }]));
    return { files, frozen: new Map(), others: new Map(), complete: isComplete };
  }

  /** Updates the listing after a change that was made here. */
  async #replace(target: BranchTarget, path: string, file: ListedFile | undefined): Promise<void> {
    const listing = new Map(await this.list(target));
    if (file) listing.set(path, file);
    else listing.delete(path);
    this.#listings.set(branchKey(target), Promise.resolve(listing));
  }

  /** Drops the listing, so that the next use fetches it again. */
  forget(target: BranchTarget): void {
    this.#listings.delete(branchKey(target));
  }

  async #list(target: BranchTarget, before: BranchListing, known?: BranchHashes): Promise<BranchListing> {
    const hashes = known ?? (await listedHashes(this.#data, target)).hashes;
    return new Map(
      Array.from(hashes, ([path, hash]) => {
        const former = before.get(path);
        return [path, { path, hash, mtime: former?.hash === hash ? former.mtime : this.#now() }];
      }),
    );
  }

  #reader(): Promise<BranchContents> {
    this.#contents ??= openContents(({ accountId }) => this.#data.client(accountId));
    return this.#contents;
  }

  /** Resolves to a listed version; `undefined` if there is no such file, `unread` if the platform delivered other bytes. */
  async #listedVersion(target: BranchTarget, path: string): Promise<FileVersion | 'unread' | undefined> {
    const file = (await this.list(target)).get(path);
    if (!file) return undefined;
    for await (const version of (await this.#reader()).read(target, [file])) {
      if (version.kind === 'read') return { hash: file.hash, content: decoder.decode(version.bytes) };
    }
    return 'unread';
  }

  async #load(target: BranchTarget, listing: BranchListing, before: BranchTree): Promise<LoadedTree> {
    const known = new Map([...before.values()].map(({ hash, content }) => [hash, content]));
    const wanted = [...listing.values()].filter(({ hash }) => known.get(hash) === undefined);
    let hasMoved = false;
    for await (const version of (await this.#reader()).read(target, wanted)) {
      if (version.kind === 'read') known.set(version.hash, decoder.decode(version.bytes));
      else hasMoved = true;
    }
    // Hashes and contents come in two responses: content that differs from the listing may be a newer version.
    const isStale = hasMoved && (await this.refresh(target)).length > 0;
    const tree = new Map(Array.from(listing, ([path, file]) => [path, { ...file, content: known.get(file.hash) }]));
    return isStale ? this.#load(target, await this.list(target), tree) : { listing, tree };
  }
}

/** Shares a running request with all callers; a failure is not cached. */
function keepUnlessFailed<T>(kept: Map<string, Promise<T>>, key: string, fetching: Promise<T>): Promise<T> {
  kept.set(key, fetching);
  fetching.catch(() => {
    if (kept.get(key) === fetching) kept.delete(key);
  });
  return fetching;
}
