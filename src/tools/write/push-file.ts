import { conflictText, frozenReasons } from '#sync/core/planning/plan-text.ts';
import { direction, type Plan, type PlanEntry } from '#sync/core/planning/plan.ts';
import type { OpenedBranch } from '#tools/sync/dev-branch.ts';
import type { Edit, OpenedSync } from '#tools/ports.ts';
import { pathInFolder } from '#tools/platform/shown-path.ts';

/**
 * Pushes one file that was edited, and nothing else. Resolves to `undefined` if the branch has it now, else to a sentence why it does not:
 * a push leaves alone what a user has to decide.
 */
export async function pushFile(
  opened: OpenedBranch & Pick<OpenedSync, 'sync'> & { readonly plan: Plan },
  edit: Edit,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { sync, plan } = opened;
  const { inFolder: path, change } = edit;
  const entry = plan.entries.find((each) => each.path === path || fromOf(each) === path);
  if (!entry) {
    // Both sides are the same, or neither counts.
    const isThere = change === 'delete' || (await sync.remoteContent(path, signal)) !== undefined;
    return isThere ? undefined : notPushed(IGNORED);
  }
  const reason = entry.path === path ? (keptBack(entry) ?? changedSince(entry, edit)) : renamed(entry, opened);
  if (reason !== undefined) return notPushed(reason);
  const { status, message } = await sync.push(plan, new Set([path]), { signal });
  return status === 'done' ? undefined : message;
}

const IGNORED = 'a rule ignores it';

function notPushed(reason: string): string {
  return `It was not pushed, because ${reason}.`;
}

/** Returns why a push leaves an entry alone; `undefined` if it does not. */
function keptBack(entry: PlanEntry): string | undefined {
  switch (entry.kind) {
    case 'conflict':
      return `it is in conflict (${conflictText[entry.reason]}). “resolve” merges both versions or takes one`;
    case 'frozen':
      return `it cannot be synced: ${frozenReasons[entry.reason]}`;
    case 'ignored':
      return IGNORED;
    default:
      return direction(entry) === 'pull' ? 'the branch has changed it since. Pull it first' : undefined;
  }
}

/** Returns why a file that someone else edits is not pushed: what it has now was neither written nor checked here. */
function changedSince(entry: PlanEntry, { hash }: Edit): string | undefined {
  const now = entry.kind === 'renameRemote' ? (entry.edited ?? entry).hash : 'hash' in entry ? entry.hash : undefined;
  return now === hash ? undefined : 'it has changed since it was written. Read it again';
}

/** Returns why a push of a file alone is not possible: another one has its content now. */
function renamed(entry: PlanEntry, opened: OpenedBranch): string {
  return `it was renamed to ${pathInFolder(opened, entry.path)}. Use “push” for both`;
}

function fromOf(entry: PlanEntry): string | undefined {
  return 'from' in entry ? entry.from : undefined;
}
