import { UserError } from '#shell/user-error.ts';
import type { SyncCommands } from '#shell/commands/commands.ts';
import type { DocumentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import { discardChanges, showExplanation, showHistory, undoLast, verifyEverything } from './upkeep.ts';
import { linkedFileAt } from '#features/folders/vscode/folder-uris.ts';
import type { Services } from '#compose/services.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { missingSession, sessionOrPick } from '#features/folders/vscode/choose-session.ts';
import type { Handlers } from '#shell/vscode/register.ts';

type UpkeepCommand =
  | 'modelbench.changes.discard'
  | `modelbench.sync.${'explain' | 'history' | 'undoPush' | 'undoPull' | 'verify'}`;

/** The sync history, and what takes things back. */
export function upkeepCommands(services: Services): Handlers<Pick<SyncCommands, UpkeepCommand>> {
  const undo =
    (action: 'push' | 'pull') =>
    async (target: FolderTarget | undefined): Promise<void> => {
      requireTrust(services);
      const session = await sessionOrPick(services, target?.folderId);
      if (session) await undoLast(services, session, action);
    };
  return {
    'modelbench.sync.explain': async (given) => {
      const file = linkedFile(services, given);
      if (!file) throw new UserError('Open a file of a linked folder, or choose a file in the Changes view.');
      const session = services.syncs.ofFolder(file.folderId);
      if (!session) throw missingSession(services);
      await showExplanation(services, session, file.path);
    },
    'modelbench.sync.history': async (target) => {
      const session = await sessionOrPick(services, target?.folderId);
      if (session) await showHistory(services, session);
    },
    'modelbench.sync.undoPush': undo('push'),
    'modelbench.sync.undoPull': undo('pull'),
    'modelbench.sync.verify': async (target) => {
      const session = await sessionOrPick(services, target?.folderId);
      if (session) await verifyEverything(services, session);
    },
    'modelbench.changes.discard': async (given, selection = []) => {
      requireTrust(services);
      const many = selection.filter((row) => 'path' in row);
      const one = linkedFile(services, given);
      const files = many.length > 1 ? many : one ? [one] : [];
      const [first] = files;
      if (!first) throw new UserError('Choose the files in the Changes view, or open one of them.');
      const session = services.syncs.ofFolder(first.folderId);
      if (!session) throw missingSession(services);
      const paths = files.filter(({ folderId }) => folderId === first.folderId).map(({ path }) => path);
      await discardChanges(services, session, paths);
    },
  };
}

/** The file of a row, of the Explorer, or of the active editor; it may lie outside of the model folder. */
function linkedFile({ session }: Services, given: FileTarget | DocumentTarget | undefined): FileTarget | undefined {
  if (given && 'path' in given) return given;
  const uri = documentUri(given);
  return uri && linkedFileAt(uri, session.links.value);
}
