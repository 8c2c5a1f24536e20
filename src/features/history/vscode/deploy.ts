import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { text, textOf } from '#base/user-text.ts';
import { ConfirmedDeploy } from '#features/history/confirmed-deploy.ts';
import { type DeployPorts, DeployStep } from '#features/history/deploy-step.ts';
import { deployTargetOf } from '#features/history/deploy-target.ts';
import { MessageDrafts } from '#features/history/message-drafts.ts';
import { deploymentOnly, type LinkedFolder } from '#features/platform/index.ts';
import { type OpenPlan, refreshAfterChanges, type SyncSession } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { DeploymentTarget, FileTarget, FolderTarget } from '#shell/targets.ts';
import { baseName, isInside } from '#base/path.ts';
import { fileTargetOf, fileUri, mayUpload, showOutcome, watchOutside } from '#features/folders/vscode/index.ts';
import { isProtected } from '#shell/vscode/protection.ts';
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
  const step = new DeployStep(portsOf(deps), session, access);
  let isOpen = false;
  try {
    const planned = await step.plan(() => void release());
    isOpen = planned === 'open';
    if (planned === 'matches') {
      vscode.window.setStatusBarMessage(text`$(check) Production already matches “${folder.name}”`, 5000);
    }
  } finally {
    if (!isOpen) await release();
  }
}

/** Messages of deploys that did not go through, in this window. */
const drafts = new MessageDrafts();

function portsOf({ transfers, session, builds, branchFiles }: DeployDeps): DeployPorts {
  const { data, operations, plan } = transfers;
  return {
    data,
    session,
    isProtected: (branch) => isProtected(transfers, branch),
    comparison: { clock: systemClock, operations, plan },
    drafts,
    host: {
      say: showHint,
      ended: (target, outcome) => {
        showOutcome(outcome);
        if (outcome.applied.length > 0) {
          void builds.follow(target);
          void data.of(target).branches.invalidate();
        }
        branchFiles.forget(target);
      },
    },
  };
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
  const modelFolder = { folderId: folder.folderId, path: folder.link.modelPath };
  const changed = store.add(new Emitter<string>());
  const refresh = (): void => changed.fire(folder.folderId);
  store.add(refreshAfterChanges(changed.event, { ofFolder: () => session }, systemClock));
  store.add(watchOutside(fileUri(modelFolder), refresh));
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      const file = fileTargetOf(uri, [folder]);
      if (file && isInside(file.path, modelFolder.path)) refresh();
    }),
  );
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) refresh();
    }),
  );
  return store;
}
