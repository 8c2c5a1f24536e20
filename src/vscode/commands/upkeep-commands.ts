import * as vscode from '#vscode/guarded/vscode.ts';
import { UserError } from '#features/user-error.ts';
import type { SyncCommands } from '#protocol/commands.ts';
import { type FileTarget, fileTarget, folderTarget } from '#protocol/targets.ts';
import { discardChanges, showExplanation, showHistory, undoLast, verifyEverything } from '../changes/upkeep.ts';
import { linkedFileAt } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';
import { requireTrust } from '../trust.ts';
import { missingSession, sessionOrPick } from './choose-session.ts';
import type { Handlers } from './register.ts';

type UpkeepCommand =
  | 'modelbench.changes.discard'
  | `modelbench.sync.${'explain' | 'history' | 'undoPush' | 'undoPull' | 'verify'}`;

/** The sync history, and what takes things back. */
export function upkeepCommands(services: Services): Handlers<Pick<SyncCommands, UpkeepCommand>> {
  const undo =
    (action: 'push' | 'pull') =>
    async (argument: unknown): Promise<void> => {
      requireTrust(services);
      const session = await sessionOrPick(services, folderTarget(argument)?.folderId);
      if (session) await undoLast(services, session, action);
    };
  return {
    'modelbench.sync.explain': async (argument) => {
      const file = linkedFile(services, argument);
      if (!file) throw new UserError('Open a file of a linked folder, or choose a file in the Changes view.');
      const session = services.syncs.ofFolder(file.folderId);
      if (!session) throw missingSession(services);
      await showExplanation(services, session, file.path);
    },
    'modelbench.sync.history': async (argument) => {
      const session = await sessionOrPick(services, folderTarget(argument)?.folderId);
      if (session) await showHistory(services, session);
    },
    'modelbench.sync.undoPush': undo('push'),
    'modelbench.sync.undoPull': undo('pull'),
    'modelbench.sync.verify': async (argument) => {
      const session = await sessionOrPick(services, folderTarget(argument)?.folderId);
      if (session) await verifyEverything(services, session);
    },
    'modelbench.changes.discard': async (argument, selection) => {
      requireTrust(services);
      const many = Array.isArray(selection) ? selection.flatMap((item) => fileTarget(item) ?? []) : [];
      const one = linkedFile(services, argument);
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
function linkedFile({ session }: Services, argument: unknown): FileTarget | undefined {
  const uri = argument instanceof vscode.Uri ? argument : vscode.window.activeTextEditor?.document.uri;
  return fileTarget(argument) ?? (uri && linkedFileAt(uri, session.links.value));
}
