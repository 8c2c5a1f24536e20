import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileTargetOf } from './folder-uris.ts';
import type { FolderPicker } from './deps.ts';

/**
 * Resolves to the session of a folder; without a folder, to the only session or the one that the user picks (`undefined` if the
 * user cancels). Throws the error of {@link missingSession} if there is none: a command never acts on another folder than the
 * one that it was called for.
 */
export async function sessionOrPick(
  deps: FolderPicker,
  folderId: string | undefined,
): Promise<SyncSession | undefined> {
  const sessions = deps.syncs.all.value;
  const named = folderId === undefined ? undefined : deps.syncs.ofFolder(folderId);
  if (named) return named;
  if (folderId !== undefined || sessions.length === 0) throw missingSession(deps, folderId);
  if (sessions.length === 1) return sessions[0];
  const items = sessions.map((session) => ({
    label: textOf(session.folder.name),
    description: textOf(session.target.branchName),
    session,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which linked folder?` }))?.session;
}

/** Returns an error that names what is missing for the files of a folder, or of any, to be synced. */
export function missingSession({ accounts, session, syncs }: FolderPicker, folderId?: string): UserError {
  const links = session.links.value.filter((link) => folderId === undefined || link.folderId === folderId);
  const problem = links.map((link) => syncs.problem(link.folderId)).find((error) => error);
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
  const [folder] = links;
  const target = folderId === undefined || !folder ? undefined : session.targetOf(folder);
  const where = folderId === undefined || !folder ? '' : ` for “${folder.name}”`;
  return new Hint(`Files go to a personal dev branch only, and none is active${where}.`, {
    title: text`Start Dev Mode`,
    command: 'modelbench.devMode.start',
    ...(target ? { argument: target } : {}),
  });
}

/** Returns the file of the active editor, if it is in a linked model folder. */
export function activeFile({ session }: Pick<FolderPicker, 'session'>): FileTarget | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && fileTargetOf(uri, session.links.value);
}
