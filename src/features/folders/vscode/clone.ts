import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { CancelledError, isCancelled } from '#base/async.ts';
import { baseName } from '#base/path.ts';
import { text } from '#base/user-text.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { branchProject } from '#features/folders/branch-project.ts';
import type { ProjectListing } from '#features/folders/link-choices.ts';
import { cloneFolderName } from '#features/folders/clone-folder.ts';
import { deployBranchOf, type LinkedFolder, linkFileName, sha1 } from '#features/platform/index.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import { MadeFiles } from './made-files.ts';
import { chooseModelPath, writeLink, written } from './link-folder.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { CloneDeps } from './deps.ts';

/** Downloads a deployment's model, or its whole project, into a new folder through the sync engine, and links the folder. */
export async function cloneDeployment(
  deps: CloneDeps,
  files: Pick<BranchFiles, 'list' | 'text'>,
  argument: DeploymentTarget | undefined,
): Promise<void> {
  const target = argument ?? (await pickDeployment(deps, 'Which deployment do you want to clone?'));
  if (!target) return;
  const folder = await pickFolder(deps.data.nameOf(target));
  if (!folder) return;
  const branch = deployBranchOf(await deps.data.of(target).branches.get());
  if (!branch) throw new Hint('This deployment has no deploy branch yet: there is nothing to clone.');
  const from = deps.session.activeBranch(target) ?? branch.name;
  const project = await projectOn({ ...target, branchName: from }, files);
  const modelPath = await chooseModelPath(project, 'What do you want to clone?');
  if (modelPath === undefined) return;
  const made = new MadeFiles(folder, !isOpen(folder));
  try {
    const parent = vscode.Uri.joinPath(folder, '..');
    await written(() => vscode.workspace.fs.createDirectory(folder), baseName(folder.path), parent);
    const linked = await linkClone(deps, folder, target, modelPath, made);
    if (!linked) return await made.remove();
    await download(deps, linked, { ...target, branchName: from }, made);
  } catch (error) {
    if (error instanceof UnfinishedClone) throw error;
    await made.remove();
    if (!isCancelled(error)) throw error;
    vscode.window.setStatusBarMessage('$(circle-slash) Clone cancelled: its files and its folder were removed', 8000);
    return;
  }
  await offerToOpen(folder);
}

async function projectOn(branch: BranchTarget, files: Pick<BranchFiles, 'list' | 'text'>): Promise<ProjectListing> {
  const paths = [...(await files.list(branch)).keys()];
  // What cannot be read says nothing about the model.
  return branchProject(paths, (path) => files.text(branch, path).catch(() => undefined));
}

type Linked = LinkedFolder & { readonly link: NonNullable<LinkedFolder['link']> };

/** Some files were not downloaded: the others stay, because a pull in their folder continues. */
class UnfinishedClone extends UserError {}

/** Writes the link of a clone; resolves to its folder, or to `undefined` if the account is gone. */
async function linkClone(
  deps: CloneDeps,
  folder: vscode.Uri,
  target: DeploymentTarget,
  modelPath: string,
  made: MadeFiles,
): Promise<Linked | undefined> {
  const account = deps.accounts.get(target.accountId);
  if (!account || !(await writeLink(deps, folder, target, modelPath))) return undefined;
  const link = await vscode.workspace.fs.readFile(vscode.Uri.joinPath(folder, linkFileName));
  made.add(linkFileName, await sha1(link));
  const { tenantUrl } = account;
  const { deploymentId } = target;
  return {
    folderId: folder.toString(),
    name: baseName(folder.path),
    link: { tenantUrl, deploymentId, modelPath: modelPath === '.' ? '' : modelPath },
    problem: undefined,
  };
}

/** Downloads the files of a branch, and records them; rejects if they are not all there. */
async function download(deps: CloneDeps, linked: Linked, from: BranchTarget, made: MadeFiles): Promise<void> {
  await deps.operations.run({
    label: `Cloning ${deps.data.nameOf(from)}`,
    key: linked.folderId,
    cancellable: true,
    run: async ({ signal, report }) => {
      const sync = await deps.openSync(linked, from);
      try {
        const plan = await sync.plan({ signal });
        // Before anything is written: a pull that stops leaves folders, and files that it has not recorded yet.
        for (const entry of plan.entries) if (entry.kind === 'download') made.add(entry.path, entry.hash);
        const { status, message } = await sync.pull(plan, 'all', {
          signal,
          onProgress: ({ done, total, path }) => report(path ?? '', total === 0 ? undefined : done / total),
        });
        if (status === 'cancelled') throw new CancelledError();
        if (status === 'partial') throw new UnfinishedClone(`${message} Open “${linked.name}” and pull to continue.`);
        if (status === 'refused') throw new UserError(message);
      } finally {
        await sync.close();
        sync.dispose();
      }
    },
  });
}

/** Resolves to the folder to clone into: a new one in the chosen folder, or the chosen one if it is open here and empty. */
async function pickFolder(name: string): Promise<vscode.Uri | undefined> {
  const open = vscode.workspace.workspaceFolders?.[0]?.uri;
  const [parent] =
    (await vscode.window.showOpenDialog({
      title: text`Choose Where to Clone ${name}`,
      openLabel: 'Clone Here',
      canSelectFiles: false,
      canSelectFolders: true,
      ...(open ? { defaultUri: open } : {}),
    })) ?? [];
  if (!parent) return undefined;
  const entries = (await vscode.workspace.fs.readDirectory(parent)).map(([entry]) => entry);
  if (entries.length === 0 && isOpen(parent)) return parent;
  return vscode.Uri.joinPath(parent, cloneFolderName(name, entries));
}

function isOpen(folder: vscode.Uri): boolean {
  return vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString()) === true;
}

async function offerToOpen(folder: vscode.Uri): Promise<void> {
  if (isOpen(folder)) {
    vscode.window.setStatusBarMessage('$(check) Cloned: the folder contains the model and is linked', 5000);
    return;
  }
  const open = 'Open Folder';
  const add = 'Add to Workspace';
  const answer = await vscode.window.showInformationMessage(
    text`Cloned into ${baseName(folder.path)}. Open it?`,
    open,
    add,
  );
  if (answer === open) await executeBuiltIn('vscode.openFolder', folder);
  if (answer === add) {
    vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri: folder });
  }
}
