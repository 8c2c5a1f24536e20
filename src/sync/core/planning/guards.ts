import type { GuardKind, Plan, PlanEntry, PlanGuard } from './plan.ts';
import type { PlanInput } from './plan-input.ts';

/** Below these sizes, a change to everything at once is everyday work, not an accident. */
const EMPTIED_MIN = 2;
const ALL_CHANGED_MIN = 8;
const DELETE_SHARE = 0.25;
const DELETE_MAX = 100;

/** Checks the run as a whole (docs/sync.md#guards): a probable accident waits until the user has reviewed it. */
export function runGuards(input: PlanInput, entries: readonly PlanEntry[]): PlanGuard[] {
  // Without the folder, the results of a comparison mean nothing.
  if (input.local.root === undefined && input.base.size > 0) return rootGuards(input);
  return [
    ...doubtGuards(input),
    ...rootGuards(input),
    ...listingGuards(input),
    ...emptiedGuards(input),
    ...changedGuards(input),
    ...deleteGuards(input, entries),
  ];
}

/** Returns the guard that blocks a direction, given the entries to apply and what the user confirmed. */
export function blockingGuard(
  guards: readonly PlanGuard[],
  way: 'push' | 'pull',
  selected: readonly PlanEntry[],
  confirmed: readonly GuardKind[],
): PlanGuard | undefined {
  const deletes = selected.some((entry) => entry.kind === 'deleteRemote' || entry.kind === 'deleteLocal');
  return guards.find((guard) => {
    if (guard.blocks !== 'both' && guard.blocks !== way) return false;
    if ((guard.kind === 'manyDeletesLocal' || guard.kind === 'manyDeletesRemote') && !deletes) return false;
    // The deletions that an incomplete listing suggests are not in the plan in the first place.
    if (guard.kind === 'localListingIncomplete' || guard.kind === 'remoteListingIncomplete') return false;
    return !guard.confirmable || !confirmed.includes(guard.kind);
  });
}

function doubtGuards({ isDoubtful = false }: PlanInput): PlanGuard[] {
  if (!isDoubtful) return [];
  return [
    {
      kind: 'stateDamaged',
      blocks: 'both',
      confirmable: true,
      message:
        'The record of the last sync of this folder is damaged, so all files were compared again. Review every difference before you continue.',
    },
  ];
}

/** Returns the guard that also blocks operations on single files: the folder is missing, or may not be the right one. */
export function folderGuard(plan: Plan | undefined): PlanGuard | undefined {
  return plan?.guards.find(({ kind }) => kind === 'rootMissing' || kind === 'rootChanged');
}

function rootGuards(input: PlanInput): PlanGuard[] {
  if (input.local.root === undefined) {
    if (input.base.size === 0) return [];
    return [
      {
        kind: 'rootMissing',
        blocks: 'both',
        confirmable: false,
        message:
          'The linked folder is missing. Restore it, or link another folder; nothing was changed on the platform.',
      },
    ];
  }
  if (input.baseRoot === undefined || input.baseRoot === input.local.root || isSameContent(input)) return [];
  return [
    {
      kind: 'rootChanged',
      blocks: 'both',
      confirmable: true,
      message: 'The linked folder was replaced by another one since the last sync. Check that it is the right one.',
    },
  ];
}

/**
 * Checks whether most files match the agreed versions. Many file systems renumber their folders after each mount, so a
 * folder counts as replaced only when its content differs too.
 */
function isSameContent({ base, local }: PlanInput): boolean {
  let same = 0;
  for (const [path, { hash }] of base) if (local.files.get(path)?.hash === hash) same += 1;
  return same * 2 > base.size;
}

function listingGuards(input: PlanInput): PlanGuard[] {
  const guards: PlanGuard[] = [];
  if (!input.local.complete) {
    guards.push({
      kind: 'localListingIncomplete',
      blocks: 'push',
      confirmable: false,
      message:
        'Some local folders could not be read completely, so nothing is deleted on the platform. Check their permissions.',
    });
  }
  if (!input.remote.complete) {
    guards.push({
      kind: 'remoteListingIncomplete',
      blocks: 'pull',
      confirmable: false,
      message: 'The platform’s list of files was not complete, so nothing is deleted here. Try again.',
    });
  }
  return guards;
}

function emptiedGuards(input: PlanInput): PlanGuard[] {
  const known = input.base.size;
  if (known < EMPTIED_MIN) return [];
  const guards: PlanGuard[] = [];
  if (isEmptied(input)) {
    guards.push({
      kind: 'localEmptied',
      blocks: 'both',
      confirmable: true,
      message: `The linked folder is empty; ${known} files were in it. Nothing is deleted on the platform unless you confirm it.`,
    });
  }
  if (input.remote.files.size === 0 && input.remote.complete) {
    guards.push({
      kind: 'remoteEmptied',
      blocks: 'both',
      confirmable: true,
      message: `The branch is empty on the platform; ${known} files were in it. Nothing is deleted here unless you confirm it.`,
    });
  }
  return guards;
}

/** Checks whether the folder has none of its files any more. What cannot be read may still be there. */
function isEmptied({ base, local }: PlanInput): boolean {
  if (local.root === undefined || local.files.size > 0 || !local.complete) return false;
  return [...base.keys()].every((path) => !local.frozen.has(path));
}

function changedGuards(input: PlanInput): PlanGuard[] {
  const guards: PlanGuard[] = [];
  if (allChanged(input, input.local.files)) {
    guards.push({
      kind: 'allChangedLocally',
      blocks: 'push',
      confirmable: true,
      message: `All ${input.base.size} local files differ from the last sync, perhaps only in line endings. Review them before you push.`,
    });
  }
  if (allChanged(input, input.remote.files)) {
    guards.push({
      kind: 'allChangedRemotely',
      blocks: 'pull',
      confirmable: true,
      message: `All ${input.base.size} files differ on the platform from the last sync. Review them before you pull.`,
    });
  }
  return guards;
}

function allChanged(input: PlanInput, side: ReadonlyMap<string, { readonly hash: string }>): boolean {
  let changed = 0;
  for (const [path, base] of input.base) {
    const now = side.get(path)?.hash;
    if (now === base.hash) return false;
    if (now !== undefined) changed += 1;
  }
  return changed >= ALL_CHANGED_MIN;
}

function deleteGuards(input: PlanInput, entries: readonly PlanEntry[]): PlanGuard[] {
  const guards: PlanGuard[] = [];
  for (const kind of ['deleteRemote', 'deleteLocal'] as const) {
    const count = entries.reduce((sum, entry) => sum + (entry.kind === kind ? 1 : 0), 0);
    if (count < 2 || (count <= DELETE_MAX && count <= input.base.size * DELETE_SHARE)) continue;
    const there = kind === 'deleteRemote';
    guards.push({
      kind: there ? 'manyDeletesRemote' : 'manyDeletesLocal',
      blocks: there ? 'push' : 'pull',
      confirmable: true,
      message: `${count} of ${input.base.size} files would be deleted ${there ? 'on the platform' : 'here (they go to the trash)'}.`,
    });
  }
  return guards;
}
