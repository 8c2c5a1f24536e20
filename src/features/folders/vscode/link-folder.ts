import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { text, textOf } from '#base/user-text.ts';
import { linkChoices } from '#features/folders/link-choices.ts';
import { linkFileName, linkText, readModelPath } from '#features/platform/index.ts';
import { requireRealFile } from '#sync/disk/real-path.ts';
import { namedModelFolder } from '#model/named-model-folder.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';
import type { LinkDeps } from './deps.ts';
import { confirmed } from '#shell/vscode/questions.ts';

/** Writes `modelbench.json` into a folder of this window, which links it to a deployment. */
export async function linkFolder(deps: LinkDeps, target: DeploymentTarget | undefined): Promise<void> {
  const folder = await pickFolder();
  if (!folder) return;
  const deployment = target ?? (await pickDeployment(deps, 'Which deployment does this folder belong to?'));
  if (!deployment) return;
  const modelPath = await chooseModelPath(
    await namesIn(folder),
    'What of this folder belongs to the deployment?',
    await namedFolder(folder),
  );
  if (modelPath === undefined) return;
  await writeLink(deps, folder, deployment, modelPath);
  vscode.window.setStatusBarMessage(text`$(check) Linked to ${deps.data.nameOf(deployment)}`, 5000);
}

/** Writes the link; asks before it replaces a link to another deployment. Resolves to whether it was written. */
export async function writeLink(
  deps: LinkDeps,
  folder: vscode.Uri,
  target: DeploymentTarget,
  modelPath: string,
): Promise<boolean> {
  const account = deps.accounts.get(target.accountId);
  if (!account) return false;
  const uri = vscode.Uri.joinPath(folder, linkFileName);
  if (folder.scheme === 'file') requireRealFile(folder.fsPath, linkFileName);
  if (await exists(uri)) {
    if (!(await confirmed(text`This folder already has a ${linkFileName}. Replace it?`, text`Replace`))) return false;
  }
  const link = linkText({ tenantUrl: account.tenantUrl, deploymentId: target.deploymentId, modelPath });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(link));
  // The link names only the tenant; each user chooses the account that works on the folder.
  await deps.session.bind(folder.toString(), account.id);
  return true;
}

/** Asks which files belong to the deployment, if there is a choice; resolves to `undefined` if the user cancels. */
export async function chooseModelPath(
  names: readonly string[],
  placeHolder: string,
  named?: string,
): Promise<string | undefined> {
  const [usual, ...others] = linkChoices(names, named);
  if (others.length === 0) return usual.modelPath;
  const items = [usual, ...others].map(({ modelPath, label, description }) => ({
    label: textOf(label),
    description: textOf(description),
    modelPath,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: textOf(placeHolder) }))?.modelPath;
}

async function namesIn(folder: vscode.Uri): Promise<readonly string[]> {
  return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
}

/** Resolves to the model folder that the project's configuration names, if it can be linked. */
async function namedFolder(folder: vscode.Uri): Promise<string | undefined> {
  for (const name of ['cube.py', 'cube.js']) {
    const uri = vscode.Uri.joinPath(folder, name);
    if (!(await exists(uri))) continue;
    const named = namedModelFolder(decodedText(await vscode.workspace.fs.readFile(uri)));
    const path = named === undefined ? undefined : readModelPath(named);
    if (path?.ok && path.value !== '') return path.value;
  }
  return undefined;
}

async function pickFolder(): Promise<vscode.Uri | undefined> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) {
    await offerFolder();
    return undefined;
  }
  if (folders.length === 1) return folders[0]?.uri;
  return (await vscode.window.showWorkspaceFolderPick({ placeHolder: 'Which folder do you want to link?' }))?.uri;
}

/** Offers to open a folder: a link is stored in one, so without it there is nothing to link. */
async function offerFolder(): Promise<void> {
  const open = 'Open Folder…';
  const clone = 'Clone Deployment…';
  const answer = await vscode.window.showInformationMessage(
    'Open the folder with your model to link it, or clone a deployment into a new folder.',
    open,
    clone,
  );
  if (answer === open) await executeBuiltIn('workbench.action.files.openFolder');
  if (answer === clone) await execute('modelbench.cloneDeployment');
}
