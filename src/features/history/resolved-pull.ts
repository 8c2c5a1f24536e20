import * as v from 'valibot';
import { Emitter } from '#base/event.ts';
import { type BranchFiles, lentKey } from '#features/folders/index.ts';
import { type GitResult, pullBranch } from './git-workflow.ts';
import type { LentFiles } from './lent-files.ts';
import type { Lent, MovedFile, ResolvedFiles, ResolvedTarget, StoredLent } from './lent-version.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';

export type { MovedFile, ResolvedFiles, ResolvedTarget } from './lent-version.ts';

const lentSchema = v.record(v.string(), v.object({ mine: v.nullable(v.string()), lent: v.nullable(v.string()) }));

/**
 * Pulls the parent after the user has resolved the files that both sides changed. The platform's Git merges a file without a
 * conflict only if both sides are equal. So the dev branch gets the parent's version for the pull, and the resolved version again
 * right after it, whether or not the pull succeeds. The resolved versions are stored before the branch changes, so that nothing
 * is lost if the window closes in between: `recover` puts them back.
 */
export class ResolvedPulls {
  readonly #data: PlatformData;
  readonly #files: BranchFiles;
  readonly #userState: StateStore;
  readonly #running = new Set<string>();
  /** By branch, the end of the last work on it. */
  readonly #turns = new Map<string, Promise<unknown>>();
  readonly #changed = new Emitter<void>();

  constructor(options: { readonly data: PlatformData; readonly files: BranchFiles; readonly userState: StateStore }) {
    this.#data = options.data;
    this.#files = options.files;
    this.#userState = options.userState;
  }

  /** Returns the files whose resolved versions are not back on the branch; none while a pull runs. */
  waiting(target: ResolvedTarget): readonly string[] {
    this.#changed.track();
    return this.#running.has(lentKey(target)) ? [] : Object.keys(this.#lent(target));
  }

  /**
   * Pulls with the resolved files; `bring` runs the pull itself. A text that cannot be put back now stays stored for `recover`.
   * Throws `Hint` before anything changes if one still waits for that, or if the parent has another version by now than the one
   * that the user resolved a file against.
   */
  async pull(
    target: ResolvedTarget,
    resolved: ResolvedFiles,
    bring: () => GitResult = () => pullBranch(this.#data, target),
  ): GitResult {
    const key = lentKey(target);
    this.#running.add(key);
    try {
      return await this.#inTurn(target, async (lent) => lent.during(target, resolved, bring));
    } finally {
      this.#running.delete(key);
      this.#changed.fire();
    }
  }

  /**
   * Puts back the resolved versions of an interrupted pull; only the window that writes the folder's files may call it. Resolves
   * to the files that someone else changed since: their texts stay stored until `insist` or `forget`.
   */
  async recover(target: ResolvedTarget): Promise<readonly MovedFile[]> {
    if (this.waiting(target).length === 0) return [];
    return this.#inTurn(target, async (lent) => lent.putBack(target));
  }

  /**
   * Puts back the stored versions of these files over the versions that the user has seen. Resolves to the files that someone has
   * changed again since, which stay stored.
   */
  insist(target: ResolvedTarget, moved: readonly MovedFile[]): Promise<readonly MovedFile[]> {
    return this.#inTurn(target, async (lent) => lent.putBack(target, moved));
  }

  /** Drops the stored versions of these files; the branch's versions stay. */
  forget(target: ResolvedTarget, moved: readonly MovedFile[]): Promise<void> {
    const paths = moved.map(({ path }) => path);
    return this.#inTurn(target, async (lent) => lent.drop(target, paths));
  }

  /** Runs one piece of work on a branch after the other: each relies on what the one before it has stored. */
  async #inTurn<T>(target: ResolvedTarget, work: (lent: LentFiles) => Promise<T>): Promise<T> {
    const key = lentKey(target);
    const turn = (this.#turns.get(key) ?? Promise.resolve()).then(async () => {
      const { LentFiles } = await import('#features/history/lent-files.ts');
      const stored: StoredLent = { get: (of) => this.#lent(of), set: async (of, lent) => this.#store(of, lent) };
      return work(new LentFiles(this.#files, stored));
    });
    this.#turns.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  }

  async #store(target: ResolvedTarget, lent: Lent): Promise<void> {
    await this.#userState.set(lentKey(target), Object.keys(lent).length === 0 ? undefined : lent);
    this.#changed.fire();
  }

  #lent(target: ResolvedTarget): Lent {
    const parsed = v.safeParse(lentSchema, this.#userState.get(lentKey(target)));
    return parsed.success ? parsed.output : {};
  }
}
