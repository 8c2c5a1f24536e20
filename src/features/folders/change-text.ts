import { unreachable } from '#base/result.ts';
import type { ConflictReason, FrozenReason, PlanEntry } from '#sync/core/planning/plan.ts';

/** Describes an entry in one or two words; the plan, the tree and the dry run use the same ones. */
export function changeText(entry: PlanEntry): string {
  switch (entry.kind) {
    case 'upload':
    case 'download':
      return { added: 'added', changed: 'modified', restored: 'modified (deleted on the other side)' }[entry.reason];
    case 'deleteRemote':
    case 'deleteLocal':
      return 'deleted';
    case 'renameRemote':
    case 'renameLocal':
      return `renamed from ${entry.from}`;
    case 'conflict':
      return entry.eolOnly ? 'conflict: line endings only' : conflictText[entry.reason];
    case 'frozen':
      return frozenReasons[entry.reason];
    case 'ignored':
      return 'ignored';
    case 'adopt':
      return 'same on both sides';
    case 'forget':
      return 'deleted on both sides';
    default:
      return unreachable(entry);
  }
}

const conflictText: Readonly<Record<ConflictReason, string>> = {
  bothChanged: 'changed on both sides',
  bothAdded: 'added on both sides',
  dirtyEditor: 'being edited here, newer on the platform',
  fileAndFolder: 'a file on one side, a folder on the other',
  tornWrite: 'empty after a crash',
  caseRename: 'renamed by letter case and changed',
};

const frozenReasons: Readonly<Record<FrozenReason, string>> = {
  symlink: 'symbolic link',
  brokenLink: 'symbolic link to nothing',
  linkLoop: 'symbolic link to its own folder',
  tooManyLinked: 'symbolic link to too many files',
  linkedApart: 'synced by its own modelbench.json',
  special: 'not a regular file',
  unreadable: 'cannot be read',
  unstable: 'keeps changing while it is read',
  tooBig: 'too big',
  invalidName: 'name cannot be used here',
  reservedName: 'reserved name',
  forbiddenName: 'name not allowed',
  caseCollision: 'differs from another name by letter case only',
  folderName: 'a file with the name of a folder',
  normalization: 'differs from another name by Unicode form only',
  notText: 'not text: the platform cannot send it whole',
  listingIncomplete: 'the platform’s list is incomplete',
};
