import type { ReviewRow } from '#features/review/messages.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import type { UndoSteps } from '#sync/core/undo/history.ts';

/** The effect on one file when a push or a pull is undone. */
export interface UndoRow {
  readonly row: ReviewRow;
  /** The path that the file has afterwards. */
  readonly laterPath: string;
  /** The version that is restored; `undefined` if the file is deleted or only renamed. */
  readonly bytes: Uint8Array | undefined;
  /** Whether a file exists at this path now, and afterwards. */
  readonly isThere: { readonly now: boolean; readonly later: boolean };
}

/** Returns the rows of an undo; none can be unticked, because a run is undone as a whole. */
export function undoRows({ reversals, lost }: UndoSteps): readonly UndoRow[] {
  return [
    ...lost.map((entry) => rowOf(entry, undefined, 'its earlier version is no longer stored')),
    ...reversals.map(({ entry, bytes }) => rowOf(entry, bytes)),
  ];
}

function rowOf(entry: PlanEntry, bytes: Uint8Array | undefined, lost?: string): UndoRow {
  const { path } = entry;
  const row = { id: path, path, canTick: false } as const;
  const note = lost === undefined ? {} : { note: lost };
  switch (entry.kind) {
    case 'renameRemote':
    case 'renameLocal': {
      const { from } = entry;
      const renamed: ReviewRow = {
        id: from,
        path: from,
        canTick: false,
        kind: 'change',
        note: `gets its name ${path} back`,
      };
      return { row: renamed, laterPath: path, bytes: undefined, isThere: { now: true, later: true } };
    }
    case 'deleteRemote':
    case 'deleteLocal':
      return { row: { ...row, ...note, kind: 'delete' }, laterPath: path, bytes, isThere: { now: true, later: false } };
    default: {
      const now = expectedOf(entry) !== undefined;
      const kind = lost !== undefined ? 'none' : now ? 'change' : 'add';
      return { row: { ...row, ...note, kind }, laterPath: path, bytes, isThere: { now, later: true } };
    }
  }
}

/** Returns the hash of the version that is replaced. */
function expectedOf(entry: PlanEntry): string | undefined {
  if (entry.kind === 'upload') return entry.expectedRemote;
  return entry.kind === 'download' ? entry.expectedLocal : undefined;
}
