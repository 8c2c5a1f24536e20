import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { FileTarget } from '#shell/targets.ts';
import { fileTargetOf } from './folder-uris.ts';
import type { FolderPicker } from './deps.ts';

/**
 * Resolves to the session of a folder; without a folder, to the only session or the one that the user picks (`undefined` if the
 * user cancels). Of several folders, only those that fit are offered, if any does. Throws the error of {@link missingSession} if there is none: a command never acts on another folder than the
 * one that it was called for.
 */
export async function sessionOrPick(
  deps: FolderPicker,
  folderId: string | undefined,
  fits: (session: SyncSession) => Promise<boolean> = async () => Promise.resolve(true),
): Promise<SyncSession | undefined> {
  const sessions = deps.syncs.all.value;
  const named = folderId === undefined ? undefined : deps.syncs.ofFolder(folderId);
  if (named) return named;
  if (folderId !== undefined || sessions.length === 0) throw missingSession(deps, folderId);
  if (sessions.length === 1) return sessions[0];
  const fitting = await filtered(sessions, fits);
  if (fitting.length === 1) return fitting[0];
  const items = (fitting.length === 0 ? sessions : fitting).map((session) => ({
    label: textOf(session.folder.name),
    description: textOf(session.target.branchName),
    session,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which linked folder?` }))?.session;
}

async function filtered(
  sessions: readonly SyncSession[],
  fits: (session: SyncSession) => Promise<boolean>,
): Promise<readonly SyncSession[]> {
  // What cannot be read is offered: the command then says what is wrong.
  const checks = await Promise.all(sessions.map(async (session) => fits(session).catch(() => true)));
  return sessions.filter((_session, index) => checks[index]);
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
