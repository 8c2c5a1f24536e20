import { unreachable } from '#base/result.ts';
import { formatBytes, plural } from '#base/words.ts';
import { type PlanEntry, sizeOf } from '#sync/core/planning/plan.ts';

/** The operation that transferred something. */
export type HistoryAction = 'push' | 'pull' | 'save' | 'resolve' | 'restore' | 'discard' | 'undo';

/** One sync run, as stored in the history. */
export interface HistoryRun {
  /** Identifies the run. */
  readonly id: string;
  /** ms since the epoch. */
  readonly time: number;
  readonly action: HistoryAction;
  readonly branch: string;
  /** Differs for each window and start. */
  readonly session: string;
  readonly status: 'done' | 'partial' | 'cancelled' | 'refused';
  readonly message: string;
  /** The entries that were applied. */
  readonly applied: readonly PlanEntry[];
  readonly failed: readonly { readonly path: string; readonly message: string }[];
  readonly changed: readonly string[];
  /** Ids of the versions that went to the trash. */
  readonly trashed: readonly string[];
  /** The run that was undone; only for `undo`. */
  readonly undoes?: string | undefined;
}

/** The steps that undo one file of a run. */
export interface Reversal {
  readonly entry: PlanEntry;
  /** The version to restore; undefined where a file is deleted or renamed. */
  readonly bytes: Uint8Array | undefined;
}

/** The steps that undo a run, file by file. */
export interface UndoSteps {
  readonly reversals: readonly Reversal[];
  /** Files whose earlier version is no longer stored: if there are any, nothing is undone. */
  readonly lost: readonly PlanEntry[];
}

/** Stores the sync runs of a folder and a branch, and drops the oldest ones. */
export interface HistoryStore {
  /** Oldest first. */
  list(): Promise<readonly HistoryRun[]>;
  append(run: HistoryRun): Promise<void>;
}

const titles: Readonly<Record<HistoryAction, string>> = {
  push: 'Push',
  pull: 'Pull',
  save: 'Automatic upload after a save',
  resolve: 'Conflict resolved',
  restore: 'Restored from the trash',
  discard: 'Local changes discarded',
  undo: 'Undo',
};

/** Formats the history as a page of text, newest first. `session` is this window's. */
export function historyText(
  runs: readonly HistoryRun[],
  session: string,
  formatTime: (time: number) => string,
): string {
  if (runs.length === 0) return 'Nothing has been synced in this folder yet.\n';
  return `${runs
    .toReversed()
    .map((run) => runText(run, session, formatTime))
    .join('\n\n')}\n`;
}

function runText(run: HistoryRun, session: string, formatTime: (time: number) => string): string {
  const where = run.session === session ? 'this window' : 'another window, or before a restart';
  return [
    `${formatTime(run.time)}  ${titles[run.action]}  (${run.branch}, ${where})`,
    `  ${run.message}`,
    ...run.applied.map((entry) => `    ${appliedText(entry)}`),
    ...run.changed.map((path) => `    skipped ${path}: it changed meanwhile`),
    ...run.failed.map(({ path, message }) => `    failed ${path}: ${message}`),
    ...(run.trashed.length === 0 ? [] : [`    ${plural(run.trashed.length, 'earlier version')} in the trash`]),
  ].join('\n');
}

function appliedText(entry: PlanEntry): string {
  switch (entry.kind) {
    case 'upload':
      return `uploaded ${entry.path}${entry.reason === 'added' ? ' (new)' : ''}, ${formatBytes(sizeOf(entry))}`;
    case 'download':
      return `downloaded ${entry.path}${entry.reason === 'added' ? ' (new)' : ''}`;
    case 'deleteRemote':
      return `deleted ${entry.path} on the platform`;
    case 'deleteLocal':
      return `deleted ${entry.path} here`;
    case 'renameRemote':
      return `renamed ${entry.from} to ${entry.path} on the platform`;
    case 'renameLocal':
      return `renamed ${entry.from} to ${entry.path} here`;
    case 'conflict':
    case 'frozen':
    case 'ignored':
    case 'adopt':
    case 'forget':
      return entry.path;
    default:
      return unreachable(entry);
  }
}

/** Returns the newest run of this kind that changed something and has not been undone; `undefined` when there is none. */
export function lastToUndo(runs: readonly HistoryRun[], action: 'push' | 'pull'): HistoryRun | undefined {
  const undone = new Set(runs.flatMap(({ undoes }) => undoes ?? []));
  return runs.findLast((run) => run.action === action && run.applied.length > 0 && !undone.has(run.id));
}
