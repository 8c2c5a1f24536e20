import { asError } from '#base/async.ts';
import type { BranchFiles, FileVersion } from '#features/folders/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import type { Lent, MovedFile, ResolvedFiles, ResolvedTarget, StoredLent } from './lent-version.ts';

/** The two versions of a resolved file before a pull; `undefined`: no file. */
interface LentFile {
  readonly path: string;
  readonly mine: FileVersion | undefined;
  readonly theirs: FileVersion | undefined;
}

/** Lends files of a dev branch the versions of another branch, and puts the user's versions back. */
export class LentFiles {
  readonly #files: BranchFiles;
  readonly #stored: StoredLent;

  constructor(files: BranchFiles, stored: StoredLent) {
    this.#files = files;
    this.#stored = stored;
  }

  /** Runs `work` while the files have the parent's versions. */
  async during<T>(target: ResolvedTarget, resolved: ResolvedFiles, work: () => Promise<T>): Promise<T> {
    await this.putBack(target);
    requirePutBack(target, Object.keys(this.#stored.get(target)));
    const versions = await this.#read(target, resolved);
    const lent = versions.map(
      ({ path, mine, theirs }) => [path, { mine: mine?.content ?? null, lent: theirs?.content ?? null }] as const,
    );
    await this.#stored.set(target, Object.fromEntries(lent));
    try {
      for (const { path, mine, theirs } of versions) await this.#put(target, path, theirs?.content ?? null, mine);
      return await work();
    } finally {
      await this.putBack(target);
    }
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
  async putBack(target: ResolvedTarget, seen: readonly MovedFile[] = []): Promise<readonly MovedFile[]> {
    const stored = Object.entries(this.#stored.get(target));
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
    await this.drop(target, done);
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

  /** Drops the stored versions of these files. */
  async drop(target: ResolvedTarget, paths: readonly string[]): Promise<void> {
    const kept = Object.entries(this.#stored.get(target)).filter(([path]) => !paths.includes(path));
    await this.#stored.set(target, Object.fromEntries(kept));
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
}

/** Throws `Hint` if resolved versions are still stored: another pull would put later texts in their place. */
function requirePutBack({ branchName, folderId }: ResolvedTarget, waiting: readonly string[]): void {
  if (waiting.length === 0) return;
  throw new Hint(
    `Someone changed ${waiting.join(', ')} on “${branchName}” before your resolved version could be put back. Choose a version first, then pull.`,
    { title: 'Put Resolved Files Back', command: 'modelbench.sync.putBack', argument: { folderId } },
  );
}
