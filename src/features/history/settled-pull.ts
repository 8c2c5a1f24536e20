import * as v from 'valibot';
import { asError } from '#base/async.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { type GitResult, pullBranch } from './git-workflow.ts';
import type { PlatformData } from '#features/platform/platform-data.ts';
import type { StateStore } from '#shell/ports.ts';

/** Files of a dev branch that a user has settled against the branch that is pulled. */
export interface SettledFiles {
  readonly parent: string;
  readonly paths: readonly string[];
}

/** A dev branch and the linked folder in which its files were settled. */
export type SettledPlace = BranchTarget & FolderTarget;

/** What a branch holds for the length of a pull in the place of what the user settled; `null`: no file. */
const lentSchema = v.record(v.string(), v.object({ mine: v.nullable(v.string()), lent: v.nullable(v.string()) }));
type Lent = v.InferOutput<typeof lentSchema>;

/**
 * Pulls the parent where the user has settled the files that both changed. The platform's Git merges a file without a
 * question only where both sides are alike: the dev branch gets the parent's version for the pull, and what was settled
 * again right after it, whatever came of the pull. What is to be put back is written down before the branch is touched,
 * so that a window that ends in between costs nothing: `recover` puts it back.
 */
export class SettledPulls {
  readonly #data: PlatformData;
  readonly #files: BranchFiles;
  readonly #person: StateStore;
  readonly #running = new Set<string>();
  readonly #changed = new Emitter<void>();

  constructor(options: { readonly data: PlatformData; readonly files: BranchFiles; readonly person: StateStore }) {
    this.#data = options.data;
    this.#files = options.files;
    this.#person = options.person;
  }

  /** What waits to be put back has changed. */
  get onDidChange(): Event<void> {
    return this.#changed.event;
  }

  /** The files whose resolved versions the branch does not have again yet; none while a pull runs. */
  waiting(place: SettledPlace): readonly string[] {
    return this.#running.has(keyOf(place)) ? [] : Object.keys(this.#lent(place));
  }

  /**
   * Pulls with what was settled; `bring` is how the parent's changes come in. Where a text cannot be put back now, it is
   * kept for `recover`.
   */
  async pull(
    place: SettledPlace,
    { parent, paths }: SettledFiles,
    bring: () => GitResult = () => pullBranch(this.#data, place),
  ): GitResult {
    const key = keyOf(place);
    const from = { ...place, branchName: parent };
    this.#running.add(key);
    try {
      await this.#putBack(place);
      await Promise.all([this.#readAnew(from, paths), this.#readAnew(place, paths)]);
      const lent: Lent = {};
      for (const path of paths) {
        lent[path] = { mine: await this.#text(place, path), lent: await this.#text(from, path) };
      }
      await this.#store(place, { ...this.#lent(place), ...lent });
      try {
        for (const path of paths) await this.#put(place, path, lent[path]?.lent ?? null);
        return await bring();
      } finally {
        await this.#putBack(place);
      }
    } finally {
      this.#running.delete(key);
      this.#changed.fire();
    }
  }

  /**
   * Puts back what a run that ended in the middle has left on the branch; to be called by the one window that writes the
   * folder's files. Answers the paths that someone else changed since: their texts are kept until `insist` or `forget`.
   */
  async recover(place: SettledPlace): Promise<readonly string[]> {
    if (this.#running.has(keyOf(place)) || Object.keys(this.#lent(place)).length === 0) return [];
    return this.#putBack(place);
  }

  /** Puts back what is kept, whatever the branch has now. */
  async insist(place: SettledPlace): Promise<void> {
    await this.#readAnew(place, Object.keys(this.#lent(place)));
    for (const [path, { mine }] of Object.entries(this.#lent(place))) await this.#put(place, path, mine);
    await this.forget(place);
  }

  /** Lets go of what is kept: the branch's versions stay. */
  forget(place: SettledPlace): Promise<void> {
    return this.#store(place, {});
  }

  async #putBack(place: SettledPlace): Promise<readonly string[]> {
    const left: Lent = { ...this.#lent(place) };
    if (Object.keys(left).length === 0) return [];
    const moved: string[] = [];
    let failure: Error | undefined;
    await this.#readAnew(place, Object.keys(left));
    for (const [path, { mine, lent }] of Object.entries(left)) {
      const now = await this.#text(place, path);
      if (now !== mine && now !== lent) {
        moved.push(path);
        continue;
      }
      try {
        await this.#put(place, path, mine);
        delete left[path];
      } catch (thrown) {
        failure ??= asError(thrown);
      }
    }
    await this.#store(place, left);
    if (failure) throw failure;
    return moved;
  }

  async #store(place: SettledPlace, lent: Lent): Promise<void> {
    await this.#person.set(keyOf(place), Object.keys(lent).length === 0 ? undefined : lent);
    this.#changed.fire();
  }

  /** One read of the branch for all of these files. */
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

  #lent(place: SettledPlace): Lent {
    const parsed = v.safeParse(lentSchema, this.#person.get(keyOf(place)));
    return parsed.success ? parsed.output : {};
  }
}

function keyOf({ folderId, accountId, deploymentId, branchName }: SettledPlace): string {
  return `lent.${JSON.stringify([folderId, accountId, deploymentId, branchName])}`;
}
