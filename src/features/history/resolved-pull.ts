import * as v from 'valibot';
import { asError } from '#base/async.ts';
import { Emitter } from '#base/event.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchFiles } from '#features/folders/index.ts';
import { type GitResult, pullBranch } from './git-workflow.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';

/** Files of a dev branch that the user has resolved against the branch that is pulled. */
export interface ResolvedFiles {
  readonly parent: string;
  readonly paths: readonly string[];
}

/** A dev branch and the linked folder in which its files were resolved. */
export type ResolvedTarget = BranchTarget & FolderTarget;

/** By path, what the branch has during a pull (`lent`) instead of the user's resolved version (`mine`); `null`: no file. */
const lentSchema = v.record(v.string(), v.object({ mine: v.nullable(v.string()), lent: v.nullable(v.string()) }));
type Lent = v.InferOutput<typeof lentSchema>;

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
  readonly #changed = new Emitter<void>();

  constructor(options: { readonly data: PlatformData; readonly files: BranchFiles; readonly userState: StateStore }) {
    this.#data = options.data;
    this.#files = options.files;
    this.#userState = options.userState;
  }

  /** Returns the files whose resolved versions are not back on the branch; none while a pull runs. */
  waiting(target: ResolvedTarget): readonly string[] {
    this.#changed.track();
    return this.#running.has(keyOf(target)) ? [] : Object.keys(this.#lent(target));
  }

  /**
   * Pulls with the resolved files; `bring` runs the pull itself. A text that cannot be put back now stays stored for `recover`.
   */
  async pull(
    target: ResolvedTarget,
    { parent, paths }: ResolvedFiles,
    bring: () => GitResult = () => pullBranch(this.#data, target),
  ): GitResult {
    const key = keyOf(target);
    const from = { ...target, branchName: parent };
    this.#running.add(key);
    try {
      await this.#putBack(target);
      await Promise.all([this.#readAnew(from, paths), this.#readAnew(target, paths)]);
      const lent: Lent = {};
      for (const path of paths) {
        lent[path] = { mine: await this.#text(target, path), lent: await this.#text(from, path) };
      }
      await this.#store(target, { ...this.#lent(target), ...lent });
      try {
        for (const path of paths) await this.#put(target, path, lent[path]?.lent ?? null);
        return await bring();
      } finally {
        await this.#putBack(target);
      }
    } finally {
      this.#running.delete(key);
      this.#changed.fire();
    }
  }

  /**
   * Puts back the resolved versions of an interrupted pull; only the window that writes the folder's files may call it. Resolves
   * to the paths that someone else changed since: their texts stay stored until `insist` or `forget`.
   */
  async recover(target: ResolvedTarget): Promise<readonly string[]> {
    if (this.#running.has(keyOf(target)) || Object.keys(this.#lent(target)).length === 0) return [];
    return this.#putBack(target);
  }

  /** Puts back the stored versions, whatever the branch has now. */
  async insist(target: ResolvedTarget): Promise<void> {
    await this.#readAnew(target, Object.keys(this.#lent(target)));
    for (const [path, { mine }] of Object.entries(this.#lent(target))) await this.#put(target, path, mine);
    await this.forget(target);
  }

  /** Drops the stored versions; the branch's versions stay. */
  forget(target: ResolvedTarget): Promise<void> {
    return this.#store(target, {});
  }

  async #putBack(target: ResolvedTarget): Promise<readonly string[]> {
    const left: Lent = { ...this.#lent(target) };
    if (Object.keys(left).length === 0) return [];
    const moved: string[] = [];
    let failure: Error | undefined;
    await this.#readAnew(target, Object.keys(left));
    for (const [path, { mine, lent }] of Object.entries(left)) {
      const now = await this.#text(target, path);
      if (now !== mine && now !== lent) {
        moved.push(path);
        continue;
      }
      try {
        await this.#put(target, path, mine);
        delete left[path];
      } catch (thrown) {
        failure ??= asError(thrown);
      }
    }
    await this.#store(target, left);
    if (failure) throw failure;
    return moved;
  }

  async #store(target: ResolvedTarget, lent: Lent): Promise<void> {
    await this.#userState.set(keyOf(target), Object.keys(lent).length === 0 ? undefined : lent);
    this.#changed.fire();
  }

  /** Reads all of these files again in one request. */
  async #readAnew(target: BranchTarget, paths: readonly string[]): Promise<void> {
    await this.#files.refresh(target);
    await this.#files.prefetch(target, paths);
  }

  async #put(target: BranchTarget, path: string, text: string | null): Promise<void> {
    if ((await this.#text(target, path)) === text) return;
    if (text === null) await this.#files.remove(target, path, 'settledPull');
    else await this.#files.write(target, path, text, 'settledPull');
  }

  async #text(target: BranchTarget, path: string): Promise<string | null> {
    return (await this.#files.text(target, path)) ?? null;
  }

  #lent(target: ResolvedTarget): Lent {
    const parsed = v.safeParse(lentSchema, this.#userState.get(keyOf(target)));
    return parsed.success ? parsed.output : {};
  }
}

function keyOf({ folderId, accountId, deploymentId, branchName }: ResolvedTarget): string {
  return `lent.${JSON.stringify([folderId, accountId, deploymentId, branchName])}`;
}
