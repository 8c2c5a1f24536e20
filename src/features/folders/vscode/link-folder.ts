import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { baseName } from '#base/path.ts';
import { text, textOf } from '#base/user-text.ts';
import { namedFolder } from '#features/folders/branch-project.ts';
import {
  linkChoices,
  modelsOf,
  projectFolders,
  type ProjectListing,
  usualFolder,
} from '#features/folders/link-choices.ts';
import { linkFileName, linkText } from '#features/platform/index.ts';
import { requireInFolder } from '#features/platform/vscode/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import { execute, executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';
import type { LinkDeps, LinkFolderDeps } from './deps.ts';
import { UserError } from '#shell/user-error.ts';
import { confirmed } from '#shell/vscode/questions.ts';
import { modelsBelow } from './models-below.ts';

/** Writes `modelbench.json` into a folder of this window, or into that of a project below it, which links it to a deployment. */
export async function linkFolder(deps: LinkFolderDeps, target: DeploymentTarget | undefined): Promise<void> {
  const opened = await pickFolder();
  if (!opened) return;
  const deployment = target ?? (await pickDeployment(deps, 'Which deployment does this folder belong to?'));
  if (!deployment) return;
  const project = await pickProject(opened);
  if (!project) return;
  const modelPath = await chooseModelPath(project, 'Which part of this folder belongs to the deployment?');
  if (modelPath === undefined) return;
  deps.requireEnded(project.folder.toString());
  await writeLink(deps, project.folder, deployment, modelPath);
  const { path } = project.folder;
  const done = text`$(check) Linked ${baseName(path)} to ${deps.data.nameOf(deployment)}`;
  vscode.window.setStatusBarMessage(done, 5000);
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
  requireInFolder(folder, linkFileName);
  if (await exists(uri)) {
    if (!(await confirmed(text`This folder already has a ${linkFileName}. Replace it?`, text`Replace`))) return false;
  }
  const link = linkText({ tenantUrl: account.tenantUrl, deploymentId: target.deploymentId, modelPath });
  await written(() => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(link)), linkFileName, folder);
  // The link names only the tenant; each user chooses the account that works on the folder.
  await deps.session.bind(folder.toString(), account.id);
  return true;
}

/** Waits for a write in a folder; throws `UserError` if it fails, as in a folder or on a disk that is read-only, full or gone. */
export async function written(write: () => Thenable<void>, name: string, folder: vscode.Uri): Promise<void> {
  try {
    await write();
  } catch (error) {
    const message = `“${name}” could not be written in “${baseName(folder.path)}”. Check that the folder is still there, that you may write to it, and that its disk is neither read-only nor full.`;
    throw Object.assign(new UserError(message), { cause: error });
  }
}

/** Asks which files belong to the deployment, if there is a choice; resolves to `undefined` if the user cancels. */
export async function chooseModelPath(project: ProjectListing, placeHolder: string): Promise<string | undefined> {
  const [usual, ...others] = linkChoices(project);
  if (others.length === 0) return usual.modelPath;
  const items = [usual, ...others].map(({ modelPath, label, description }) => ({
    label: textOf(label),
    description: textOf(description),
    modelPath,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: textOf(placeHolder) }))?.modelPath;
}

/** A folder that can be linked. */
type Project = ProjectListing & { readonly folder: vscode.Uri };

/** Asks which project of a folder is meant if it has them in subfolders; resolves to `undefined` if the user cancels. */
async function pickProject(opened: vscode.Uri): Promise<Project | undefined> {
  const own = await projectIn(opened, []);
  if (usualFolder(own) !== undefined) return own;
  const { listedModels } = await import('#features/folders/listed-models.ts');
  const { models } = await modelsBelow(opened, listedModels);
  const folders = projectFolders(models);
  const whole = { ...own, models: modelsOf('', models) };
  if (folders.length === 1) return whole;
  const items = folders.map((folder) => ({
    label: textOf(folder === '' ? baseName(opened.path) : folder),
    description: textOf(folder === '' ? 'the folder that is open' : modelsOf(folder, models).join(', ')),
    folder,
  }));
  const placeHolder = text`Which project of this folder do you want to link?`;
  const chosen = await vscode.window.showQuickPick(items, { placeHolder });
  if (!chosen || chosen.folder === '') return chosen && whole;
  return projectIn(vscode.Uri.joinPath(opened, chosen.folder), modelsOf(chosen.folder, models));
}

async function projectIn(folder: vscode.Uri, models: readonly string[]): Promise<Project> {
  const names = await namesIn(folder);
  const read = async (name: string): Promise<string | undefined> =>
    names.includes(name)
      ? decodedText(await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, name)))
      : undefined;
  return { folder, names, named: await namedFolder(read), models };
}

async function namesIn(folder: vscode.Uri): Promise<readonly string[]> {
  return (await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name);
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
