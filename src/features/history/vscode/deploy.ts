import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { text, textOf } from '#base/user-text.ts';
import { deployPlan } from '#features/history/deploy.ts';
import { asShown, deployGuards, deployTargetOf } from '#features/history/deploy-target.ts';
import {
  deploymentOnly,
  gateQuestion,
  type GatedSituation,
  type GateQuestion,
  type LinkedFolder,
  type ProductionPass,
  readBranchWrite,
  throughGate,
} from '#features/platform/index.ts';
import { carryOut, isNothing, type OpenPlan, refreshAfterChanges, type SyncSession } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import { baseName, isInside } from '#base/path.ts';
import type { Plan } from '#sync/core/plan.ts';
import {
  comparePlan,
  fileTargetOf,
  fileUri,
  mayUpload,
  showOutcome,
  watchOutside,
} from '#features/folders/vscode/index.ts';
import { isProtected } from '#shell/vscode/protection.ts';
import { DeployForm } from '#features/history/deploy-form.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import type { ReviewInput } from '#features/review/messages.ts';
import { ConfirmedDeploy } from '#features/history/confirmed-deploy.ts';
import { showHint } from './git-step.ts';
import type { DeployDeps, DeployDiffDeps } from './deps.ts';

/**
 * Deploys a linked folder to a deployment in deploy mode `cli`: one page with everything that would be deleted, what it breaks and
 * the typed confirmation; then one upload transaction, and the build followed.
 */
export async function deploy(deps: DeployDeps, given: Given): Promise<void> {
  const folder = await folderOrPick(deps, given);
  if (!folder) return;
  const { target, branch } = await deployTargetOf({ data: deps.transfers.data, session: deps.session }, folder);
  if (!(await mayUpload(deps.transfers, target))) return;
  await saveOpenFiles(folder);
  const access = new ConfirmedDeploy(branch);
  const sync = await deps.openSync(folder, target, access);
  // It follows both sides, but nothing of it is sent automatically.
  sync.configure({ saveSync: false });
  const session: SyncSession = { folder, target, sync };
  const following = followFolder(session);
  const release = async (): Promise<void> => {
    following.dispose();
    await sync.close();
    sync.dispose();
  };
  let open = false;
  try {
    open = await plan(deps, session, access, release);
  } finally {
    if (!open) await release();
  }
}

/** Shows the plan; answers whether it waits for the user now. */
async function plan(
  deps: DeployDeps,
  session: SyncSession,
  access: ConfirmedDeploy,
  release: () => Promise<void>,
): Promise<boolean> {
  const compared = await comparePlan(deps.transfers, session, 'deploy');
  if (!compared) return false;
  if (isNothing(deployPlan(compared))) {
    deps.transfers.plan.close();
    vscode.window.setStatusBarMessage(text`$(check) Production already matches “${session.folder.name}”`, 5000);
    return false;
  }
  const selection = deployPlan(compared).ticked;
  const question = gateQuestion(await readDeploy(deps, session, compared, selection));
  if (!question) return false;
  const form = new DeployForm(question, drafts.of('deploy', session.target) ?? `Deploy ${session.folder.name}`);
  deps.transfers.plan.showDeploy(session, compared, {
    planOf: deployPlan,
    form: form.fields,
    keep: (message) => drafts.keep('deploy', session.target, message),
    apply: async (shown, selection, input) => apply(deps, session, { shown, selection, input, form, access }),
    release: () => void release(),
  });
  deps.transfers.plan.reveal();
  return true;
}

/** Messages of deploys that did not go through, in this window. */
const drafts = new MessageDrafts();

interface Chosen {
  readonly shown: Plan;
  readonly selection: ReadonlySet<string>;
  readonly input: ReviewInput;
  readonly form: DeployForm;
  readonly access: ConfirmedDeploy;
}

/** Uploads what was confirmed on the page and follows the build; answers whether the plan is spent. */
async function apply(deps: DeployDeps, session: SyncSession, chosen: Chosen): Promise<boolean> {
  const { shown, selection, input, form } = chosen;
  const { target } = session;
  // Those that cannot be confirmed; the others are warnings on the page.
  deployGuards(shown);
  let latest: Plan | undefined;
  const read = async (): Promise<GatedSituation> => {
    latest = latest ? await asShown(deps.transfers, session, shown, selection) : shown;
    return readDeploy(deps, session, latest, selection);
  };
  const ask = (question: GateQuestion): Promise<boolean> => Promise.resolve(form.answers(question, input));
  const outcome = await throughGate(target, { read, ask, say: showHint }, async (pass) =>
    upload(deps, session, { ...chosen, shown: latest ?? shown }, pass),
  );
  if (outcome.kind !== 'sent' || !outcome.value) return false;
  drafts.forget('deploy', target);
  return true;
}

/** Where a deploy goes and what it sends, right now. */
async function readDeploy(
  deps: DeployDeps,
  { folder, target }: SyncSession,
  plan: Plan,
  selection: ReadonlySet<string>,
): Promise<GatedSituation> {
  const now = await deployTargetOf({ data: deps.transfers.data, session: deps.session }, folder);
  const content = JSON.stringify(plan.entries.filter(({ path }) => selection.has(path)));
  const write = { step: 'deploy', target, from: folder.name, to: now.branch, isDeploy: true, content } as const;
  return readBranchWrite(
    { data: deps.transfers.data, isProtected: (branch) => isProtected(deps.transfers, branch) },
    write,
  );
}

/** Uploads what was confirmed; answers whether the plan is spent. */
async function upload(
  deps: DeployDeps,
  session: SyncSession,
  { shown, selection, input, access }: Chosen,
  pass: ProductionPass,
): Promise<boolean> {
  const { target } = session;
  const message = input.message.trim();
  const outcome = await access.during(pass, target, async () =>
    carryOut(deps.transfers, session, {
      direction: 'push',
      plan: shown,
      selection,
      guards: deployGuards(shown),
      label: text`Deploying to ${deps.transfers.data.nameOf(target)}`,
      message: message === '' ? undefined : message,
    }),
  );
  showOutcome(outcome);
  if (outcome.applied.length > 0) {
    void deps.builds.follow(target);
    void deps.transfers.data.of(target).branches.invalidate();
  }
  deps.branchFiles.forget(target);
  return outcome.status !== 'cancelled';
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
    throw new Hint('No folder of this window is linked to that deployment.', {
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
  const refresh = (): void => changed.fire(folder.folderId);
  store.add(refreshAfterChanges(changed.event, { ofFolder: () => session }, systemClock));
  store.add(watchOutside(fileUri(place), refresh));
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const file = fileTargetOf(uri, [folder]);
      if (file && isInside(file.path, place.path)) refresh();
    }),
  );
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) refresh();
    }),
  );
  return store;
}
