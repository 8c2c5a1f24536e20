import { openDiff } from '../guarded/diff.ts';
import * as vscode from '#vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { plural } from '#base/words.ts';
import type { SettledPlace } from '#features/settled-pull.ts';
import type { SyncSession } from '#features/sync-sessions.ts';
import type { Contribution } from '../contribution.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';

/** What outlives a Git step: a stopped one ends with its branch, and one that a window did not end is put in order. */
export function stoppedStepsContribution(services: Services): Contribution {
  const { attempts, session, settledPulls, syncs, logger } = services;
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
        const place = { ...target, folderId: folder.folderId };
        const moved = await settledPulls.recover(place);
        if (moved.length === 0 || asked.has(sync)) return;
        asked.add(sync);
        await askAboutMoved(services, place, moved);
      };
      store.add(
        syncs.onDidChange((changed) => {
          const { lastChecked, readOnly } = changed?.sync.status.value ?? {};
          // The window that writes the folder's files; another one may be in the middle of the very pull.
          if (!changed || lastChecked === undefined || readOnly !== undefined) return;
          if (looked.get(changed.sync) === lastChecked) return;
          looked.set(changed.sync, lastChecked);
          quietly('Settled files could not be put back; this is tried again', recover(changed));
        }),
      );
    },
  };
}

/** Somebody changed a file that a pull had taken away for its length, before it could be put back. */
async function askAboutMoved(services: Services, place: SettledPlace, moved: readonly string[]): Promise<void> {
  const compare = 'Compare';
  const mine = 'Put Mine Back';
  const theirs = `Keep the Branch’s`;
  const message = `A pull was interrupted, and ${plural(moved.length, 'file')} changed on “${place.branchName}” before what you had settled could be put back: ${moved.join(', ')}. Both versions are kept.`;
  for (;;) {
    const answer = await vscode.window.showWarningMessage(textOf(message), compare, mine, theirs);
    if (answer === mine) {
      await services.settledPulls.insist(place);
      for (const { sync } of services.syncs.ofBranch(place)) await sync.plan();
    }
    if (answer === theirs) await services.settledPulls.forget(place);
    if (answer !== compare) return;
    for (const path of moved) {
      const title = text`${path} (${place.branchName} ↔ Local)`;
      const local = fileUri({ folderId: place.folderId, path });
      await openDiff(services.remote.uri(place, path), local, title);
    }
  }
}
