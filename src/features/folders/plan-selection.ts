import { formatBytes, plural } from '#base/words.ts';
import { direction, type Plan, type PlanEntry, sizeOf } from '#sync/core/planning/plan.ts';

export type PlanDirection = 'push' | 'pull';
/** The purpose of a plan: a deploy is a push to the branch that production is built from. */
export type PlanPurpose = PlanDirection | 'deploy';

/** Returns the entries that a direction would carry out: these are ticked at first. */
export function planSelection(plan: Plan, wanted: PlanDirection): ReadonlySet<string> {
  return new Set(plan.entries.filter((entry) => direction(entry) === wanted).map((entry) => entry.path));
}

/** Returns the ticked entries that applying the plan would push or pull. */
export function tickedSelection(plan: Plan, wanted: PlanDirection, ticked: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...planSelection(plan, wanted)].filter((path) => ticked.has(path)));
}

/** Summarizes the ticked entries in one line: `3 files, 1 deletion, 4.2 KB`. */
export function planSummary(plan: Plan, wanted: PlanDirection, ticked: ReadonlySet<string>): string {
  const chosen = plan.entries.filter((entry) => direction(entry) === wanted && ticked.has(entry.path));
  const deletions = chosen.filter(isDeletion).length;
  const files = chosen.length - deletions;
  const bytes = chosen.reduce((sum, entry) => sum + (isUpload(entry) ? sizeOf(entry) : 0), 0);
  const parts = [
    plural(files, 'file'),
    ...(deletions > 0 ? [plural(deletions, 'deletion')] : []),
    ...(bytes > 0 || wanted === 'push' ? [formatBytes(bytes)] : []),
  ];
  return parts.join(', ');
}

function isDeletion({ kind }: PlanEntry): boolean {
  return kind === 'deleteRemote' || kind === 'deleteLocal';
}

function isUpload({ kind }: PlanEntry): boolean {
  return kind === 'upload' || kind === 'download';
}
