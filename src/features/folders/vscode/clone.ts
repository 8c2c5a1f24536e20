import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import { text } from '#base/user-text.ts';
import type { BranchFiles } from '#features/folders/branch-files.ts';
import { topNames } from '#features/folders/link-choices.ts';
import { cloneFolderName } from '#features/folders/clone-folder.ts';
import { deployBranchOf, type LinkedFolder } from '#features/platform/index.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/index.ts';
import { chooseModelPath, writeLink } from './link-folder.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { CloneDeps } from './deps.ts';

/** Downloads a deployment's model, or its whole project, into a new folder through the sync engine, and links the folder. */
export async function cloneDeployment(
  deps: CloneDeps,
  files: Pick<BranchFiles, 'list'>,
  argument: DeploymentTarget | undefined,
): Promise<void> {
  const target = argument ?? (await pickDeployment(deps, 'Which deployment do you want to clone?'));
  if (!target) return;
  const folder = await pickFolder(deps.data.nameOf(target));
  if (!folder) return;
  const branch = deployBranchOf(await deps.data.of(target).branches.get());
  if (!branch) throw new Hint('This deployment has no deploy branch yet: there is nothing to clone.');
  const from = deps.session.activeBranch(target) ?? branch.name;
  const paths = (await files.list({ ...target, branchName: from })).keys();
  const modelPath = await chooseModelPath(topNames(paths), 'What do you want to clone?');
  if (modelPath === undefined) return;
  await vscode.workspace.fs.createDirectory(folder);
  if (!(await writeLink(deps, folder, target, modelPath))) return;
  const account = deps.accounts.get(target.accountId);
  if (!account) return;
  const linked: LinkedFolder & { readonly link: NonNullable<LinkedFolder['link']> } = {
    folderId: folder.toString(),
    name: baseName(folder.path),
    link: {
      tenantUrl: account.tenantUrl,
      deploymentId: target.deploymentId,
      modelPath: modelPath === '.' ? '' : modelPath,
    },
    problem: undefined,
  };
  await deps.operations.run({
    label: `Cloning ${deps.data.nameOf(target)}`,
    key: linked.folderId,
    cancellable: true,
    run: async ({ signal, report }) => {
      const sync = await deps.openSync(linked, { ...target, branchName: from });
      try {
        const plan = await sync.plan({ signal });
        const outcome = await sync.pull(plan, 'all', {
          signal,
          onProgress: ({ done, total, path }) => report(path ?? '', total === 0 ? undefined : done / total),
        });
        if (outcome.status !== 'done') throw new UserError(outcome.message);
      } finally {
        await sync.close();
        sync.dispose();
      }
    },
  });
  await offerToOpen(folder);
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
  const entries = new Set((await vscode.workspace.fs.readDirectory(parent)).map(([entry]) => entry));
  if (entries.size === 0 && isOpen(parent)) return parent;
  return vscode.Uri.joinPath(
    parent,
    cloneFolderName(name, (entry) => entries.has(entry)),
  );
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
