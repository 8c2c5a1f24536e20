import { Hint } from '#shell/user-error.ts';
import type { SyncCommands } from '#shell/commands/commands.ts';
import { type DocumentTarget, type FileTarget, type FolderTarget, severalFiles } from '#shell/targets.ts';
import { undoLast } from './undo-last.ts';
import { discardChanges, showExplanation, showHistory, verifyEverything } from './upkeep.ts';
import { linkedFileAt, missingSession, sessionOrPick } from '#features/folders/vscode/index.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import type { UpkeepDeps } from './deps.ts';

type UpkeepCommand =
  | 'modelbench.changes.discard'
  | `modelbench.sync.${'explain' | 'history' | 'undoPush' | 'undoPull' | 'verify'}`;

/** The sync history, and what takes things back. */
export function upkeepCommands(deps: UpkeepDeps): Handlers<Pick<SyncCommands, UpkeepCommand>> {
  const undo =
    (action: 'push' | 'pull') =>
    async (target: FolderTarget | undefined): Promise<void> => {
      requireTrust(deps);
      const session = await sessionOrPick(deps, target?.folderId);
      if (session) await undoLast(deps, session, action);
    };
  return {
    'modelbench.sync.explain': async (given) => {
      const file = linkedFile(deps, given);
      if (!file) throw new Hint('Open a file of a linked folder, or choose a file in the Changes view.');
      const session = deps.syncs.ofFolder(file.folderId);
      if (!session) throw missingSession(deps);
      await showExplanation(deps, session, file.path);
    },
    'modelbench.sync.history': async (target) => {
      const session = await sessionOrPick(deps, target?.folderId);
      if (session) await showHistory(deps, session);
    },
    'modelbench.sync.undoPush': undo('push'),
    'modelbench.sync.undoPull': undo('pull'),
    'modelbench.sync.verify': async (target) => {
      const session = await sessionOrPick(deps, target?.folderId);
      if (session) await verifyEverything(deps, session);
    },
    'modelbench.changes.discard': async (given, selection) => {
      requireTrust(deps);
      const many = severalFiles(selection);
      const one = linkedFile(deps, given);
      const files = many.length > 0 || !one ? many : [one];
      const [first] = files;
      if (!first) throw new Hint('Choose the files in the Changes view, or open one of them.');
      const session = deps.syncs.ofFolder(first.folderId);
      if (!session) throw missingSession(deps);
      const paths = files.filter(({ folderId }) => folderId === first.folderId).map(({ path }) => path);
      await discardChanges(deps, session, paths);
    },
  };
}

/** The file of a row, of the Explorer, or of the active editor; it may lie outside of the model folder. */
function linkedFile(
  { session }: Pick<UpkeepDeps, 'session'>,
  given: FileTarget | DocumentTarget | undefined,
): FileTarget | undefined {
  if (given && 'path' in given) return given;
  const uri = documentUri(given);
  return uri && linkedFileAt(uri, session.links.value);
}
