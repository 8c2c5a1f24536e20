import { Emitter, type Event } from '#base/event.ts';
import type { FileStore, LocalListing, ReplaceResult } from '#sync/core/ports.ts';

/**
 * The files of a linked folder; reports the ones that were written through it or that differ from the previous listing. File
 * system watchers miss changes, especially in new folders.
 */
export class ObservedFiles implements FileStore {
  readonly #files: FileStore;
  readonly #changed = new Emitter<readonly string[]>();
  readonly #copied = new Emitter<void>();
  #listing: LocalListing | undefined;

  constructor(files: FileStore) {
    this.#files = files;
  }

  /** Paths as sync names them, relative to the linked folder. */
  get onDidChange(): Event<readonly string[]> {
    return this.#changed.event;
  }

  /** Fires when a copy of a file went to the trash before something other than sync replaces the file. */
  get onDidKeepCopy(): Event<void> {
    return this.#copied.event;
  }

  scan: FileStore['scan'] = async (request) => {
    const listing = await this.#files.scan(request);
    const before = this.#listing;
    this.#listing = listing;
    this.#report(before ? changedPaths(before, listing) : []);
    return listing;
  };

  replace: FileStore['replace'] = async (staged, expected, cause) =>
    this.#done(await this.#files.replace(staged, expected, cause), staged.path);

  remove: FileStore['remove'] = async (path, expected, cause) =>
    this.#done(await this.#files.remove(path, expected, cause), path);

  rename: FileStore['rename'] = async (from, to, expected) =>
    this.#done(await this.#files.rename(from, to, expected), from, to);

  identity: FileStore['identity'] = () => this.#files.identity();
  stateOf: FileStore['stateOf'] = (path) => this.#files.stateOf(path);
  read: FileStore['read'] = (path) => this.#files.read(path);
  ignoreFiles: FileStore['ignoreFiles'] = (names, paths) => this.#files.ignoreFiles(names, paths);
  stage: FileStore['stage'] = (path, bytes, hash) => this.#files.stage(path, bytes, hash);
  discard: FileStore['discard'] = (staged) => this.#files.discard(staged);
  keepCopy: FileStore['keepCopy'] = async (...copied) => {
    const kept = await this.#files.keepCopy(...copied);
    this.#copied.fire();
    return kept;
  };
  sync: FileStore['sync'] = (paths, only) => this.#files.sync(paths, only);
  recover: FileStore['recover'] = () => this.#files.recover();

  #done(result: ReplaceResult, ...paths: readonly string[]): ReplaceResult {
    if (result.kind === 'done') this.#report(paths);
    return result;
  }

  #report(paths: readonly string[]): void {
    if (paths.length > 0) this.#changed.fire(paths);
  }
}

/** Returns the paths that differ between two listings of a folder. */
function changedPaths(before: LocalListing, now: LocalListing): readonly string[] {
  const changed = [...now.files].flatMap(([path, { hash }]) => (before.files.get(path)?.hash === hash ? [] : [path]));
  const gone = [...before.files.keys()].filter((path) => !now.files.has(path));
  return [...changed, ...gone];
}
