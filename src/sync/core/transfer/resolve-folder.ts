import { heldText } from './local-effects.ts';
import { isInside } from '#base/path.ts';
import { type SyncContext, writerOf } from '#sync/core/context.ts';
import { compareSides } from '#sync/core/planning/compare-sides.ts';
import type { ApplyOptions, Resolution, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { pullEntries } from './pull.ts';
import { pushEntries } from './push.ts';
import { refused, SyncRun } from './sync-run.ts';

type Conflict = Extract<PlanEntry, { kind: 'conflict' }>;

/**
 * Resolves a name that is a file on one side and a folder on the other, with everything in the folder: one of the two
 * must be gone before the other can replace it. What is deleted here goes to the trash.
 */
export async function resolveFolder(
  context: SyncContext,
  path: string,
  choice: Resolution,
  options: ApplyOptions,
): Promise<SyncOutcome> {
  if (typeof choice === 'object') return refused(`${path}: a file and a folder cannot be merged. Keep one of them.`);
  const { plan } = await compareSides(context, context.state.target, { signal: options.signal });
  const conflicts = relatedTo(path, plan.entries);
  if (conflicts.length === 0) return refused(`${path} changed since it was compared. Compare the versions again.`);
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
