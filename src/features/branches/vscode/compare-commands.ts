import { openChanges, openDiff } from '#shell/vscode/guarded/diff.ts';
import { plural } from '#base/words.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { isEqual } from '#base/equal.ts';
import { baseName, dirName } from '#base/path.ts';
import { compareTrees, differenceCounts, fileDifferenceText, type FileDifference } from '#features/folders/index.ts';
import { type LostWork, lostText, readLostWork } from '#features/branches/lost-work.ts';
import { prunableBranches, pruneBranches } from '#features/branches/prune.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { CompareCommands } from '#shell/commands/commands.ts';
import type { BranchTarget, ComparisonTarget, DeploymentTarget, DocumentTarget, FileTarget } from '#shell/targets.ts';
import { fileTargetOf, fileUri } from '#features/folders/vscode/index.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { requireTrust } from '#shell/trust.ts';
import { documentUri } from '#shell/vscode/document-uri.ts';
import { deploymentOrPick, type DeploymentPickDeps, pickBranch } from '#features/platform/vscode/index.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { askDeletion, deleteAtGate } from './delete-at-gate.ts';
import { searchBranch } from './search-branch.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { BranchDeletionDeps, CompareCommandDeps, ComparisonDeps, PruneDeps } from './deps.ts';

/** Returns the handlers that open, search and compare files of branches without a local copy, and that prune branches. */
export function compareCommands({ comparison, pruning }: CompareCommandDeps): Handlers<CompareCommands> {
  return {
    'modelbench.branch.openFile': async (target) => openFile(comparison, target),
    'modelbench.branch.search': async (given) => {
      const target = await branchOf(comparison, given, 'Which branch do you want to search?');
      if (target) await searchBranch(comparison, target);
    },
    'modelbench.branch.addToWorkspace': async (target) => addToWorkspace(comparison, target),
    'modelbench.branch.compare': async (target) => compareBranches(comparison, target),
    'modelbench.compareWithBranch': async (target) => compareFile(comparison, target),
    'modelbench.branch.prune': async () => prune(pruning),
  };
}

async function branchOf(
  deps: DeploymentPickDeps,
  given: BranchTarget | undefined,
  placeHolder: string,
): Promise<BranchTarget | undefined> {
  if (given) return given;
  const deployment = await deploymentOrPick(deps, undefined);
  return (
    deployment &&
    pickBranch(deps, deployment, {
      title: text`Branch`,
      placeHolder,
      offer: () => true,
      none: 'This deployment has no branches.',
    })
  );
}

async function openFile(deps: ComparisonDeps, given: BranchTarget | undefined): Promise<void> {
  const target = await branchOf(deps, given, 'Which branch do you want to open a file from?');
  if (!target) return;
  const tree = await deps.branchFiles.tree(target);
  const items = [...tree.keys()]
    .sort()
    .map((path) => ({ label: textOf(baseName(path)), description: textOf(dirName(path)), path }));
  if (items.length === 0) throw new Hint(`“${target.branchName}” has no files.`);
  const picked = await vscode.window.showQuickPick(items, {
    title: textOf(target.branchName),
    placeHolder: text`Which file do you want to open? It shows the platform’s version.`,
    matchOnDescription: true,
  });
  if (picked) await executeBuiltIn('vscode.open', deps.remote.uri(target, picked.path));
}

async function addToWorkspace(deps: ComparisonDeps, given: BranchTarget | undefined): Promise<void> {
  const target = await branchOf(deps, given, 'Which branch’s files do you want to add?');
  if (!target) return;
  const folders = vscode.workspace.workspaceFolders ?? [];
  vscode.workspace.updateWorkspaceFolders(folders.length, 0, {
    uri: deps.remote.uri(target, ''),
    name: `${deps.data.nameOf(target)} · ${target.branchName}`,
  });
}

async function compareBranches(deps: ComparisonDeps, given: ComparisonTarget | undefined): Promise<void> {
  const after = await branchOf(deps, given, 'Which branch’s changes do you want to see?');
  if (!after) return;
  const against = given?.against;
  const before =
    against === undefined
      ? await pickBranch(deps, after, {
          title: text`Compare ${after.branchName}`,
          placeHolder: text`Which branch do you want to compare it with?`,
          offer: (branch) => branch.name !== after.branchName,
          none: 'There is no other branch to compare with.',
        })
      : { ...after, branchName: against };
  if (!before) return;
  await Promise.all([deps.remote.refresh(before), deps.remote.refresh(after)]);
  const [old, now] = await Promise.all([deps.branchFiles.tree(before), deps.branchFiles.tree(after)]);
  const differences = compareTrees(old, now);
  const names = `${before.branchName} ↔ ${after.branchName}`;
  if (differences.length === 0) {
    vscode.window.setStatusBarMessage(text`$(check) ${names}: ${fileDifferenceText(differences)}`, 5000);
    return;
  }
  // VS Code appends the number of files.
  const title = `${names}: ${differenceCounts(differences)}`;
  await showDifferences(deps, title, before, after, differences);
}

/** Shows all differences in one editor; the side on which a file does not exist is empty. */
async function showDifferences(
  { remote }: Pick<ComparisonDeps, 'remote'>,
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

async function compareFile(deps: ComparisonDeps, given: FileTarget | DocumentTarget | undefined): Promise<void> {
  const file = given && 'path' in given ? given : linkedFile(deps, given);
  const folder = file && deps.session.folder(file.folderId);
  const deployment = folder && deps.session.targetOf(folder);
  if (!file || !deployment) throw new Hint('Open a file of a linked folder’s model first.');
  const branch = await pickBranch(deps, deployment, {
    title: text`Compare ${baseName(file.path)}`,
    placeHolder: text`Which branch’s version do you want to compare it with?`,
    offer: () => true,
    none: 'This deployment has no branches.',
  });
  if (!branch) return;
  await deps.remote.refresh(branch);
  if (!(await deps.branchFiles.list(branch)).has(file.path)) {
    throw new Hint(`“${branch.branchName}” has no ${file.path}.`);
  }
  const title = text`${baseName(file.path)} (${branch.branchName} ↔ Local)`;
  await openDiff(deps.remote.uri(branch, file.path), fileUri(file), title);
}

function linkedFile(
  { session }: Pick<ComparisonDeps, 'session'>,
  given: DocumentTarget | undefined,
): FileTarget | undefined {
  const uri = documentUri(given);
  return uri && fileTargetOf(uri, session.links.value);
}

/** Lists the dev branches that are not in use and deletes the ticked ones. */
async function prune({ deletion, forks, windows }: PruneDeps): Promise<void> {
  requireTrust(deletion);
  const { data, operations, session } = deletion;
  const target = await deploymentOrPick(deletion, undefined);
  if (!target) return;
  if (!deletion.offers(target.accountId, 'deleteBranch')) {
    throw new Hint('This platform’s API cannot delete branches. Delete them on the platform’s own pages.');
  }
  const branches = await data.of(target).branches.get();
  const prunable = prunableBranches({
    branches,
    active: session.activeBranch(target),
    mine: session.myBranches(target),
    forkPoints: forks.of(target),
    inUse: new Set(windows.on(target).keys()),
  });
  const items = prunable.map(({ name, detail }) => ({ label: textOf(name), description: textOf(detail), name }));
  if (items.length === 0) throw new Hint('There are no dev branches to prune besides the active one.');
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Prune Dev Branches`,
    placeHolder: text`Tick the dev branches to delete`,
    canPickMany: true,
    ignoreFocusOut: true,
  });
  if (!picked || picked.length === 0) return;
  const names = picked.map(({ name }) => name);
  const key = `branches ${target.accountId} ${target.deploymentId}`;
  const shown = await operations.run({
    label: text`Comparing dev branches`,
    key,
    run: async ({ report }) => readAll(deletion, target, names, report),
  });
  const sure = await confirm({
    title: text`Delete ${plural(names.length, 'dev branch', 'dev branches')}?`,
    detail: names.map((name) => `${name}: ${lostText(shown.get(name) ?? unknownWork)}`).join('\n\n'),
    button: 'Delete',
  });
  if (!sure) return;
  const { deleted, failed } = await operations.run({
    label: text`Pruning dev branches`,
    key,
    run: async ({ report }) =>
      pruneBranches(
        async (branch) => removeShown(deletion, branch, shown.get(branch.branchName) ?? unknownWork),
        target,
        names,
        (name, index) => report(name, index / names.length),
      ),
  });
  vscode.window.setStatusBarMessage(
    text`$(check) Deleted ${plural(deleted.length, 'dev branch', 'dev branches')}`,
    5000,
  );
  const [first] = failed;
  if (first)
    throw new UserError(
      `${failed.length} of ${names.length} dev branches could not be deleted. ${first.name}: ${first.message}`,
    );
}

const unknownWork: LostWork = { parent: undefined, files: undefined, forks: [], unsent: 0 };

/** Reads what is lost with each of these branches. */
async function readAll(
  deletion: BranchDeletionDeps,
  target: DeploymentTarget,
  names: readonly string[],
  report: (text: string, share: number) => void,
): Promise<ReadonlyMap<string, LostWork>> {
  const works = new Map<string, LostWork>();
  for (const [index, branchName] of names.entries()) {
    report(branchName, index / names.length);
    const work = await readLostWork({ data: deletion.data, syncs: deletion.lost.syncs }, { ...target, branchName });
    works.set(branchName, work ?? unknownWork);
  }
  return works;
}

/** Deletes a branch if no more is lost than what was shown; a protected one after its name was typed. Rejects with a `Hint`. */
async function removeShown(deletion: BranchDeletionDeps, branch: BranchTarget, shown: LostWork): Promise<void> {
  const outcome = await deleteAtGate(deletion, branch, async (question, work) => {
    const isSame = isEqual({ ...work, unsent: 0 }, { ...shown, unsent: 0 });
    const isShown = isSame && question.typed === undefined && question.warnings.length === 0;
    return isShown || askDeletion(deletion, branch, question, work);
  });
  if (outcome === 'refused') throw new Hint(`“${branch.branchName}” was not deleted.`);
}
