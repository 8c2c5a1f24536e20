import * as vscode from 'vscode';
import { normalizePath } from '#base/path.ts';
import type { GitConflict } from '#features/git-workflow.ts';
import { plural } from '#features/trees/plan-tree.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';

/**
 * Shows a 409 of commit, pull or merge: nothing was changed. Where the platform names files the person goes through them
 * against the parent's version; where it names none, the way on is to pull first.
 */
export async function walkConflicts(services: Services, target: BranchTarget, conflict: GitConflict): Promise<void> {
  if (conflict.paths.length === 0) {
    const pull = 'Pull from Parent';
    const answer = await vscode.window.showWarningMessage(conflict.message, pull);
    if (answer === pull) await vscode.commands.executeCommand('modelbench.pull');
    return;
  }
  const show = 'Show Conflicts';
  const message = `Git conflict in ${plural(conflict.paths.length, 'file')}: nothing was merged. ${conflict.message}`;
  if ((await vscode.window.showWarningMessage(message, show)) !== show) return;
  await pickConflict(services, target, conflict.paths.map(normalizePath));
}

async function pickConflict(services: Services, target: BranchTarget, paths: readonly string[]): Promise<void> {
  const folder = services.syncs.ofBranch(target)[0]?.folder;
  const branches = await services.data.of(target).branches.get();
  const parent = branches.find((branch) => branch.name === target.branchName)?.parentBranch;
  const items = paths.map((path) => ({ label: path, description: 'changed on both branches', path }));
  const picked = await vscode.window.showQuickPick(items, {
    title: `Conflicts with ${parent ?? 'the parent branch'}`,
    placeHolder: 'Open a file: make it agree with the parent’s version, save, commit, then try again',
  });
  if (!picked || !folder) return;
  const local = fileUri({ folderId: folder.folderId, path: picked.path });
  if (parent === undefined) {
    await vscode.commands.executeCommand('vscode.open', local);
    return;
  }
  const theirs = services.remote.uri({ ...target, branchName: parent }, picked.path);
  await vscode.commands.executeCommand('vscode.diff', theirs, local, `${picked.path} (${parent} ↔ Local)`);
}
