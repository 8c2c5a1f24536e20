import type { Disposable } from '#base/disposable.ts';
import type { ReadonlyStore } from '#base/store.ts';
import type { GuardKind, Plan, PlanEntry } from './plan.ts';
import type { HistoryRun, UndoSteps } from './history.ts';
import type { TrashCause, TrashItem } from './ports.ts';
import type { PauseReason, SyncFacts } from './sync-facts.ts';
import type { SyncState } from './sync-state.ts';
import type { SyncTarget } from './target.ts';

/** How a linked folder stands. */
export interface SyncStatus extends SyncFacts {
  /** What to show of it, derived from the facts. */
  readonly state: SyncState;
}

export interface SyncProgress {
  readonly done: number;
  readonly total: number;
  /** Bytes moved so far. */
  readonly bytes: number;
  /** The path just finished. */
  readonly path: string | undefined;
}

export interface ApplyOptions {
  /** Cancel at any moment: both sides stay consistent. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: SyncProgress) => void) | undefined;
  /** Guards that the user saw and accepted. */
  readonly confirmed?: readonly GuardKind[] | undefined;
  /** The message of the commit that an upload transaction makes on a deploy branch; a dev branch is not committed to. */
  readonly message?: string | undefined;
}

/** What was ticked: every entry of the direction, or those whose `path` is in the set. */
export type Selection = 'all' | ReadonlySet<string>;

export interface FailedPath {
  readonly path: string;
  readonly message: string;
  readonly error?: Error | undefined;
}

/** How a push, pull or resolve ended. Only bugs and a cancelled signal before any effect throw. */
export interface SyncOutcome {
  /**
   * `done`: everything ticked happened. `partial`: see `failed` and `changed`. `cancelled`: stopped by the user, what is
   * in `applied` happened. `refused`: nothing happened, `message` says why.
   */
  readonly status: 'done' | 'partial' | 'cancelled' | 'refused';
  readonly applied: readonly PlanEntry[];
  /** Paths that changed on either side since the plan: left as they are, the next plan shows them. */
  readonly changed: readonly string[];
  readonly failed: readonly FailedPath[];
  readonly bytes: number;
  /** Ids of the versions that were set aside in the trash, see `trashed`. */
  readonly trashed: readonly string[];
  /** One sentence for the user. */
  readonly message: string;
  /** The run of the history that this one undid. */
  readonly undoes?: string | undefined;
}

/** How a user resolves a conflict. */
export type Resolution = 'mine' | 'theirs' | { readonly merged: Uint8Array };

export interface SyncSettings {
  /** Saves are uploaded automatically. */
  readonly saveSync: boolean;
  /** Leave out what `.gitignore` names. */
  readonly useGitignore: boolean;
  /** Further ignore patterns, in `.gitignore` syntax. */
  readonly ignore: readonly string[];
  /** Largest file that is synced, bytes. */
  readonly maxFileSize: number;
  /** Seconds between checks of both sides; 0 = never automatically. */
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
 * The sync of one linked folder with one branch. Made by `createFolderSync({ports, target, settings, logger})`.
 * No version is ever lost that the user did not choose to overwrite: docs/sync.md.
 */
export interface FolderSync extends Disposable {
  readonly target: SyncTarget;
  readonly status: ReadonlyStore<SyncStatus>;
  /** Compares both sides, updates `status`, and returns the plan. Calls that arrive before the comparison starts share it. */
  plan(options?: { readonly verify?: boolean; readonly signal?: AbortSignal | undefined }): Promise<Plan>;
  /** Sends the ticked uploads, renames and deletions of a plan. */
  push(plan: Plan, selection: Selection, options?: ApplyOptions): Promise<SyncOutcome>;
  /** Brings the ticked downloads; what they replace or delete here goes to the trash. */
  pull(plan: Plan, selection: Selection, options?: ApplyOptions): Promise<SyncOutcome>;
  /**
   * Resolves one conflict (or any path that both sides see differently). `mine` and `merged` push, `theirs` brings the
   * platform's version (or its absence); the replaced local version goes to the trash.
   */
  resolve(path: string, choice: Resolution, options?: ApplyOptions): Promise<SyncOutcome>;
  /** Reports that these paths were saved, created, renamed or deleted here, so that save-sync uploads them. */
  onSaved(paths: readonly string[]): void;
  /** Makes another attempt with every save that waits, also with one that was refused. */
  sendWaiting(): Promise<void>;
  /** Resolves when no save waits any more, or none can go now (offline, paused). */
  flush(): Promise<void>;
  /** Holds back everything automatic. Each reason is counted once. */
  pause(reason: PauseReason): void;
  resume(reason: PauseReason): void;
  configure(settings: Partial<SyncSettings>): void;
  /** The version that both sides last agreed on; undefined when there is none or it is not kept. */
  baseContent(path: string): Promise<Uint8Array | undefined>;
  /** The platform's present version; undefined when it has none. */
  remoteContent(path: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  /** Versions that sync replaced or deleted here, newest first. */
  trashed(): Promise<readonly TrashItem[]>;
  /** The bytes of a trashed version; undefined when it is no longer kept. */
  trashedContent(id: string): Promise<Uint8Array | undefined>;
  /** Copies a file to the trash before something else than sync replaces it, such as an accepted proposal of the agent. */
  keepCopy(path: string, cause: TrashCause): Promise<void>;
  /** Puts a trashed version back in its place; what is there now goes to the trash. The version itself stays there, too. */
  restore(item: TrashItem): Promise<SyncOutcome>;
  readonly upkeep: SyncUpkeep;
  /** Stops the automatic work and closes the journal; waits for what runs. */
  close(): Promise<void>;
}

/** The history of a linked folder, and what takes things back. */
export interface SyncUpkeep {
  /**
   * Takes local changes of the last plan back: the files get the platform's versions, the local ones go to the trash. What
   * changed here since the plan is left alone.
   */
  discard(paths: ReadonlySet<string>, options?: ApplyOptions): Promise<SyncOutcome>;
  /** What sync did with this folder and branch, oldest first. */
  history(): Promise<readonly HistoryRun[]>;
  /** The same as a page of text, newest first. */
  historyPage(formatTime: (time: number) => string): Promise<string>;
  /** What the last comparison found, as a page of text; meant for after one that verified. */
  verification(): string;
  /** What undoing a run would do; it reads only what is stored on this machine. */
  undoSteps(run: HistoryRun): Promise<UndoSteps>;
  /** Undoes the newest push or pull that was not undone; refused, with nothing touched, where files changed since. */
  undoLast(action: 'push' | 'pull', options?: ApplyOptions): Promise<SyncOutcome>;
  /** Why a file is or is not in the plan, as a text of some lines. `modelFolder`: the folder that is synced. */
  explain(path: string, modelFolder: string): Promise<string>;
}
