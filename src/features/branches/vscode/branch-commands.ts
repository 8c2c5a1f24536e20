import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf, withIcon } from '#base/user-text.ts';
import {
  type Branch,
  deployBranchOf,
  linkedDeployments,
  type LinkedFolder,
  stagingRefusal,
} from '#features/platform/index.ts';
import {
  branchNameProblem,
  canBeSwitchedTo,
  createAndEnterBranch,
  createBranch,
  setStaging,
  startDevMode,
} from '#features/branches/dev-mode.ts';
import {
  destinationOf,
  isSwitchChoice,
  startChoices,
  startsAtOnce,
  type SwitchFacts,
} from '#features/branches/start-choices.ts';
import { enterBranch, leaveBranch } from '#features/branches/enter-branch.ts';
import { branchOnly } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchCommands } from '#shell/commands/commands.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { askChecked } from '#shell/vscode/checked-input.ts';
import { fileTargetOf, linkTo } from '#features/folders/vscode/index.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { requireTrust } from '#shell/trust.ts';
import {
  type BranchChoice,
  deploymentOrPick,
  type DeploymentPickDeps,
  pickBranch,
  pickLinked,
} from '#features/platform/vscode/index.ts';
import type { Handlers } from '#shell/vscode/register.ts';
import { confirmStaging } from './confirm-staging.ts';
import { askDeletion, deleteAtGate } from './delete-at-gate.ts';
import type { BranchCommandDeps, BranchDeletionDeps, DevModeDeps } from './deps.ts';

/** Returns the command handlers of the Branches view. */
export function branchCommands(deps: BranchCommandDeps): Handlers<BranchCommands> {
  const { devMode, deletion, addresses } = deps;
  return {
    'modelbench.branches.refresh': async () => {
      const target = devMode.session.active.value;
      if (!target) return;
      const { branches, keyBranch } = devMode.data.of(target);
      await Promise.all([branches.refresh(), keyBranch.refresh()]);
    },
    'modelbench.branches.filter': async () => filterBranches(deps),
    'modelbench.branches.clearFilter': () => deps.branchFilter.set(''),
    'modelbench.devMode.start': async (target) => start(devMode, target),
    'modelbench.devMode.stop': async (target) => stop(devMode, target),
    'modelbench.devMode.switch': async (target) => switchBranch(devMode, target),
    'modelbench.branch.create': async (target) => create(devMode, target),
    'modelbench.branch.delete': async (target) => remove(deletion, target),
    'modelbench.branch.copyLink': async (given) => {
      const target = await branchOrPick(devMode, given, {
        title: 'Copy Link to Branch',
        placeHolder: 'Which branch?',
        offer: () => true,
        none: 'This deployment has no branches.',
      });
      if (!target) return;
      await vscode.env.clipboard.writeText(linkTo(addresses, target));
      vscode.window.setStatusBarMessage('$(check) Link copied: it opens the branch in VS Code', 5000);
    },
    'modelbench.branch.copyName': async (given) => {
      const target = await branchOrPick(devMode, given, {
        title: 'Copy Branch Name',
        placeHolder: 'Which branch?',
        offer: () => true,
        none: 'This deployment has no branches.',
      });
      if (target) await vscode.env.clipboard.writeText(target.branchName);
    },
    'modelbench.staging.enable': async (target) => staging(devMode, target, true),
    'modelbench.staging.disable': async (target) => staging(devMode, target, false),
  };
}

/** The target in a row or link: a branch, or a deployment whose branches are offered. */
type Given = BranchTarget | DeploymentTarget | undefined;

async function branchOrPick(
  deps: DeploymentPickDeps,
  given: Given,
  choice: BranchChoice,
): Promise<BranchTarget | undefined> {
  if (given && 'branchName' in given) return given;
  const deployment = await deploymentOrPick(deps, given);
  return deployment && pickBranch(deps, deployment, choice);
}

async function start(deps: DevModeDeps, given: Given): Promise<void> {
  requireTrust(deps);
  const target = await startTarget(deps, given);
  if (target) await enter(deps, target, `Starting dev mode on ${target.branchName}`, () => startDevMode(deps, target));
}

/**
 * Asks where to start dev mode, unless that is clear. If the user chooses a new shared branch, creates and enters it, and
 * resolves to `undefined`.
 */
async function startTarget(deps: DevModeDeps, given: Given): Promise<BranchTarget | undefined> {
  const deployment = await deploymentOrPick(deps, given);
  if (!deployment) return undefined;
  const branches = await deps.data.of(deployment).branches.get();
  if (given && 'branchName' in given && startsAtOnce(given.branchName, branches)) return given;
  const items = startChoices(branches).map(({ label, description, branchName }) => ({
    label: branchName === undefined ? withIcon('add', textOf(label)) : textOf(label),
    description: textOf(description),
    branchName,
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title: text`Start Dev Mode · ${deps.data.titleOf(deployment)}`,
    placeHolder: text`Which branch do you want to fork your dev branch from?`,
    matchOnDescription: true,
  });
  if (!picked) return undefined;
  const { accountId, deploymentId } = deployment;
  if (picked.branchName !== undefined) return { accountId, deploymentId, branchName: picked.branchName };
  const made = await askBranch(branches, undefined);
  if (made) await enterNew(deps, deployment, made);
  return undefined;
}

async function enter(
  deps: DevModeDeps,
  target: DeploymentTarget,
  label: string,
  work: () => Promise<BranchTarget>,
): Promise<void> {
  const branch = { target, label, unsavedIn: unsavedFiles };
  const { entered, carried } = await enterBranch(deps, branch, work);
  const destination = destinationOf(entered.branchName, deps.data.of(entered).branches.value ?? []);
  vscode.window.setStatusBarMessage(
    text`$(check) Dev mode is on: “${entered.branchName}”${carried}${destination}`,
    carried === '' ? 8000 : 15_000,
  );
}

/** Counts the unsaved editors of files in folders. */
function unsavedFiles(folders: readonly LinkedFolder[]): number {
  return vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && fileTargetOf(uri, folders)).length;
}

async function stop(deps: DevModeDeps, given: DeploymentTarget | undefined): Promise<void> {
  const target = given ?? (await pickStopped(deps));
  if (target === 'none') return;
  const { branchName, other } = await leaveBranch(deps, target);
  const done =
    other === undefined
      ? text`$(check) Dev mode is off; “${branchName}” stays on the platform`
      : text`$(check) This window left “${branchName}”; dev mode stays on “${other}”, where it was started elsewhere`;
  vscode.window.setStatusBarMessage(done, 5000);
}

/** Asks which deployment’s dev mode stops if several folders have one; `undefined` is the shown one, `none` a refusal. */
async function pickStopped(deps: DevModeDeps): Promise<DeploymentTarget | undefined | 'none'> {
  const { session } = deps;
  const on = linkedDeployments(session).filter(({ target }) => session.activeBranch(target) !== undefined);
  if (on.length < 2) return on[0]?.target;
  return (await pickLinked(deps, on)) ?? 'none';
}

async function switchBranch(deps: DevModeDeps, given: Given): Promise<void> {
  requireTrust(deps);
  const target = await (given && 'branchName' in given ? given : pickOwn(deps, given));
  if (!target) return;
  if (!canBeSwitchedTo(target.branchName)) {
    throw new Hint(`“${target.branchName}” is not a dev branch. Start dev mode on it to get one of your own.`);
  }
  if (!(await isOwn(deps, target))) return;
  await enter(deps, target, `Switching to ${target.branchName}`, () => startDevMode(deps, target));
}

/** Asks for one of the user's other dev branches. */
async function pickOwn(deps: DevModeDeps, given: DeploymentTarget | undefined): Promise<BranchTarget | undefined> {
  const deployment = await deploymentOrPick(deps, given);
  if (!deployment) return undefined;
  const facts = switchFacts(deps, deployment);
  return pickBranch(deps, deployment, {
    title: `Switch Dev Branch · ${deps.data.titleOf(deployment)}`,
    placeHolder: 'Which of your dev branches do you want to work on?',
    offer: ({ name }) => isSwitchChoice(name, facts),
    none: 'You have no other dev branch on this computer. Start dev mode to get one, or choose one that you started elsewhere in the Branches view.',
  });
}

function switchFacts({ data, session }: DevModeDeps, deployment: DeploymentTarget): SwitchFacts {
  return {
    mine: session.myBranches(deployment),
    active: session.activeBranch(deployment),
    keyBranch: data.known(deployment)?.keyBranch.value,
  };
}

/**
 * Checks whether a dev branch is the user’s own, and asks if it was not started on this machine: uploads to someone else's would
 * change their work.
 */
async function isOwn(deps: DevModeDeps, target: BranchTarget): Promise<boolean> {
  const { mine, keyBranch } = switchFacts(deps, target);
  if (mine.has(target.branchName) || target.branchName === keyBranch) return true;
  return confirm({
    title: `Is “${target.branchName}” your own dev branch?`,
    detail:
      'It was not started on this computer. Your files would be uploaded to it. Start dev mode on its parent branch to get a branch of your own.',
    button: 'It Is My Branch',
  });
}

async function create(deps: DevModeDeps, given: Given): Promise<void> {
  const from = given && 'branchName' in given ? given : undefined;
  const deployment = await deploymentOrPick(deps, given);
  if (!deployment) return;
  const made = await askBranch(await deps.data.of(deployment).branches.get(), from?.branchName);
  if (!made) return;
  const then = await askWhetherToEnter(made.name);
  if (!then) return;
  if (then.enter) {
    requireTrust(deps);
    await enterNew(deps, deployment, made);
    return;
  }
  await deps.operations.run({
    label: `Creating branch ${made.name}`,
    key: `branches ${deployment.accountId} ${deployment.deploymentId}`,
    run: async () => createBranch(deps, deployment, made),
  });
  vscode.window.setStatusBarMessage(text`$(check) Created “${made.name}”`, 5000);
}

interface NewBranch {
  readonly name: string;
  readonly parentBranch: string | undefined;
}

/** Asks for the name of a new shared branch; without `from` it is forked from the deploy branch. */
async function askBranch(branches: readonly Branch[], from: string | undefined): Promise<NewBranch | undefined> {
  const parentBranch = from ?? deployBranchOf(branches)?.name;
  const existing = new Set(branches.map((branch) => branch.name));
  const name = await askChecked({
    title: 'Create Shared Branch',
    prompt:
      parentBranch === undefined ? 'Name of the new branch' : `Name of the new branch (forked from “${parentBranch}”)`,
    placeholder: 'feature/returns',
    validate: (typed) => branchNameProblem(typed.trim(), existing),
  });
  return name === undefined ? undefined : { name: name.trim(), parentBranch };
}

async function enterNew(deps: DevModeDeps, deployment: DeploymentTarget, made: NewBranch): Promise<void> {
  const label = `Creating branch ${made.name} and starting dev mode on it`;
  await enter(deps, deployment, label, () => createAndEnterBranch(deps, deployment, made));
}

async function askWhetherToEnter(name: string): Promise<{ readonly enter: boolean } | undefined> {
  return vscode.window.showQuickPick(
    [
      { label: text`Create Branch`, description: text`the branch that you work on stays the same`, enter: false },
      {
        label: text`Create Branch and Start Dev Mode`,
        description: text`you work on a personal dev branch of “${name}”`,
        enter: true,
      },
    ],
    { title: text`Create Shared Branch`, placeHolder: text`Create “${name}”`, ignoreFocusOut: true },
  );
}

async function remove(deps: BranchDeletionDeps, given: Given): Promise<void> {
  const deployment = await deploymentOrPick(deps, given);
  if (!deployment) return;
  if (!deps.offers(deployment.accountId, 'deleteBranch')) {
    throw new Hint('This platform’s API cannot delete branches. Delete the branch on the platform’s own pages.');
  }
  const target = await branchOrPick(deps, given ?? deployment, {
    title: 'Delete Branch',
    placeHolder: 'Which branch do you want to delete?',
    offer: (_branch, role) => role !== 'deploy',
    none: 'There is no branch that can be deleted.',
  });
  if (!target) return;
  const outcome = await deleteAtGate(deps, target, async (...asked) => askDeletion(deps, target, ...asked));
  if (outcome !== 'sent') return;
  vscode.window.setStatusBarMessage(text`$(check) Deleted “${target.branchName}”`, 5000);
}

async function staging(deps: DevModeDeps, given: Given, enabled: boolean): Promise<void> {
  const verb = enabled ? 'Enable' : 'Disable';
  const target = await branchOrPick(deps, given, {
    title: `${verb} Staging Environment`,
    placeHolder: 'Which shared branch? Other branches cannot have a staging environment.',
    offer: (branch, role) => stagingRefusal(branch, role) === undefined && branch.staging !== enabled,
    none: `There is no shared branch to ${verb.toLowerCase()} a staging environment for.`,
  });
  if (!target) return;
  if (!(await confirmStaging(deps, target, enabled))) return;
  const branch = await deps.operations.run<Branch>({
    label: `${enabled ? 'Enabling' : 'Disabling'} the staging environment of ${target.branchName}`,
    key: `staging ${target.accountId} ${target.deploymentId} ${target.branchName}`,
    run: async () => setStaging(deps, branchOnly(target), enabled),
  });
  const state = branch.staging ? 'always active; it is listed in Deployments' : 'off';
  vscode.window.setStatusBarMessage(text`$(check) Staging environment of “${branch.name}” is ${state}`, 5000);
}

/** Filters while the user types; Escape restores the previous filter. */
async function filterBranches({ branchFilter }: Pick<BranchCommandDeps, 'branchFilter'>): Promise<void> {
  const before = branchFilter.value;
  const input = vscode.window.createInputBox();
  input.title = text`Filter Branches`;
  input.prompt = text`Show only branches whose name contains this text; leave empty to show all.`;
  input.value = before;
  try {
    const isAccepted = await new Promise<boolean>((resolve) => {
      input.onDidChangeValue((text) => branchFilter.set(text.trim()));
      input.onDidAccept(() => resolve(true));
      input.onDidHide(() => resolve(false));
      input.show();
    });
    branchFilter.set(isAccepted ? input.value.trim() : before);
  } finally {
    input.dispose();
  }
}
