import { heldText } from './local-effects.ts';
import { isEqual } from '#base/equal.ts';
import { isInside } from '#base/path.ts';
import { type SyncContext, writerOf } from '#sync/core/context.ts';
import { compareSides } from '#sync/core/planning/compare-sides.ts';
import type { Resolution, ResolveOptions, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { pullEntries } from './pull.ts';
import { pushEntries } from './push.ts';
import { refused, SyncRun } from './sync-run.ts';

type Conflict = Extract<PlanEntry, { kind: 'conflict' }>;

/**
 * Resolves a name that is a file on one side and a folder on the other, with everything in the folder: one of the two
 * must be gone before the other can replace it. What is deleted here goes to the trash. `shown` are the entries of the last plan: a
 * file that appeared or changed since was not part of the choice.
 */
export async function resolveFolder(
  context: SyncContext,
  path: string,
  choice: Resolution,
  shown: readonly PlanEntry[],
  options: ResolveOptions,
): Promise<SyncOutcome> {
  if (typeof choice === 'object') return refused(`${path}: a file and a folder cannot be merged. Keep one of them.`);
  const { plan } = await compareSides(context, context.state.target, { signal: options.signal });
  const conflicts = relatedTo(path, plan.entries);
  if (conflicts.length === 0 || !isAsSeen(path, conflicts, relatedTo(path, shown), options))
    return refused(`${path} changed since you last saw it. Compare the versions again, then choose.`);
  const run = new SyncRun(conflicts.length, options, 'resolve');
  if (choice === 'theirs') {
    const held = conflicts.find((conflict) => context.ports.editors.dirty().has(conflict.path));
    if (held) return refused(heldText(held.path));
    await pullEntries(context, conflicts.flatMap(deletedHere), run);
    if (isComplete(run)) await pullEntries(context, conflicts.flatMap(broughtHere), run);
    return run.outcome('Resolved');
  }
  const writer = writerOf(context.ports);
  if (!writer) return refused('This branch is read only. Start dev mode to push.');
  const push = { ...context, writer };
  await pushEntries(push, conflicts.flatMap(deletedThere), 'direct', run);
  if (isComplete(run)) await pushEntries(push, conflicts.flatMap(sentThere), 'direct', run);
  return run.outcome('Resolved');
}

/** Returns all conflicts about the same file and folder. */
function relatedTo(path: string, entries: readonly PlanEntry[]): readonly Conflict[] {
  const conflicts = entries.filter((entry) => entry.kind === 'conflict' && entry.reason === 'fileAndFolder');
  const above = conflicts.filter((conflict) => isInside(path, conflict.path)).map((conflict) => conflict.path);
  const root = above.toSorted((a, b) => a.length - b.length)[0] ?? path;
  return conflicts.filter((conflict): conflict is Conflict => isInside(conflict.path, root));
}

/** Whether all versions of a file and a folder are those that the user has seen. */
function isAsSeen(
  path: string,
  now: readonly Conflict[],
  shown: readonly Conflict[],
  { seen }: Pick<ResolveOptions, 'seen'>,
): boolean {
  const own = now.find((conflict) => conflict.path === path);
  if (seen && (seen.local !== own?.local || seen.remote !== own?.remote)) return false;
  return isEqual(versionsOf(now), versionsOf(shown));
}

function versionsOf(conflicts: readonly Conflict[]): readonly (readonly (string | undefined)[])[] {
  return conflicts
    .map(({ path, local, remote }) => [path, local, remote] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function isComplete(run: SyncRun): boolean {
  return !run.stopped && run.changed.size === 0 && run.failed.length === 0;
}

function deletedHere({ path, local, size }: Conflict): readonly PlanEntry[] {
  return local === undefined ? [] : [{ kind: 'deleteLocal', path, expectedLocal: local, size }];
}

function broughtHere({ path, remote }: Conflict): readonly PlanEntry[] {
  if (remote === undefined) return [];
  return [{ kind: 'download', path, reason: 'added', hash: remote, size: undefined, expectedLocal: undefined }];
}

function deletedThere({ path, remote, size }: Conflict): readonly PlanEntry[] {
  return remote === undefined ? [] : [{ kind: 'deleteRemote', path, expectedRemote: remote, size }];
}

function sentThere({ path, local, size }: Conflict): readonly PlanEntry[] {
  if (local === undefined) return [];
  return [{ kind: 'upload', path, reason: 'added', hash: local, size, expectedRemote: undefined }];
}
