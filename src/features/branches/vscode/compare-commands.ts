import { openChanges, openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName, dirName } from '#base/path.ts';
import {
  compareTrees,
  differenceCounts,
  differenceWords,
  type FileDifference,
} from '#features/folders/branch-compare.ts';
import { prunableBranches, pruneBranches } from '#features/branches/prune.ts';
import { UserError } from '#shell/user-error.ts';
import type { CompareCommands } from '#shell/commands/commands.ts';
import type { BranchTarget, ComparisonTarget, DocumentTarget, FileTarget } from '#shell/targets.ts';
import { fileTargetOf, fileUri } from '#features/folders/vscode/folder-uris.ts';
import { confirm } from '#shell/vscode/protection.ts';
import type { Services } from '#compose/services.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { deploymentOrPick, pickBranch } from '#features/platform/vscode/pick.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { searchBranch } from './search-branch.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Files of branches without a local copy: open, compare, tidy up. */
export function compareCommands(services: Services): Handlers<CompareCommands> {
  return {
    'modelbench.branch.openFile': async (target) => openFile(services, target),
    'modelbench.branch.search': async (given) => {
      const target = await branchOf(services, given, 'Search in which branch?');
      if (target) await searchBranch(services, target);
    },
    'modelbench.branch.addToWorkspace': async (target) => addToWorkspace(services, target),
    'modelbench.branch.compare': async (target) => compareBranches(services, target),
    'modelbench.compareWithBranch': async (target) => compareFile(services, target),
    'modelbench.branch.prune': async () => prune(services),
  };
}

async function branchOf(
  services: Services,
  given: BranchTarget | undefined,
  placeHolder: string,
): Promise<BranchTarget | undefined> {
  if (given) return given;
  const deployment = await deploymentOrPick(services, undefined);
  return (
    deployment &&
    pickBranch(services, deployment, {
      title: text`Branch`,
      placeHolder,
      offer: () => true,
      none: 'This deployment has no branches.',
    })
  );
}

async function openFile(services: Services, given: BranchTarget | undefined): Promise<void> {
  const target = await branchOf(services, given, 'Open a file of which branch?');
  if (!target) return;
  const tree = await services.branchFiles.tree(target);
  const items = [...tree.keys()]
    .sort()
    .map((path) => ({ label: textOf(baseName(path)), description: textOf(dirName(path)), path }));
  if (items.length === 0) throw new UserError(`“${target.branchName}” has no files.`);
  const picked = await vscode.window.showQuickPick(items, {
    title: textOf(target.branchName),
    placeHolder: text`Open which file? It opens as the platform has it.`,
    matchOnDescription: true,
  });
  if (picked) await executeBuiltIn('vscode.open', services.remote.uri(target, picked.path));
}

async function addToWorkspace(services: Services, given: BranchTarget | undefined): Promise<void> {
  const target = await branchOf(services, given, 'Add the files of which branch?');
  if (!target) return;
  const folders = vscode.workspace.workspaceFolders ?? [];
  vscode.workspace.updateWorkspaceFolders(folders.length, 0, {
    uri: services.remote.uri(target, ''),
    name: `${services.data.nameOf(target)} · ${target.branchName}`,
  });
}

async function compareBranches(services: Services, given: ComparisonTarget | undefined): Promise<void> {
  const after = await branchOf(services, given, 'Show what which branch changes?');
  if (!after) return;
  const against = given?.against;
  const before =
    against === undefined
      ? await pickBranch(services, after, {
          title: text`Compare ${after.branchName}`,
          placeHolder: text`Compared with which branch?`,
          offer: (branch) => branch.name !== after.branchName,
          none: 'There is no other branch to compare with.',
        })
      : { ...after, branchName: against };
  if (!before) return;
  await Promise.all([services.remote.refresh(before), services.remote.refresh(after)]);
  const [old, now] = await Promise.all([services.branchFiles.tree(before), services.branchFiles.tree(after)]);
  const differences = compareTrees(old, now);
  const names = `${before.branchName} ↔ ${after.branchName}`;
  if (differences.length === 0) {
    vscode.window.setStatusBarMessage(text`$(check) ${names}: ${differenceWords(differences)}`, 5000);
    return;
  }
  // VS Code adds the number of files.
  const title = `${names}: ${differenceCounts(differences)}`;
  await showDifferences(services, title, before, after, differences);
}

/** All differences in one editor; each side that is not there is empty. */
async function showDifferences(
  { remote }: Pick<Services, 'remote'>,
  title: string,
  before: BranchTarget,
  after: BranchTarget,
  differences: readonly FileDifference[],
): Promise<void> {
  const resources = differences.map(
    ({ path, change }) =>
      [
        remote.uri(after, path),
        change === 'added' ? undefined : remote.uri(before, path),
        change === 'removed' ? undefined : remote.uri(after, path),
      ] as const,
  );
  await openChanges(textOf(title), resources);
}

async function compareFile(services: Services, given: FileTarget | DocumentTarget | undefined): Promise<void> {
  const file = given && 'path' in given ? given : linkedFile(services, given);
  const folder = file && services.session.folder(file.folderId);
  const deployment = folder && services.session.targetOf(folder);
  if (!file || !deployment) throw new UserError('Open a file of a linked folder’s model first.');
  const branch = await pickBranch(services, deployment, {
    title: text`Compare ${baseName(file.path)}`,
    placeHolder: text`With its version on which branch?`,
    offer: () => true,
    none: 'This deployment has no branches.',
  });
  if (!branch) return;
  await services.remote.refresh(branch);
  if (!(await services.branchFiles.list(branch)).has(file.path)) {
    throw new UserError(`“${branch.branchName}” has no ${file.path}.`);
  }
  const title = text`${baseName(file.path)} (${branch.branchName} ↔ Local)`;
  await openDiff(services.remote.uri(branch, file.path), fileUri(file), title);
}

function linkedFile({ session }: Services, given: DocumentTarget | undefined): FileTarget | undefined {
  const uri = documentUri(given);
  return uri && fileTargetOf(uri, session.links.value);
}

/** Lists the dev branches that are not active and deletes the ticked ones. */
async function prune(services: Services): Promise<void> {
  requireTrust(services);
  const target = await deploymentOrPick(services, undefined);
  if (!target) return;
  if (!services.offers(target.accountId, 'deleteBranch')) {
    throw new UserError('This platform’s description lists no way to delete a branch. Delete them on the platform.');
  }
  const branches = await services.data.of(target).branches.get();
  const { session, forks, windows } = services;
  const prunable = prunableBranches({
    branches,
    active: session.activeBranch(target),
    mine: session.myBranches(target),
    forkPoints: forks.of(target),
    inUse: new Set(windows.on(target).keys()),
  });
  const items = prunable.map(({ name, words }) => ({ label: textOf(name), description: textOf(words), name }));
  if (items.length === 0) throw new UserError('There are no dev branches to prune besides the active one.');
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Prune Dev Branches`,
    placeHolder: text`Tick the dev branches to delete`,
    canPickMany: true,
  });
  if (!picked || picked.length === 0) return;
  const names = picked.map(({ name }) => name);
  const sure = await confirm({
    title: text`Delete ${names.length} dev ${names.length === 1 ? 'branch' : 'branches'}?`,
    detail: text`${names.join(', ')}\n\nWork on them that was not merged is lost.`,
    button: 'Delete',
  });
  if (!sure) return;
  const { deleted, failed } = await services.operations.run({
    label: text`Pruning dev branches`,
    key: `branches ${target.accountId} ${target.deploymentId}`,
    run: async ({ report }) =>
      pruneBranches(services, target, names, (name, index) => report(name, index / names.length)),
  });
  vscode.window.setStatusBarMessage(
    text`$(check) Deleted ${deleted.length} dev ${deleted.length === 1 ? 'branch' : 'branches'}`,
    5000,
  );
  const [first] = failed;
  if (first)
    throw new UserError(
      `${failed.length} of ${names.length} dev branches could not be deleted. ${first.name}: ${first.message}`,
    );
}
