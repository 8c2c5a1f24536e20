import type { SyncSession } from '#features/folders/index.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import type { StoppedContributionDeps } from './deps.ts';

/**
 * Handles what outlives a Git step: ends a stopped step with its branch, and repairs the branch after a pull that a window did
 * not finish.
 */
export function stoppedStepsContribution(deps: StoppedContributionDeps): Contribution {
  const { attempts, session, resolvedPulls, syncs, logger } = deps;
  return {
    id: 'stoppedSteps',
    register: (store) => {
      const quietly = (what: string, work: Promise<unknown>): void => {
        work.catch((error: unknown) => logger.warn(what, { error: String(error) }));
      };
      store.add(
        session.onDidChangeDevMode((target) =>
          quietly('A stopped step could not be ended', attempts.keepOnly(target, session.activeBranch(target))),
        ),
      );
      const looked = new WeakMap<SyncSession['sync'], number>();
      const asked = new WeakSet<SyncSession['sync']>();
      const recover = async ({ folder, target, sync }: SyncSession): Promise<void> => {
        const folderTarget = { ...target, folderId: folder.folderId };
        const moved = await resolvedPulls.recover(folderTarget);
        if (moved.length === 0 || asked.has(sync)) return;
        asked.add(sync);
        const { askAboutMoved } = await import('#features/history/vscode/put-back.ts');
        await askAboutMoved(deps, folderTarget, moved);
      };
      store.add(
        syncs.onDidChange((changed) => {
          const { lastChecked, readOnly } = changed?.sync.status.value ?? {};
          // Only in the window that writes the folder's files: another window may be running that pull.
          if (!changed || lastChecked === undefined || readOnly !== undefined) return;
          if (looked.get(changed.sync) === lastChecked) return;
          looked.set(changed.sync, lastChecked);
          quietly('Resolved files could not be put back; this is tried again', recover(changed));
        }),
      );
    },
  };
}
