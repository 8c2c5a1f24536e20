import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { systemClock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { Emitter } from '#base/event.ts';
import { text, textOf } from '#base/user-text.ts';
import { type DeployArgument, deployFolder, type DeployWindow } from '#features/history/deploy-folder.ts';
import type { DeployPorts } from '#features/history/deploy-step.ts';
import { type OpenPlan, refreshAfterChanges, type SyncSession } from '#features/folders/index.ts';
import type { FileTarget } from '#shell/targets.ts';
import { baseName, isInside } from '#base/path.ts';
import { fileTargetOf, fileUri, mayUpload, showOutcome, watchOutside } from '#features/folders/vscode/index.ts';
import { isProtected } from '#shell/vscode/protection.ts';
import { requireSaved } from '#shell/vscode/save-document.ts';
import { showHint } from './git-step.ts';
import type { DeployDeps, DeployDiffDeps } from './deps.ts';

/** Opens the page on which a linked folder is deployed to a deployment in deploy mode `cli`. */
export async function deploy(deps: DeployDeps, given: DeployArgument): Promise<void> {
  const window: DeployWindow = {
    chooseFolder,
    mayUpload: async (target) => mayUpload(deps.transfers, target),
    saveOpenFiles,
    follow: followFolder,
    matches: ({ name }) => {
      vscode.window.setStatusBarMessage(text`$(check) Production already matches “${name}”`, 5000);
    },
  };
  await deployFolder({ openSync: deps.openSync, step: portsOf(deps), window }, given);
}

function portsOf({ transfers, session, builds, branchFiles, drafts }: DeployDeps): DeployPorts {
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

/** Shows the change of a row in the deploy plan, as a diff. */
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

async function chooseFolder(folders: readonly SyncSession['folder'][]): Promise<SyncSession['folder'] | undefined> {
  const items = folders.map((folder) => ({
    label: textOf(folder.name),
    description: textOf(folder.link.modelPath),
    folder,
  }));
  return (await vscode.window.showQuickPick(items, { placeHolder: text`Which folder do you want to deploy?` }))?.folder;
}

async function saveOpenFiles(folder: SyncSession['folder']): Promise<void> {
  for (const document of vscode.workspace.textDocuments) {
    const file = fileTargetOf(document.uri, [folder]);
    if (document.isDirty && file && isInside(file.path, folder.link.modelPath)) await requireSaved(document);
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
