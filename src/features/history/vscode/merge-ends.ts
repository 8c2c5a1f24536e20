import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { BegunMerges, SyncSession } from '#features/folders/index.ts';
import type { FileTarget } from '#shell/targets.ts';
import type { Contribution } from '#shell/vscode/contribution.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { wasLastMerge } from '#shell/vscode/merge-editor.ts';
import type { MergeEndsDeps } from './deps.ts';
import type { afterMerge, endInterrupted } from './end-merge.ts';

/** The questions and changes at the end of a merge. */
interface Ends {
  readonly afterMerge: typeof afterMerge;
  readonly endInterrupted: typeof endInterrupted;
}

/**
 * Continues when the user closes a merge editor, including one that VS Code restored after a reload. If VS Code did not restore
 * the editor, undoes the merge or asks about it. `load` loads what is needed only then.
 */
export function mergeEnds(deps: MergeEndsDeps, load: () => Promise<Ends>): Contribution {
  const { boundary, merges, session, syncs } = deps;
  return {
    id: 'mergeEnds',
    register: (store) => {
      const watched = (work: Promise<void>): void => {
        work.catch((error: unknown) => void boundary('modelbench.conflict.merge', error));
      };
      store.add(
        vscode.window.tabGroups.onDidChangeTabs(({ closed }) => {
          if (closed.length === 0) return;
          const folders = session.links.value.map(({ folderId }) => folderId);
          for (const file of folders.flatMap((folderId) => filesOf(merges, folderId))) {
            if (wasLastMerge(closed, fileUri(file))) watched(load().then(async (ends) => ends.afterMerge(deps, file)));
          }
        }),
      );
      const looked = new WeakSet<SyncSession['sync']>();
      store.add(
        syncs.onDidChange((changed) => {
          const { lastChecked, readOnly } = changed?.sync.status.value ?? {};
          // Only in the window that writes the folder's files: another window may have the editor open.
          if (!changed || lastChecked === undefined || readOnly !== undefined || looked.has(changed.sync)) return;
          looked.add(changed.sync);
          for (const file of filesOf(merges, changed.folder.folderId))
            watched(load().then(async (ends) => ends.endInterrupted(deps, file)));
        }),
      );
    },
  };
}

const filesOf = (merges: BegunMerges, folderId: string): readonly FileTarget[] =>
  merges.paths(folderId).map((path) => ({ folderId, path }));
