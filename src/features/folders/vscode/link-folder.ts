import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text } from '#base/user-text.ts';
import { linkText } from '#features/platform/link.ts';
import { UserError } from '#shell/user-error.ts';
import { requireRealFile } from '#sync/disk/real-path.ts';
import { linkFileName } from '#features/platform/link-schema.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/pick.ts';
import { exists } from './folder-uris.ts';
import type { LinkDeps } from './deps.ts';

/** Writes `modelbench.json` into a folder of this window, so that it belongs to a deployment. */
export async function linkFolder(deps: LinkDeps, target: DeploymentTarget | undefined): Promise<void> {
  const folder = await pickFolder();
  if (!folder) return;
  const deployment = target ?? (await pickDeployment(deps, 'Which deployment does this folder belong to?'));
  if (!deployment) return;
  await writeLink(deps, folder, deployment);
  vscode.window.setStatusBarMessage(text`$(check) Linked to ${deps.data.nameOf(deployment)}`, 5000);
}

/** Writes the link; an existing one for another deployment is replaced only after a question. */
export async function writeLink(deps: LinkDeps, folder: vscode.Uri, target: DeploymentTarget): Promise<boolean> {
  const account = deps.accountOf(target.accountId);
  if (!account) return false;
  const uri = vscode.Uri.joinPath(folder, linkFileName);
  if (folder.scheme === 'file') requireRealFile(folder.fsPath, linkFileName);
  if (await exists(uri)) {
    const answer = await vscode.window.showWarningMessage(
      `This folder already has a ${linkFileName}. Replace it?`,
      { modal: true },
      'Replace',
    );
    if (answer !== 'Replace') return false;
  }
  const text = linkText({ tenantUrl: account.tenantUrl, deploymentId: target.deploymentId, modelPath: 'model' });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  // The link names the tenant only; whose account works on the folder is this user's choice.
  await deps.session.bind(folder.toString(), account.id);
  return true;
}

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    throw new UserError('Open a folder first: the link is stored in a small file inside it.', {
      title: 'Clone a Deployment',
      command: 'modelbench.cloneDeployment',
    });
  }
  if (folders.length === 1) return folders[0]?.uri;
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Which folder do you want to link?' }))?.uri;
}
