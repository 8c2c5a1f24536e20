import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { baseName } from '#base/path.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { pickDeployment } from '#features/platform/vscode/pick.ts';
import { writeLink } from './link-folder.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { CloneDeps } from './deps.ts';

/** Downloads a deployment's model into an empty folder through the sync engine, and links the folder. */
export async function cloneDeployment(deps: CloneDeps, argument: DeploymentTarget | undefined): Promise<void> {
  const target = argument ?? (await pickDeployment(deps, 'Which deployment do you want to clone?'));
  if (!target) return;
  const folder = await pickEmptyFolder(deps.data.nameOf(target));
  if (!folder) return;
  const branch = deployBranchOf(await deps.data.of(target).branches.get());
  if (!branch) throw new UserError('This deployment has no deploy branch yet: there is nothing to clone.');
  if (!(await writeLink(deps, folder, target))) return;
  const account = deps.accountOf(target.accountId);
  if (!account) return;
  const linked: LinkedFolder & { readonly link: NonNullable<LinkedFolder['link']> } = {
    folderId: folder.toString(),
    name: baseName(folder.path),
    link: { tenantUrl: account.tenantUrl, deploymentId: target.deploymentId, modelPath: 'model' },
    problem: undefined,
  };
  const from = deps.session.activeBranch(target) ?? branch.name;
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

async function pickEmptyFolder(name: string): Promise<vscode.Uri | undefined> {
  const open = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: `Clone ${name} into an Empty Folder`,
    openLabel: 'Clone Here',
    canSelectFiles: false,
    canSelectFolders: true,
    ...(open ? { defaultUri: open } : {}),
  });
  const folder = picked?.[0];
  if (!folder) return undefined;
  const entries = await vscode.workspace.fs.readDirectory(folder);
  if (entries.length > 0) {
    throw new UserError('That folder is not empty. Choose an empty one, or link it with “Link Folder” instead.');
  }
  return folder;
}

async function offerToOpen(folder: vscode.Uri): Promise<void> {
  if (vscode.workspace.workspaceFolders?.some(({ uri }) => uri.toString() === folder.toString())) {
    vscode.window.setStatusBarMessage('$(check) Cloned: the folder holds the model and is linked', 5000);
    return;
  }
  const open = 'Open Folder';
  const add = 'Add to Workspace';
  const answer = await vscode.window.showInformationMessage('The model is here. Open it?', open, add);
  if (answer === open) await executeBuiltIn('vscode.openFolder', folder);
  if (answer === add) {
    vscode.workspace.updateWorkspaceFolders(vscode.workspace.workspaceFolders?.length ?? 0, 0, { uri: folder });
  }
}
