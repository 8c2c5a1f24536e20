import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { Hash } from './hash.ts';
import type { GuardKind, Plan, PlanEntry } from '#sync/core/planning/plan.ts';
import type { HistoryRun, UndoSteps } from '#sync/core/undo/history.ts';
import type { TrashCause, TrashItem } from './ports.ts';
import type { PauseReason, SyncFacts } from '#sync/core/status/sync-facts.ts';
import type { SyncState } from '#sync/core/status/sync-state.ts';
import type { SyncTarget } from './target.ts';

/** The status of a linked folder. */
export interface SyncStatus extends SyncFacts {
  /** The state to show, derived from the facts. */
  readonly state: SyncState;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  /** Bytes transferred so far. */
  readonly bytes: number;
  /** The path that was finished last. */
  readonly path: string | undefined;
}

export interface ApplyOptions {
  /** Can be cancelled at any time: both sides stay consistent. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Guards that the user saw and accepted. */
  readonly confirmed?: readonly GuardKind[] | undefined;
  /** The message of the commit that an upload transaction makes on a deploy branch; a dev branch is not committed to. */
  readonly message?: string | undefined;
}

/** The ticked entries: all of the direction, or those whose `path` is in the set. */
export type Selection = 'all' | ReadonlySet<string>;

export interface FailedPath {
  readonly path: string;
  readonly message: string;
  readonly error?: Error | undefined;
}

/** The outcome of a push, pull or resolve. These throw only for bugs and for a signal that was cancelled before any effect. */
export interface SyncOutcome {
  /**
   * `done`: everything that was ticked happened. `partial`: see `failed` and `changed`. `cancelled`: the user stopped
   * it; the entries in `applied` happened. `refused`: nothing happened; `message` gives the reason.
   */
  readonly status: 'done' | 'partial' | 'cancelled' | 'refused';
  readonly applied: readonly PlanEntry[];
  /** Paths that changed on either side since the plan: they are left as they are, and the next plan shows them. */
  readonly changed: readonly string[];
  readonly failed: readonly FailedPath[];
  readonly bytes: number;
  /** Ids of the versions that were set aside in the trash, see `trashed`. */
  readonly trashed: readonly string[];
  /** One sentence for the user. */
  readonly message: string;
  /** The run in the history that this one undid. */
  readonly undoes?: string | undefined;
}

/**
 * How a user resolves a conflict. `marked`: the local version becomes a text in which both versions stand, and the conflict stays
 * until the user has chosen in that text.
 */
export type Resolution = 'mine' | 'theirs' | { readonly merged: Uint8Array } | { readonly marked: Uint8Array };

/** The versions of a path on both sides; `undefined` where there is no file. */
export interface SeenVersions {
  readonly local: Hash | undefined;
  readonly remote: Hash | undefined;
}

export interface ResolveOptions extends ApplyOptions {
  /** The versions that the choice is about; without it, those of the last plan. */
  readonly seen?: SeenVersions | undefined;
}

export interface SyncSettings {
  /** Saves are uploaded automatically. */
  readonly saveSync: boolean;
  /** Exclude files that `.gitignore` matches. */
  readonly useGitignore: boolean;
  /** Further ignore patterns, in `.gitignore` syntax. */
  readonly ignore: readonly string[];
  /** Largest file that is synced, bytes. */
  readonly maxFileSize: number;
  /** Seconds between automatic checks of both sides; 0 turns them off. */
  readonly refreshSeconds: number;
}

export const defaultSettings: SyncSettings = {
  saveSync: true,
  useGitignore: false,
  ignore: [],
  maxFileSize: 10 * 1024 * 1024 + 1,
  refreshSeconds: 0,
};

/**
 * The sync of one linked folder with one branch, created by `createFolderSync({ports, target, settings, logger})`. It
 * never loses a version that the user did not choose to overwrite: docs/sync.md.
 */
export interface FolderSync extends Disposable {
  readonly target: SyncTarget;
  readonly status: ReadonlyStore<SyncStatus>;
  /** Compares both sides, updates `status`, and returns the plan. Calls that arrive before the comparison starts share it. */
  plan(options?: { readonly verify?: boolean; readonly signal?: AbortSignal | undefined }): Promise<Plan>;
  /** Pushes the ticked uploads, renames and deletions of a plan. */
  push(plan: Plan, selection: Selection, options?: ApplyOptions): Promise<SyncOutcome>;
  /** Pulls the ticked entries; files that this replaces or deletes here go to the trash. */
  pull(plan: Plan, selection: Selection, options?: ApplyOptions): Promise<SyncOutcome>;
  /**
   * Resolves one conflict (or any path that differs between the sides). `mine` and `merged` push, `theirs` takes the
   * platform's version (or its absence), `marked` changes the local file only; the replaced local version goes to the trash.
   */
  resolve(path: string, choice: Resolution, options?: ResolveOptions): Promise<SyncOutcome>;
  /** Reports that these paths were saved, created, renamed or deleted here, so that save-sync uploads them. */
  onSaved(paths: readonly string[]): void;
  /** Retries every waiting save, including those that were refused. */
  sendWaiting(): Promise<void>;
  /** Resolves when no save waits any longer, or none can be uploaded now (offline, paused). */
  flush(): Promise<void>;
  /** Pauses automatic work. Each reason counts once. */
  pause(reason: PauseReason): void;
  resume(reason: PauseReason): void;
  configure(settings: Partial<SyncSettings>): void;
  /** Resolves to the version that both sides last agreed on; `undefined` when there is none or it is no longer stored. */
  baseContent(path: string): Promise<Uint8Array | undefined>;
  /** Resolves to the file's bytes on disk; `undefined` when there is no file. */
  localContent(path: string): Promise<Uint8Array | undefined>;
  /** Resolves to the platform's current version; `undefined` when it has none. */
  remoteContent(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Resolves to the versions that sync replaced or deleted here, newest first. */
  trashed(): Promise<readonly TrashItem[]>;
  /** Resolves to the bytes of a trashed version; `undefined` when it is no longer stored. */
  trashedContent(id: string): Promise<Uint8Array | undefined>;
  /**
   * Copies a file to the trash before something other than sync replaces it, such as an accepted proposal of the agent.
   * `unsaved`: what an editor holds in the place of the file.
   */
  keepCopy(path: string, cause: TrashCause, unsaved?: Uint8Array): Promise<void>;
  /** Restores a trashed version at its path; the current file goes to the trash. The trashed version stays there, too. */
  restore(item: TrashItem): Promise<SyncOutcome>;
  readonly maintenance: SyncMaintenance;
  /** Stops automatic work, waits for running operations, and closes the journal. */
  close(): Promise<void>;
}

/** The history of a linked folder, and the operations that undo changes. */
export interface SyncMaintenance {
  /**
   * Discards local changes of the last plan: the files get the platform's versions, the local ones go to the trash.
   * Files that changed here since the plan are left alone.
   */
  discard(paths: ReadonlySet<string>, options?: ApplyOptions): Promise<SyncOutcome>;
  /** Resolves to the sync runs of this folder and branch, oldest first. */
  history(): Promise<readonly HistoryRun[]>;
  /** Resolves to the history as a page of text, newest first. */
  historyPage(formatTime: (time: number) => string): Promise<string>;
  /** Returns the result of the last comparison as a page of text; call it after a verifying comparison. */
  verification(): string;
  /** Resolves to the steps that undoing a run would take; reads only what is stored on this machine. */
  undoSteps(run: HistoryRun): Promise<UndoSteps>;
  /** Undoes the newest push or pull that has not been undone. It is refused, and changes nothing, where files changed since. */
  undoLast(action: 'push' | 'pull', options?: ApplyOptions): Promise<SyncOutcome>;
  /** Explains in a few lines why a file is or is not in the plan. `modelFolder`: the folder that is synced. */
  explain(path: string, modelFolder: string): Promise<string>;
}
