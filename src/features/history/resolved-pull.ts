import * as v from 'valibot';
import { asError } from '#base/async.ts';
import { Emitter } from '#base/event.ts';
import type { BranchTarget, FolderTarget } from '#shell/targets.ts';
import type { BranchFiles, FileVersion, SeenVersion } from '#features/folders/index.ts';
import { type GitResult, pullBranch } from './git-workflow.ts';
import type { PlatformData } from '#features/platform/index.ts';
import type { StateStore } from '#shell/ports.ts';
import { Hint } from '#shell/user-error.ts';

/** Files of a dev branch that the user has resolved against the branch that is pulled. */
export interface ResolvedFiles {
  readonly parent: string;
  /** By path, the hash of the parent's version that the user resolved the file against; empty if the parent had no such file. */
  readonly against: ReadonlyMap<string, string>;
}

/** A file that someone changed before its resolved version could be put back, and the version that it has now. */
export interface MovedFile extends SeenVersion {
  readonly path: string;
}

/** A dev branch and the linked folder in which its files were resolved. */
export type ResolvedTarget = BranchTarget & FolderTarget;

/** By path, what the branch has during a pull (`lent`) instead of the user's resolved version (`mine`); `null`: no file. */
const lentSchema = v.record(v.string(), v.object({ mine: v.nullable(v.string()), lent: v.nullable(v.string()) }));
type Lent = v.InferOutput<typeof lentSchema>;

/** The two versions of a resolved file before a pull; `undefined`: no file. */
interface LentFile {
  readonly path: string;
  readonly mine: FileVersion | undefined;
  readonly theirs: FileVersion | undefined;
}

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
    return this.#running.has(keyOf(target)) ? [] : Object.keys(this.#lent(target));
  }

  /**
   * Pulls with the resolved files; `bring` runs the pull itself. A text that cannot be put back now stays stored for `recover`.
   * Throws `Hint` before anything changes if one still waits for that, or if the parent has another version by now than the one
   * that the user resolved a file against.
   */
  async pull(
    target: ResolvedTarget,
    { parent, against }: ResolvedFiles,
    bring: () => GitResult = () => pullBranch(this.#data, target),
  ): GitResult {
    const key = keyOf(target);
    this.#running.add(key);
    try {
      return await this.#inTurn(key, async () => {
        await this.#putBack(target);
        requirePutBack(target, Object.keys(this.#lent(target)));
        const versions = await this.#read(target, { parent, against });
        const lent = Object.fromEntries(
          versions.map(({ path, mine, theirs }) => [
            path,
            { mine: mine?.content ?? null, lent: theirs?.content ?? null },
          ]),
        );
        await this.#store(target, lent);
        try {
          for (const { path, mine, theirs } of versions) {
            await this.#put(target, path, theirs?.content ?? null, mine);
          }
          return await bring();
        } finally {
          await this.#putBack(target);
        }
      });
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
    const key = keyOf(target);
    if (this.#running.has(key) || Object.keys(this.#lent(target)).length === 0) return [];
    return this.#inTurn(key, async () => this.#putBack(target));
  }

  /**
   * Puts back the stored versions of these files over the versions that the user has seen. Resolves to the files that someone has
   * changed again since, which stay stored.
   */
  insist(target: ResolvedTarget, moved: readonly MovedFile[]): Promise<readonly MovedFile[]> {
    return this.#inTurn(keyOf(target), async () => this.#putBack(target, moved));
  }

  /** Drops the stored versions of these files; the branch's versions stay. */
  forget(target: ResolvedTarget, moved: readonly MovedFile[]): Promise<void> {
    return this.#inTurn(keyOf(target), async () =>
      this.#drop(
        target,
        moved.map(({ path }) => path),
      ),
    );
  }

  /** Runs one piece of work on a branch after the other: each relies on what the one before it has stored. */
  async #inTurn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const before = this.#turns.get(key) ?? Promise.resolve();
    const turn = before.then(work);
    const ended = turn.catch(() => undefined);
    this.#turns.set(key, ended);
    return turn;
  }

  /** Resolves to both versions of each file. Throws `Hint` unless the parent's are those that the files were resolved against. */
  async #read(target: ResolvedTarget, { parent, against }: ResolvedFiles): Promise<readonly LentFile[]> {
    const paths = [...against.keys()];
    const from = { ...target, branchName: parent };
    await Promise.all([this.#readAnew(from, paths), this.#readAnew(target, paths)]);
    const versions: LentFile[] = [];
    for (const path of paths) {
      const [theirs, mine] = [await this.#files.version(from, path), await this.#files.version(target, path)];
      versions.push({ path, mine, theirs });
    }
    const later = versions.filter(({ path, theirs }) => (theirs?.hash ?? '') !== against.get(path));
    if (later.length === 0) return versions;
    const changed = later.map(({ path }) => path).join(', ');
    throw new Hint(`“${parent}” changed ${changed} again, so nothing was pulled. Continue to resolve that first.`);
  }

  /** Puts back what still has the lent version, or the one that is `seen`; resolves to the other files, which stay stored. */
  async #putBack(target: ResolvedTarget, seen: readonly MovedFile[] = []): Promise<readonly MovedFile[]> {
    const stored = Object.entries(this.#lent(target));
    if (stored.length === 0) return [];
    const done: string[] = [];
    const moved: MovedFile[] = [];
    let failure: Error | undefined;
    await this.#readAnew(
      target,
      stored.map(([path]) => path),
    );
    for (const [path, version] of stored) {
      const outcome = await this.#putOneBack(target, path, version, seen);
      if (outcome === 'done') done.push(path);
      else if (outcome instanceof Error) failure ??= outcome;
      else moved.push(outcome);
    }
    await this.#drop(target, done);
    if (failure) throw failure;
    return moved;
  }

  /** Puts one file back; resolves to the version that someone else gave it, or to why it could not be put back. */
  async #putOneBack(
    target: ResolvedTarget,
    path: string,
    { mine, lent }: Lent[string],
    seen: readonly MovedFile[],
  ): Promise<'done' | MovedFile | Error> {
    const now = await this.#files.version(target, path);
    const text = now?.content ?? null;
    const isSeen = seen.some((each) => each.path === path && each.hash === now?.hash);
    if (text !== mine && text !== lent && !isSeen) return { path, hash: now?.hash };
    try {
      await this.#put(target, path, mine, now);
      return 'done';
    } catch (thrown) {
      const later = await this.#files.version(target, path).catch(() => now);
      // If it has another version by now, someone was faster than the put-back.
      return later?.hash === now?.hash ? asError(thrown) : { path, hash: later?.hash };
    }
  }

  async #drop(target: ResolvedTarget, paths: readonly string[]): Promise<void> {
    const kept = Object.entries(this.#lent(target)).filter(([path]) => !paths.includes(path));
    await this.#store(target, Object.fromEntries(kept));
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

  /** Gives a file this text (`null`: deletes it) if it still has the version that was read. */
  async #put(target: BranchTarget, path: string, text: string | null, now: FileVersion | undefined): Promise<void> {
    if ((now?.content ?? null) === text) return;
    const options = { cause: 'settledPull', seen: { hash: now?.hash } } as const;
    if (text === null) await this.#files.remove(target, path, options);
    else await this.#files.write(target, path, text, options);
  }

  #lent(target: ResolvedTarget): Lent {
    const parsed = v.safeParse(lentSchema, this.#userState.get(keyOf(target)));
    return parsed.success ? parsed.output : {};
  }
}

/** Throws `Hint` if resolved versions are still stored: another pull would put later texts in their place. */
function requirePutBack({ branchName, folderId }: ResolvedTarget, waiting: readonly string[]): void {
  if (waiting.length === 0) return;
  throw new Hint(
    `Someone changed ${waiting.join(', ')} on “${branchName}” before your resolved version could be put back. Choose a version first, then pull.`,
    { title: 'Put Resolved Files Back', command: 'modelbench.sync.putBack', argument: { folderId } },
  );
}

function keyOf({ folderId, accountId, deploymentId, branchName }: ResolvedTarget): string {
  return `lent.${JSON.stringify([folderId, accountId, deploymentId, branchName])}`;
}
