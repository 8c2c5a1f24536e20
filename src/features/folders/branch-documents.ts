import type { Disposable } from '#base/disposable.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { BranchHashes } from '#features/platform/index.ts';
import type { BranchTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { BranchFiles, SeenVersion } from './branch-files.ts';

/** A file that was deleted on a branch, and the id of its copy in the trash. */
export interface DeletedFile {
  readonly target: BranchTarget;
  readonly path: string;
  readonly id: string;
}

/** The checks that decide whether files of a branch can be written. */
export interface WriteGuard {
  /** Whether the branch is the user's own dev branch, in a trusted window. */
  readonly mayWrite: (target: BranchTarget) => boolean;
  /** Asks before the first write if a Git repository feeds the deployment or may feed it. */
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
}

/** The file or folder at a path of a branch. `size`: bytes; `mtime`: milliseconds since the epoch. */
export type BranchEntry =
  | { readonly kind: 'file'; readonly size: number; readonly mtime: number; readonly isReadonly: boolean }
  | { readonly kind: 'folder' };

/** Files of a branch whose content may have changed. */
export interface ChangedFiles {
  readonly target: BranchTarget;
  readonly paths: readonly string[];
}

/**
 * The files of branches as documents, without a local copy. A folder exists once it has a file, because the platform knows only
 * files. The user's own dev branches are writable, version by version: another user's change is never overwritten.
 */
export class BranchDocuments implements Disposable {
  readonly #files: BranchFiles;
  readonly #guard: WriteGuard;
  readonly #changed = new Emitter<ChangedFiles>();
  readonly #written = new Emitter<BranchTarget>();
  readonly #deleted = new Emitter<readonly DeletedFile[]>();
  readonly onDidChange: Event<ChangedFiles> = this.#changed.event;
  /** Fires when a branch was written to through one of its documents. */
  readonly onDidWrite: Event<BranchTarget> = this.#written.event;
  /** Fires with the files that were deleted in one step: one, or those of a folder. */
  readonly onDidDelete: Event<readonly DeletedFile[]> = this.#deleted.event;

  constructor(files: BranchFiles, guard: WriteGuard) {
    this.#files = files;
    this.#guard = guard;
  }

  /** Resolves to the file or folder at a path; `undefined` if there is none. */
  async entry(target: BranchTarget, path: string): Promise<BranchEntry | undefined> {
    const listing = await this.#files.list(target);
    const file = listing.get(path);
    if (!file) {
      const isFolder = path === '' || [...listing.keys()].some((name) => name.startsWith(`${path}/`));
      return isFolder ? { kind: 'folder' } : undefined;
    }
    // A file that cannot be read still exists; opening it shows the reason.
    const text = await this.#files.text(target, path).catch((error: unknown) => {
      if (error instanceof UserError) return '';
      throw error;
    });
    const size = new TextEncoder().encode(text ?? '').length;
    return { kind: 'file', size, mtime: file.mtime, isReadonly: !this.#guard.mayWrite(target) };
  }

  /** Resolves to the names in a folder. */
  async names(target: BranchTarget, folder: string): Promise<ReadonlyMap<string, BranchEntry['kind']>> {
    const prefix = folder === '' ? '' : `${folder}/`;
    const names = new Map<string, BranchEntry['kind']>();
    for (const path of (await this.#files.list(target)).keys()) {
      if (!path.startsWith(prefix)) continue;
      const [first = '', ...rest] = path.slice(prefix.length).split('/');
      names.set(first, rest.length === 0 ? 'file' : 'folder');
    }
    return names;
  }

  /** Resolves to the bytes of a file; `undefined` if there is none. Throws `UserError` if the platform does not deliver them. */
  async read(target: BranchTarget, path: string): Promise<Uint8Array | undefined> {
    const text = await this.#files.text(target, path);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  }

  /** Returns why a branch is read-only; `undefined` if it is writable. */
  readonlyReason(target: BranchTarget): string | undefined {
    if (this.#guard.mayWrite(target)) return undefined;
    return `“${target.branchName}” is read-only here: you can write only to your own dev branches.`;
  }

  /** Writes a file. Throws `UserError` if the bytes are not text, or if someone else changed the file. */
  async write(target: BranchTarget, path: string, content: Uint8Array): Promise<void> {
    const seen = await this.#seen(target, path);
    await this.#requireConsent(target);
    await this.#change(target, path, async () => this.#files.write(target, path, utf8(content, path), { seen }));
  }

  /** Deletes a file, or each file of a folder. */
  async remove(target: BranchTarget, path: string): Promise<void> {
    const files = await this.#filesAt(target, path);
    await this.#requireConsent(target);
    const deleted: DeletedFile[] = [];
    try {
      for (const [file, seen] of files) {
        await this.#change(target, file, async () => {
          deleted.push({ target, path: file, id: await this.#files.remove(target, file, { seen }) });
        });
      }
    } finally {
      // Also after a failure: the files that were deleted until then can be restored.
      if (deleted.length > 0) this.#deleted.fire(deleted);
    }
  }

  /** Renames a file, or each file of a folder. */
  async rename(target: BranchTarget, path: string, newPath: string): Promise<void> {
    const files = await this.#filesAt(target, path);
    await this.#requireConsent(target);
    for (const [file, seen] of files) {
      const newFile = `${newPath}${file.slice(path.length)}`;
      await this.#change(target, file, async () => this.#files.rename(target, file, newFile, seen));
    }
  }

  /** Refreshes a branch and reloads open documents of files that changed; `hashes`: its files, if they have just been read. */
  async refresh(target: BranchTarget, hashes?: BranchHashes): Promise<void> {
    this.#changed.fire({ target, paths: await this.#files.refresh(target, hashes) });
  }

  /** Refreshes documents and views after a file was written in another way. */
  announce(target: BranchTarget, path: string): void {
    this.#changed.fire({ target, paths: [path] });
    this.#written.fire(target);
  }

  dispose(): void {
    this.#written.dispose();
    this.#deleted.dispose();
    this.#changed.dispose();
  }

  async #requireConsent(target: BranchTarget): Promise<void> {
    if (await this.#guard.mayUpload(target)) return;
    throw new Hint(
      `Nothing was changed on “${target.branchName}”, because you did not agree to uploads. Try again to be asked again.`,
    );
  }

  /**
   * Resolves to the version that the user acts on: the branch may be read again while they are asked for their consent, and what
   * came meanwhile is not what they saw.
   */
  async #seen(target: BranchTarget, path: string): Promise<SeenVersion> {
    return { hash: (await this.#files.list(target)).get(path)?.hash };
  }

  /** Resolves to the file itself, or to all files of a folder, as the user sees them before they are asked. */
  async #filesAt(target: BranchTarget, path: string): Promise<ReadonlyMap<string, SeenVersion>> {
    const listing = await this.#files.list(target);
    const inside = [...listing.values()].filter((file) => file.path.startsWith(`${path}/`));
    return inside.length === 0
      ? new Map([[path, { hash: listing.get(path)?.hash }]])
      : new Map(inside.map((file) => [file.path, { hash: file.hash }]));
  }

  async #change(target: BranchTarget, path: string, act: () => Promise<void>): Promise<void> {
    try {
      await act();
      this.#written.fire(target);
    } finally {
      this.#changed.fire({ target, paths: [path] });
    }
  }
}

/** Decodes text, because the platform stores only text. */
function utf8(content: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw new UserError(`${path} was not saved: it is not UTF-8 text. Save it with the encoding UTF-8.`);
  }
}
