import { append } from '#base/long-lists.ts';
import { unreachable } from '#base/result.ts';
import { plural } from '#base/words.ts';
import { formatBytes } from '#base/words.ts';
import type { ConflictReason, FrozenReason, Plan, PlanEntry } from './plan.ts';
import { sizeOf } from './plan.ts';

export const frozenReasons: Record<FrozenReason, string> = {
  symlink: 'a symbolic link; links are not followed',
  brokenLink: 'a symbolic link to nothing',
  linkLoop: 'a symbolic link to a folder that contains it',
  tooManyLinked: 'reached through a symbolic link that leads to too many files',
  linkedApart: 'a folder with a modelbench.json of its own, by which it is synced',
  special: 'not a regular file',
  unreadable: 'cannot be read; check its permissions',
  unstable: 'kept changing while it was read',
  tooBig: 'larger than the limit of the settings',
  invalidName: 'a name that not every system can hold',
  reservedName: 'a name that Windows reserves',
  forbiddenName: 'a name that configures tools or holds secrets',
  caseCollision: 'another file has the same name in other letter case',
  folderName: 'the platform lists a file with the name of a folder',
  normalization: 'a name in a Unicode form that some systems change',
  notText: 'the platform sends files as text, and this one is not',
  listingIncomplete: 'a list of files was not complete',
};

export const conflictText: Record<ConflictReason, string> = {
  bothChanged: 'changed on both sides',
  bothAdded: 'added on both sides with different content',
  dirtyEditor: 'changed on the platform while an editor holds unsaved changes',
  fileAndFolder: 'a file on one side and a folder on the other',
  tornWrite: 'shorter or empty after a crash; probably a torn write',
  caseRename: 'renamed by letter case on the platform, and changed',
};

const verbs = { added: 'add', changed: 'change', restored: 'bring back' } as const;

const headings: readonly (readonly [heading: string, kinds: readonly PlanEntry['kind'][]])[] = [
  ['To the platform', ['upload', 'renameRemote', 'deleteRemote']],
  ['To this computer', ['download', 'renameLocal', 'deleteLocal']],
  ['Conflicts (nothing is written until you choose)', ['conflict']],
  ['Left alone', ['frozen']],
  ['Ignored by a rule', ['ignored']],
];

/** Returns a plan as text, identical for plans with identical content: the output of a dry run. */
export function planText(plan: Plan): string {
  const lines: string[] = plan.guards.map((guard) => `! ${guard.message}`);
  for (const [heading, kinds] of headings) {
    const entries = plan.entries.filter(({ kind }) => kinds.includes(kind));
    if (entries.length === 0) continue;
    append(lines, ['', `${heading}: ${entries.length}`, ...entries.map((entry) => `  ${describeEntry(entry)}`)]);
  }
  if (lines.length === 0) lines.push('Nothing to do.');
  lines.push('', `${plural(plan.unchanged, 'file is', 'files are')} the same on both sides.`);
  return `${lines.join('\n').trimStart()}\n`;
}

/** Returns a report on the plan of a scan that read and hashed every file. */
export function verifiedText(plan: Plan | undefined): string {
  if (!plan) return 'The files have not been compared with the platform yet.\n';
  const open = plan.guards.length > 0 || plan.entries.some(({ kind }) => kind !== 'ignored');
  const result = open ? 'Some files need your attention:' : 'Every file is the same on both sides.';
  const read = 'Every file here was read and hashed, and compared with what the platform lists.';
  return `${read} ${result}\n\n${planText(plan)}`;
}

/** Describes one entry in one line. */
function describeEntry(entry: PlanEntry): string {
  switch (entry.kind) {
    case 'upload':
    case 'download':
      return `${verbs[entry.reason]} ${entry.path}${size(entry)}`;
    case 'deleteRemote':
      return `delete ${entry.path}${size(entry)}`;
    case 'deleteLocal':
      return `delete ${entry.path}${size(entry)} (goes to the trash)`;
    case 'renameRemote':
    case 'renameLocal':
      return renameText(entry);
    case 'conflict':
      return `${entry.path}: ${conflictText[entry.reason]}${entry.eolOnly ? ' (only line endings differ)' : ''}${entry.unread === undefined ? '' : `. ${entry.unread}`}`;
    case 'frozen':
      return `${entry.path}: ${frozenReasons[entry.reason]}`;
    case 'ignored':
      return entry.path;
    case 'adopt':
      return `${entry.path}: already the same`;
    case 'forget':
      return `${entry.path}: deleted on both sides`;
    default:
      return unreachable(entry);
  }
}

function renameText({ from, path, edited }: Extract<PlanEntry, { kind: 'renameRemote' | 'renameLocal' }>): string {
  return `rename ${from} → ${path}${edited ? ', and change it' : ''}`;
}

/** Returns a plan as JSON with a version, for tools and problem reports. */
export function planJson(plan: Plan): string {
  const { target, time, entries, guards, unchanged } = plan;
  return `${JSON.stringify({ version: 1, target: JSON.parse(target) as unknown, time, unchanged, guards, entries }, undefined, 2)}\n`;
}

function size(entry: PlanEntry): string {
  const bytes = sizeOf(entry);
  return bytes === 0 ? '' : ` (${formatBytes(bytes)})`;
}
