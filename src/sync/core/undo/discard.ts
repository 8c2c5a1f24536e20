import type { SyncContext } from '#sync/core/context.ts';
import type { ApplyOptions, SyncOutcome } from '#sync/core/folder-sync.ts';
import type { PlanEntry } from '#sync/core/planning/plan.ts';
import { pullEntries } from '#sync/core/transfer/pull.ts';
import { refused, SyncRun } from '#sync/core/transfer/sync-run.ts';

/**
 * Discards local changes: each file gets the platform's version back, and the local one goes to the trash. Files that
 * changed here since the plan was made are left alone.
 */
export async function discardEntries(
  context: SyncContext,
  entries: readonly PlanEntry[],
  options: ApplyOptions,
): Promise<SyncOutcome> {
  const reversed = entries.map(reverse).filter((entry) => entry !== undefined);
  if (reversed.length === 0) return refused('There is no local change to discard. Refresh the changes and try again.');
  const run = new SyncRun(reversed.length, options, 'discard');
  await pullEntries(context, reversed, run);
  return run.outcome('Discarded');
}

/** Returns the entry that reverts a local change; `undefined` for any other entry. */
function reverse(entry: PlanEntry): PlanEntry | undefined {
  switch (entry.kind) {
    case 'upload': {
      const { path, hash, size, expectedRemote } = entry;
      if (expectedRemote === undefined) return { kind: 'deleteLocal', path, expectedLocal: hash, size };
      return { kind: 'download', path, reason: 'changed', hash: expectedRemote, size: undefined, expectedLocal: hash };
    }
    case 'deleteRemote': {
      const { path, expectedRemote, size } = entry;
      return { kind: 'download', path, reason: 'restored', hash: expectedRemote, size, expectedLocal: undefined };
    }
    case 'renameRemote': {
      const { from, path, hash, size } = entry;
      return { kind: 'renameLocal', from: path, path: from, hash, size };
    }
    default:
      return undefined;
  }
}
