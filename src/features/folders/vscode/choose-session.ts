import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileTargetOf } from './folder-uris.ts';
import type { FolderPicker } from './deps.ts';

/**
 * Resolves to the session of a folder; without a folder, to the only session or the one that the user picks (`undefined` if the
 * user cancels). Throws the error of {@link missingSession} if there is none.
 */
export async function sessionOrPick(
  deps: FolderPicker,
  folderId: string | undefined,
): Promise<SyncSession | undefined> {
  const sessions = deps.syncs.all.value;
  const named = folderId === undefined ? undefined : deps.syncs.ofFolder(folderId);
  if (named) return named;
  if (sessions.length === 0) throw missingSession(deps);
  if (sessions.length === 1) return sessions[0];
  const items = sessions.map((session) => ({
    label: textOf(session.folder.name),
    description: textOf(session.target.branchName),
    session,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which linked folder?` }))?.session;
}

/** Returns an error that names what is missing for files to be synced. */
export function missingSession({ accounts, session, syncs }: FolderPicker): UserError {
  const problem = session.links.value.map(({ folderId }) => syncs.problem(folderId)).find((error) => error);
  if (problem) return new UserError(problem.message);
  if (accounts.all.value.length === 0) {
    return new Hint('Sign in to a tenant first.', { title: 'Sign In', command: 'modelbench.signIn' });
  }
  if (!session.links.value.some((folder) => folder.link)) {
    return new Hint('No folder of this window is linked to a deployment.', {
      title: text`Link Folder`,
      command: 'modelbench.linkFolder',
    });
  }
  return new Hint('Files go to a personal dev branch only, and none is active.', {
    title: text`Start Dev Mode`,
    command: 'modelbench.devMode.start',
  });
}

/** Returns the file of the active editor, if it is in a linked model folder. */
export function activeFile({ session }: Pick<FolderPicker, 'session'>): FileTarget | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && fileTargetOf(uri, session.links.value);
}
