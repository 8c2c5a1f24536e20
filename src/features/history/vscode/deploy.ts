import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { text, textOf } from '#base/user-text.ts';
import { textsOf } from '#features/folders/branch-compare.ts';
import type { BranchTree } from '#features/folders/branch-files.ts';
import { deployBranchOf } from '#features/platform/branches.ts';
import { deployPlan, deployRefusal, sendsWhatWasShown } from '#features/history/deploy.ts';
import type { LinkedFolder } from '#features/platform/link.ts';
import { lookAfterChanges } from '#features/folders/outside-changes.ts';
import { deploymentOnly } from '#features/platform/session.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { planSummary } from '#features/folders/plan-tree.ts';
import { UserError } from '#shell/user-error.ts';
import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import { baseName, isInside } from '#base/path.ts';
import type { Plan } from '#sync/core/plan.ts';
import { deployBranch } from '#sync/core/target.ts';
import { fileTargetOf, fileUri } from '#features/folders/vscode/folder-uris.ts';
import { confirm } from '#shell/vscode/protection.ts';
import { watchOutside } from '#features/folders/vscode/folder-watcher.ts';
import { isNothing, type OpenPlan } from '#features/folders/vscode/plan-view.ts';
import { carryOut, comparePlan, confirmGuards, showOutcome } from '#features/folders/vscode/transfer.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import { focusView } from '#shell/vscode/guarded/commands.ts';
import type { DeployDeps, DeployDiffDeps } from './deps.ts';
import type { ComparisonDeps } from '#features/folders/vscode/deps.ts';

/**
 * Deploys a linked folder to a deployment in deploy mode `cli`: the plan with everything that would be deleted, what it
 * breaks, a typed confirmation, one upload transaction, and the build followed.
 */
export async function deploy(deps: DeployDeps, given: Given): Promise<void> {
  const folder = await folderOrPick(deps, given);
  if (!folder) return;
  const target = deps.session.targetOf(folder);
  if (!target) throw new UserError('Sign in to the tenant of this folder first.', signIn);
  const deployment = (await deps.data.deployments(target.accountId).get()).find(({ id }) => id === target.deploymentId);
  if (!deployment) throw new UserError('The deployment of this folder is gone from the platform. Link another one.');
  const refusal = deployRefusal(deployment);
  if (refusal !== undefined) throw new UserError(refusal);
  const branch = deployBranchOf(await deps.data.of(target).branches.get());
  const checked = deployBranch(branch ?? { name: '', parentBranch: 'none' }, deployment.deployMode);
  if (!branch || !checked.ok) throw new UserError('This deployment has no deploy branch to upload to.');
  if (!(await mayUpload(deps, target))) return;
  await saveOpenFiles(folder);
  const sync = await deps.openSync(folder, { ...target, branchName: branch.name }, checked.value);
  // It follows both sides, but nothing of it is sent automatically.
  sync.configure({ saveSync: false });
  const session: SyncSession = { folder, target: { ...target, branchName: branch.name }, sync };
  const following = followFolder(session);
  const release = async (): Promise<void> => {
    following.dispose();
    await sync.close();
    sync.dispose();
  };
  let open = false;
  try {
    open = await plan(deps, session, release);
  } finally {
    if (!open) await release();
  }
}

const signIn = { title: 'Sign In', command: 'modelbench.signIn' } as const;

/** Shows the plan; answers whether it waits for the user now. */
async function plan(deps: DeployDeps, session: SyncSession, release: () => Promise<void>): Promise<boolean> {
  const compared = await comparePlan(deps, session, 'deploy');
  if (!compared) return false;
  if (isNothing(deployPlan(compared))) {
    deps.plan.close();
    vscode.window.setStatusBarMessage(text`$(check) Production already matches “${session.folder.name}”`, 5000);
    return false;
  }
  const words = { message: `Deploy ${session.folder.name}` };
  deps.plan.showDeploy(session, compared, {
    planOf: deployPlan,
    apply: async (shown, selection) => apply(deps, session, { shown, selection, words }),
    release: () => void release(),
  });
  await focusView(views.plan);
  return true;
}

interface Chosen {
  readonly shown: Plan;
  readonly selection: ReadonlySet<string>;
  /** Of the commit that the upload makes; what was typed stays for the next attempt. */
  readonly words: { message: string };
}

/** Asks, uploads and follows the build; answers whether the plan is spent. */
async function apply(deps: DeployDeps, session: SyncSession, { shown, selection, words }: Chosen): Promise<boolean> {
  const { target, folder } = session;
  const guards = shown.guards.filter(({ blocks }) => blocks !== 'pull');
  const blocking = guards.find(({ confirmable }) => !confirmable);
  if (blocking) throw new UserError(blocking.message);
  const name = deps.data.nameOf(target);
  const review = await deps.operations.run({
    label: text`Reviewing ${folder.name}`,
    key: `review ${folder.folderId}`,
    run: async () =>
      deps.reviewTexts(target, `Folder ${folder.name}`, (before) => textsAfter(session, shown, selection, before)),
  });
  if (guards.length > 0 && !(await confirmGuards(guards.map(({ message }) => message)))) return false;
  const typed = await vscode.window.showInputBox({
    value: words.message,
    title: text`Deploy ${folder.name} to ${name}`,
    prompt: text`Commit message for this deploy. Leave empty for the platform’s default.`,
    ignoreFocusOut: true,
  });
  if (typed === undefined) return false;
  words.message = typed.trim();
  const sure = await confirm({
    title: text`Deploy “${folder.name}” to “${name}”?`,
    detail: text`${planSummary(shown, 'push', selection)}. ${review.summary} Production is rebuilt.`,
    button: 'Deploy',
    typed: name,
    more: { button: 'Show Review', show: review.show },
  });
  if (!sure) return false;
  const outcome = await carryOut(deps, session, {
    direction: 'push',
    plan: await asShown(deps, session, shown, selection),
    selection,
    guards,
    label: text`Deploying to ${name}`,
    message: words.message === '' ? undefined : words.message,
  });
  showOutcome(outcome);
  if (outcome.applied.length > 0) {
    void deps.builds.follow(target);
    void deps.data.of(target).branches.invalidate();
  }
  deps.branchFiles.forget(target);
  return outcome.status !== 'cancelled';
}

/** Compares again: what is sent is what was shown and confirmed, or nothing. */
async function asShown(
  deps: ComparisonDeps,
  session: SyncSession,
  shown: Plan,
  selection: ReadonlySet<string>,
): Promise<Plan> {
  const isOpen = (): boolean => deps.plan.open.value?.session === session;
  const compare = async (): Promise<Plan> =>
    deps.operations.run({
      label: text`Comparing with ${session.target.branchName}`,
      key: session.folder.folderId,
      run: async ({ signal }) => session.sync.plan({ signal }),
    });
  const now = isOpen() ? await compare() : undefined;
  if (!now || !isOpen()) throw new UserError('The plan was closed meanwhile, so nothing was deployed. Deploy again.');
  const { plan: later } = deployPlan(now);
  if (sendsWhatWasShown(shown, later, selection)) return later;
  throw new UserError('The folder or the deploy branch changed meanwhile, so nothing was deployed. Review the plan.');
}

/** The texts of the deploy branch as they are to be: what is there, with what is ticked over it. */
async function textsAfter(
  { folder }: SyncSession,
  shown: Plan,
  selection: ReadonlySet<string>,
  before: BranchTree,
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map(textsOf(before));
  for (const entry of shown.entries) {
    if (!selection.has(entry.path)) continue;
    if (entry.kind === 'deleteRemote') texts.delete(entry.path);
    if (entry.kind === 'renameRemote') texts.delete(entry.from);
    if (entry.kind !== 'upload' && entry.kind !== 'renameRemote') continue;
    const bytes = await vscode.workspace.fs.readFile(fileUri({ folderId: folder.folderId, path: entry.path }));
    texts.set(entry.path, new TextDecoder().decode(bytes));
  }
  return texts;
}

/** Shows what a row of the deploy plan does to production, as a diff. */
export async function openDeployChange(
  { remote, documents }: DeployDiffDeps,
  { session, plan }: OpenPlan,
  file: FileTarget,
): Promise<void> {
  const entry = plan?.entries.find(({ path }) => path === file.path);
  const empty = documents.uri(file, 'empty');
  const there = remote.uri(session.target, entry?.kind === 'renameRemote' ? entry.from : file.path);
  const left = entry?.kind === 'upload' && entry.expectedRemote === undefined ? empty : there;
  const right = entry?.kind === 'deleteRemote' ? empty : fileUri(file);
  const title = text`${baseName(file.path)} (${session.target.branchName} ↔ Local)`;
  await openDiff(left, right, title);
}

/** What a row names: a linked folder, or the deployment whose folders are offered. */
type Given = FolderTarget | DeploymentTarget | undefined;

async function folderOrPick(
  deps: Pick<DeployDeps, 'session'>,
  given: Given,
): Promise<SyncSession['folder'] | undefined> {
  const { session } = deps;
  const named = given && 'folderId' in given ? given.folderId : undefined;
  const wanted = given && 'deploymentId' in given ? given : undefined;
  const linked = session.links.value.flatMap((folder) => linkedFolder(folder) ?? []);
  const fitting = linked.filter((folder) => {
    if (named !== undefined) return folder.folderId === named;
    return wanted === undefined || session.foldersOf(deploymentOnly(wanted)).some((each) => each === folder);
  });
  if (fitting.length === 0) {
    throw new UserError('No folder of this window is linked to that deployment.', {
      title: text`Link Folder`,
      command: 'modelbench.linkFolder',
      argument: wanted,
    });
  }
  if (fitting.length === 1) return fitting[0];
  const items = fitting.map((folder) => ({
    label: textOf(folder.name),
    description: textOf(folder.link.modelPath),
    folder,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which folder do you want to deploy?` }))?.folder;
}

function linkedFolder(folder: LinkedFolder): SyncSession['folder'] | undefined {
  return folder.link ? (folder as SyncSession['folder']) : undefined;
}

/** A user who deploys means what the editors show. */
async function saveOpenFiles(folder: SyncSession['folder']): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    const file = fileTargetOf(document.uri, [folder]);
    if (document.isDirty && file && isInside(file.path, folder.link.modelPath)) await document.save();
  }
}

/** Compares again when files of the folder change while the plan is open. */
function followFolder(session: SyncSession): Disposable {
  const store = new DisposableStore();
  const { folder } = session;
  const place = { folderId: folder.folderId, path: folder.link.modelPath };
  const changed = store.add(new Emitter<string>());
  const look = (): void => changed.fire(folder.folderId);
  store.add(lookAfterChanges(changed.event, { ofFolder: () => session }, systemClock));
  store.add(watchOutside(fileUri(place), look));
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const file = fileTargetOf(uri, [folder]);
      if (file && isInside(file.path, place.path)) look();
    }),
  );
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) look();
    }),
  );
  return store;
}
