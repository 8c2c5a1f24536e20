import * as vscode from 'vscode';
import { normalizePath } from '#base/path.ts';
import type { BranchTree } from '#features/branch-files.ts';
import type { GitConflict } from '#features/git-workflow.ts';
import type { SettledFiles } from '#features/settled-pull.ts';
import { plural } from '#features/trees/plan-tree.ts';
import type { CommandId } from '#protocol/commands.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';

/**
 * Shows a 409 of commit, pull or merge: nothing was changed. Where the platform names files the person goes through them
 * against the parent's version, and answers what they settled; where it names none, the way on is to pull first.
 */
export async function walkConflicts(
  services: Services,
  target: BranchTarget,
  conflict: GitConflict,
  tried: string,
): Promise<SettledFiles | undefined> {
  const paths = conflict.paths.map(normalizePath);
  if (paths.length === 0) {
    await offer(conflict.message, { 'Pull from Parent': 'modelbench.pull' });
    return undefined;
  }
  const show = 'Show Conflicts';
  const message = `Git conflict in ${plural(paths.length, 'file')}, nothing was changed. ${tried} stopped: ${conflict.message}`;
  return (await vscode.window.showWarningMessage(message, show)) === show
    ? goThrough(services, target, paths)
    : undefined;
}

/** One file after the other, beside the parent's version, until the person pulls again or has had enough. */
async function goThrough(
  services: Services,
  target: BranchTarget,
  paths: readonly string[],
): Promise<SettledFiles | undefined> {
  const branches = await services.data.of(target).branches.get();
  const parent = branches.find((branch) => branch.name === target.branchName)?.parentBranch;
  if (parent === undefined) {
    await offer('The platform names no parent of this branch any more.', {
      'Refresh Branches': 'modelbench.branches.refresh',
    });
    return undefined;
  }
  const before = await treeNow(services, target);
  const seen = new Set<string>();
  for (;;) {
    const path = await pick(paths, parent, seen);
    if (path === undefined) return undefined;
    seen.add(path);
    await openBeside(services, target, parent, path);
    const next = 'Next Conflict';
    const again = 'Pull Again';
    const answer = await vscode.window.showInformationMessage(
      `Merge what “${parent}” changed into “${path}” and save it, then pull again: what you saved stays.`,
      ...(seen.size < paths.length ? [next, again] : [again]),
    );
    if (answer === again) {
      const settled = { parent, paths: [...seen] };
      return (await isMeant(services, target, settled, before)) ? settled : undefined;
    }
    if (answer !== next) return undefined;
  }
}

/** A file that is as it was would overrule the parent's changes: that must be said. */
async function isMeant(
  services: Services,
  target: BranchTarget,
  { parent, paths }: SettledFiles,
  before: BranchTree,
): Promise<boolean> {
  for (const { sync } of services.syncs.ofBranch(target)) await sync.flush();
  const now = await treeNow(services, target);
  const same = paths.filter((path) => now.get(path)?.hash === before.get(path)?.hash);
  if (same.length === 0) return true;
  const keep = 'Keep Mine';
  const detail = `What “${parent}” changed in the same places is then gone from “${target.branchName}”: ${same.join(', ')}`;
  const title = `${plural(same.length, 'file')} saved nothing new. Keep your version?`;
  return (await vscode.window.showWarningMessage(title, { modal: true, detail }, keep)) === keep;
}

async function treeNow({ branchFiles }: Services, target: BranchTarget): Promise<BranchTree> {
  await branchFiles.refresh(target);
  return branchFiles.tree(target);
}

async function pick(paths: readonly string[], parent: string, seen: ReadonlySet<string>): Promise<string | undefined> {
  if (paths.length === 1) return paths[0];
  const items = paths.map((path) => ({
    label: path,
    description: seen.has(path) ? 'looked at' : 'changed on both branches',
  }));
  const placeHolder = `Conflicts with ${parent}: open which file?`;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.label;
}

async function openBeside(services: Services, target: BranchTarget, parent: string, path: string): Promise<void> {
  const folder = services.syncs.ofBranch(target)[0]?.folder;
  if (!folder) return;
  const local = fileUri({ folderId: folder.folderId, path });
  await services.remote.refresh({ ...target, branchName: parent });
  const theirs = services.remote.uri({ ...target, branchName: parent }, path);
  await vscode.commands.executeCommand('vscode.diff', theirs, local, `${path} (${parent} ↔ Local)`);
}

async function offer(message: string, actions: Readonly<Record<string, CommandId>>): Promise<void> {
  const answer = await vscode.window.showWarningMessage(message, ...Object.keys(actions));
  const command = answer === undefined ? undefined : actions[answer];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
