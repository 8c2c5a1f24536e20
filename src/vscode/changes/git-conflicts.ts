import * as vscode from 'vscode';
import { normalizePath } from '#base/path.ts';
import type { GitConflict } from '#features/git-workflow.ts';
import { plural } from '#features/trees/plan-tree.ts';
import type { CommandId } from '#protocol/commands.ts';
import type { BranchTarget } from '#protocol/targets.ts';
import { fileUri } from '../link/folder-uris.ts';
import type { Services } from '../services.ts';

/**
 * Shows a 409 of commit, pull or merge: nothing was changed. Where the platform names files the person goes through them
 * against the parent's version; where it names none, the way on is to pull first.
 */
export async function walkConflicts(
  services: Services,
  target: BranchTarget,
  conflict: GitConflict,
  tried: string,
): Promise<void> {
  const paths = conflict.paths.map(normalizePath);
  if (paths.length === 0) {
    await offer(conflict.message, { 'Pull from Parent': 'modelbench.pull' });
    return;
  }
  const show = 'Show Conflicts';
  const message = `Git conflict in ${plural(paths.length, 'file')}, nothing was changed. ${tried} stopped: ${conflict.message}`;
  if ((await vscode.window.showWarningMessage(message, show)) === show) await goThrough(services, target, paths);
}

/** One file after the other, beside the parent's version, until the person tries again or has had enough. */
async function goThrough(services: Services, target: BranchTarget, paths: readonly string[]): Promise<void> {
  const branches = await services.data.of(target).branches.get();
  const parent = branches.find((branch) => branch.name === target.branchName)?.parentBranch;
  const seen = new Set<string>();
  for (;;) {
    const path = await pick(paths, parent, seen);
    if (path === undefined) return;
    seen.add(path);
    await openBeside(services, target, parent, path);
    const next = 'Next Conflict';
    const again = 'Pull Again';
    const answer = await vscode.window.showInformationMessage(
      `Make “${path}” agree with ${parent === undefined ? 'the parent' : `“${parent}”`} where both changed it, save it, then pull again.`,
      ...(seen.size < paths.length ? [next, again] : [again]),
    );
    if (answer === again) await vscode.commands.executeCommand('modelbench.pull');
    if (answer !== next) return;
  }
}

async function pick(
  paths: readonly string[],
  parent: string | undefined,
  seen: ReadonlySet<string>,
): Promise<string | undefined> {
  if (paths.length === 1) return paths[0];
  const items = paths.map((path) => ({
    label: path,
    description: seen.has(path) ? 'looked at' : 'changed on both branches',
  }));
  const placeHolder = `Conflicts with ${parent ?? 'the parent branch'}: open which file?`;
  return (await vscode.window.showQuickPick(items, { placeHolder }))?.label;
}

async function openBeside(
  services: Services,
  target: BranchTarget,
  parent: string | undefined,
  path: string,
): Promise<void> {
  const folder = services.syncs.ofBranch(target)[0]?.folder;
  if (!folder) return;
  const local = fileUri({ folderId: folder.folderId, path });
  if (parent === undefined) {
    await vscode.commands.executeCommand('vscode.open', local);
    return;
  }
  await services.remote.refresh({ ...target, branchName: parent });
  const theirs = services.remote.uri({ ...target, branchName: parent }, path);
  await vscode.commands.executeCommand('vscode.diff', theirs, local, `${path} (${parent} ↔ Local)`);
}

async function offer(message: string, actions: Readonly<Record<string, CommandId>>): Promise<void> {
  const answer = await vscode.window.showWarningMessage(message, ...Object.keys(actions));
  const command = answer === undefined ? undefined : actions[answer];
  if (command !== undefined) await vscode.commands.executeCommand(command);
}
