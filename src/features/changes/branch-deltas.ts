import * as v from 'valibot';
import { asError } from '#base/async.ts';
import type { Disposable } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import type { Logger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import { branchKey } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type * as branchDeltas from './branch-delta.ts';
import type { BranchDelta, FileHashes } from './branch-delta.ts';

/** A dev branch and the parent that its commits go to. */
export interface ComparedBranch {
  readonly target: BranchTarget;
  readonly parent: string;
  /** The last commit of each branch, if the platform reports it. */
  readonly head: string | undefined;
  readonly parentHead: string | undefined;
}

/** The last comparison of a dev branch with its parent. */
export interface DeltaState {
  readonly parent: string;
  /** The last result; stays while a newer comparison runs or after it has failed. */
  readonly delta: BranchDelta;
  /** The time of the comparison, milliseconds since the epoch. */
  readonly at: number;
  /** Whether the parent moved before this window first saw it: its changes may be among those to commit. */
  readonly isMixed: boolean;
}

/** Resolves to the current files of a branch, without contents. Rejects with the platform's error. */
export type ListFiles = (target: BranchTarget) => Promise<ReadonlyMap<string, { readonly hash: string }>>;

/** Loads `branch-delta.ts`, which may be in another bundle. */
export type LoadComparison = () => Promise<Pick<typeof branchDeltas, 'branchDelta' | 'nextBase'>>;

const change = v.picklist(['added', 'removed', 'changed']);
const from = v.exactOptional(v.string());
const savedSchema = v.object({
  parent: v.string(),
  head: v.optional(v.string()),
  parentHead: v.optional(v.string()),
  at: v.number(),
  /** Each file to commit, with the hash of the last common version; empty if there was none. */
  toCommit: v.array(v.object({ path: v.string(), change, from, base: v.string() })),
  incoming: v.array(v.object({ path: v.string(), change, from })),
});
type Saved = v.InferOutput<typeof savedSchema>;

/** The most files to store; after a longer list, the next window compares again. */
const mostStored = 1000;

interface Common {
  readonly parent: string;
  readonly head: string | undefined;
  readonly hashes: FileHashes;
  readonly isMixed: boolean;
}

/**
 * The differences between each dev branch and its parent, by file hashes. The platform lists the files of both but gives no
 * history, so the last common versions are remembered here and stored in a short form for the next window.
 */
export class BranchDeltas implements Disposable {
  readonly #list: ListFiles;
  readonly #comparison: LoadComparison;
  readonly #state: StateStore;
  readonly #now: () => number;
  readonly #logger: Logger;
  readonly #known = new Store<ReadonlyMap<string, DeltaState>>(new Map(), isEqual);
  /** The errors of the last comparisons, by branch. */
  readonly #failures = new Store<ReadonlyMap<string, Error>>(new Map());
  readonly #common = new Map<string, Common>();
  readonly #running = new Map<string, { next: ComparedBranch | undefined; readonly done: Promise<void> }>();

  constructor(options: {
    readonly list: ListFiles;
    readonly comparison: LoadComparison;
    readonly state: StateStore;
    readonly now: () => number;
    readonly logger: Logger;
  }) {
    this.#list = options.list;
    this.#comparison = options.comparison;
    this.#state = options.state;
    this.#now = options.now;
    this.#logger = options.logger;
  }

  /** Returns the last comparison of a dev branch; `undefined` before the first one. */
  of(target: BranchTarget): DeltaState | undefined {
    return this.#known.value.get(branchKey(target));
  }

  /** Returns the error of the last comparison of a branch, if it failed. */
  failure(target: BranchTarget): Error | undefined {
    return this.#failures.value.get(branchKey(target));
  }

  /**
   * Compares a branch with its parent; requests during a comparison share one that follows it. Never rejects:
   * {@link BranchDeltas.failure} returns the error.
   */
  compare(branch: ComparedBranch): Promise<void> {
    const key = branchKey(branch.target);
    const running = this.#running.get(key);
    if (running) {
      running.next = branch;
      return running.done;
    }
    const entry = { next: branch as ComparedBranch | undefined, done: Promise.resolve() };
    const work = async (): Promise<void> => {
      for (let next = entry.next; next; next = entry.next) {
        entry.next = undefined;
        await this.#compare(key, next);
      }
      this.#running.delete(key);
    };
    this.#running.set(key, entry);
    entry.done = work();
    return entry.done;
  }

  dispose(): void {
    this.#known.dispose();
    this.#failures.dispose();
  }

  async #compare(key: string, branch: ComparedBranch): Promise<void> {
    try {
      const [dev, parent] = await Promise.all([
        this.#hashes(branch.target),
        this.#hashes({ ...branch.target, branchName: branch.parent }),
      ]);
      const { branchDelta, nextBase } = await this.#comparison();
      const common = this.#commonOf(key, branch, dev, parent);
      const delta = branchDelta(dev, parent, common.hashes);
      const state = { parent: branch.parent, delta, at: this.#now(), isMixed: common.isMixed };
      this.#set(key, state);
      this.#failures.update((all) => new Map([...all].filter(([other]) => other !== key)));
      this.#common.set(key, { ...common, hashes: nextBase(dev, parent, common.hashes) });
      await this.#save(key, branch, state, common.hashes);
    } catch (thrown) {
      const error = asError(thrown);
      this.#logger.warn('A branch could not be compared with its parent', {
        branch: branch.target.branchName,
        error: error.message,
      });
      const last = this.of(branch.target) ?? lastState(this.#saved(key), branch.parent);
      if (last) this.#set(key, last);
      this.#failures.update((all) => new Map(all).set(key, error));
    }
  }

  /**
   * Returns what both branches had in common: as this window saw it, otherwise as stored, otherwise the parent's current files.
   */
  #commonOf(key: string, { parent, head, parentHead }: ComparedBranch, dev: FileHashes, now: FileHashes): Common {
    const known = this.#common.get(key);
    // A new commit on the dev branch is a commit or a pull; after either, the branch contains the parent's changes.
    if (known?.parent === parent && known.head === head) return known;
    const saved = known ? undefined : this.#saved(key);
    if (saved?.parent === parent && saved.head === head && saved.parentHead !== parentHead) {
      const hashes = new Map(dev);
      for (const { path, base } of saved.toCommit) {
        if (base === '') hashes.delete(path);
        else hashes.set(path, base);
      }
      return { parent, head, hashes, isMixed: false };
    }
    const isFirst = known === undefined && saved === undefined;
    return { parent, head, hashes: now, isMixed: isFirst && head !== parentHead };
  }

  async #hashes(target: BranchTarget): Promise<FileHashes> {
    return new Map(Array.from(await this.#list(target), ([path, { hash }]) => [path, hash]));
  }

  #set(key: string, state: DeltaState): void {
    this.#known.update((all) => new Map(all).set(key, state));
  }

  #saved(key: string): Saved | undefined {
    const parsed = v.safeParse(savedSchema, this.#state.get(stateKey(key)));
    return parsed.success ? parsed.output : undefined;
  }

  async #save(
    key: string,
    branch: ComparedBranch,
    { delta, at, isMixed }: DeltaState,
    base: FileHashes,
  ): Promise<void> {
    const { parent, head, parentHead } = branch;
    const isStored = !isMixed && delta.toCommit.length + delta.incoming.length <= mostStored;
    const saved: Saved = {
      parent,
      ...(head === undefined ? {} : { head }),
      ...(parentHead === undefined ? {} : { parentHead }),
      at,
      toCommit: delta.toCommit.map((file) => ({ ...file, base: base.get(file.path) ?? '' })),
      incoming: [...delta.incoming],
    };
    await this.#state.set(stateKey(key), isStored ? saved : undefined);
  }
}

function lastState(saved: Saved | undefined, parent: string): DeltaState | undefined {
  if (saved?.parent !== parent) return undefined;
  const toCommit = saved.toCommit.map(({ path, change, from: former }) => ({
    path,
    change,
    ...(former === undefined ? {} : { from: former }),
  }));
  return { parent, delta: { toCommit, incoming: saved.incoming }, at: saved.at, isMixed: false };
}

function stateKey(key: string): string {
  return `branchDelta.${key}`;
}
