import { lastToUndo } from '#sync/core/undo/history.ts';
import { Hint } from '#shell/user-error.ts';
import type { SyncCommands } from '#shell/commands/commands.ts';
import { type DocumentTarget, type FileTarget, type FolderTarget, severalFiles } from '#shell/targets.ts';
import { discardChanges, showExplanation, showHistory, undoLast, verifyEverything } from './maintenance.ts';
import { linkedFileAt, missingSession, type RestoreDeps, sessionOrPick } from '#features/folders/vscode/index.ts';
import { requireTrust } from '#shell/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { TrustedFolders } from './deps.ts';

type MaintenanceCommand =
  | 'modelbench.changes.discard'
  | `modelbench.sync.${'explain' | 'history' | 'undoPush' | 'undoPull' | 'verify'}`;

/** Returns the handlers for the sync history, reports, undo and discard. */
export function maintenanceCommands(
  folders: TrustedFolders,
  trash: RestoreDeps,
): Handlers<Pick<SyncCommands, MaintenanceCommand>> {
  const undo =
    (action: 'push' | 'pull') =>
    async (target: FolderTarget | undefined): Promise<void> => {
      requireTrust(folders);
      const session = await sessionOrPick(folders, target?.folderId, async ({ sync }) => {
        return lastToUndo(await sync.maintenance.history(), action) !== undefined;
      });
      if (session) await undoLast(trash, session, action);
    };
  return {
    'modelbench.sync.explain': async (given) => {
      const file = linkedFile(folders, given);
      if (!file) throw new Hint('Open a file of a linked folder, or choose a file in the Changes view.');
      const session = folders.syncs.ofFolder(file.folderId);
      if (!session) throw missingSession(folders, file.folderId);
      await showExplanation(trash, session, file.path);
    },
    'modelbench.sync.history': async (target) => {
      const session = await sessionOrPick(folders, target?.folderId);
      if (session) await showHistory(trash, session);
    },
    'modelbench.sync.undoPush': undo('push'),
    'modelbench.sync.undoPull': undo('pull'),
    'modelbench.sync.verify': async (target) => {
      const session = await sessionOrPick(folders, target?.folderId);
      if (session) await verifyEverything(trash, session);
    },
    'modelbench.changes.discard': async (given, selection) => {
      requireTrust(folders);
      const many = severalFiles(selection);
      const one = linkedFile(folders, given);
      const files = many.length > 0 || !one ? many : [one];
      const [first] = files;
      if (!first) throw new Hint('Choose the files in the Changes view, or open one of them.');
      const session = folders.syncs.ofFolder(first.folderId);
      if (!session) throw missingSession(folders, first.folderId);
      const paths = files.filter(({ folderId }) => folderId === first.folderId).map(({ path }) => path);
      await discardChanges(trash, session, paths);
    },
  };
}

/** Returns the file of a row, of the Explorer, or of the active editor; it may be outside the model folder. */
function linkedFile(
  { session }: Pick<TrustedFolders, 'session'>,
  given: FileTarget | DocumentTarget | undefined,
): FileTarget | undefined {
  if (given && 'path' in given) return given;
  const uri = documentUri(given);
  return uri && linkedFileAt(uri, session.links.value);
}
