import { text } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { PlanView, SyncSession } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { SyncCommands } from '#shell/commands/commands.ts';
import {
  type BranchTarget,
  type ChangeTarget,
  type DocumentTarget,
  type FileTarget,
  type FolderTarget,
  isFileTarget,
  type TrashTarget,
  severalFiles,
} from '#shell/targets.ts';
import { planJson, planText } from '#sync/core/planning/plan-text.ts';
import {
  activeFile,
  applyPlan,
  type BranchTrashDeps,
  fileTargetOf,
  fileUri,
  type FolderPicker,
  planTransfer,
  restoreFromBranchTrash,
  restoreFromTrash,
  sessionOrPick,
  type TransferDeps,
} from '#features/folders/vscode/index.ts';
import { gitConflictAt } from '#features/history/index.ts';
import {
  conflictOrPick,
  deploy,
  folderConflicts,
  mergeConflict,
  openChange,
  openDeployChange,
  putBack,
  resolveConflict,
  type ShownConflicts,
  stepConflicts,
  takeTheirs,
} from '#features/history/vscode/index.ts';
import { compareAgain } from '#features/changes/watch-deltas.ts';
import { openBranchChange } from './open-branch-change.ts';
import { choosePush } from './push-question.ts';
import { requireTrust } from '#shell/trust.ts';
import type { Handler, Handlers } from '#shell/vscode/register.ts';
import { maintenanceCommands } from './maintenance-commands.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import { requireSaved } from '#shell/vscode/save-document.ts';
import type { ConflictCommandDeps, SyncCommandDeps } from './deps.ts';

/** Returns the handlers for push, pull, plan and conflicts. */
export function syncCommands(deps: SyncCommandDeps): Handlers<SyncCommands> {
  const { folders, trash, branches, deploys } = deps;
  return {
    'modelbench.changes.refresh': async () => refresh(deps),
    ...transferCommands(deps),
    'modelbench.sync.putBack': async (target) => {
      requireTrust(folders);
      const session = await sessionOrPick(folders, target?.folderId);
      if (session) await putBack(deps.putBack, session);
    },
    'modelbench.deploy': async (target) => {
      requireTrust(folders);
      await deploy(deploys, target);
    },
    ...planCommands(folders, deps.transfers),
    'modelbench.trash.restore': async (target) => {
      requireTrust(folders);
      if (target && 'branchName' in target) await restoreFromBranchTrash(trash, target);
      else if (target) await restoreOfFolder(deps, target);
      else await restoreOfEither(deps);
    },
    'modelbench.openChange': async (target) => {
      const file = target ?? activeFile(folders);
      if (!file) throw new Hint('Open a file of a linked folder, or choose a change in the Changes view.');
      const { documents, plan } = deps.transfers;
      const { deltas, remote, syncs } = branches;
      const open = plan.open.value;
      if (open?.work && isPlanRow(target)) await openDeployChange({ documents, remote }, open, file);
      else if (!(await openBranchChange({ deltas, documents, remote, syncs }, file))) {
        await openChange({ documents, syncs }, file);
      }
    },
    'modelbench.changes.reveal': async (file) => {
      if (file) await executeBuiltIn('revealInExplorer', fileUri(file));
    },
    'modelbench.openFile': async (file) => {
      if (file) await openFile(file);
    },
    ...maintenanceCommands(folders, trash),
    ...conflictCommands(deps.conflicts),
  };
}

/** Opens a file of a folder; a conflict may have been resolved by deleting it. */
async function openFile(file: FileTarget): Promise<void> {
  const uri = fileUri(file);
  const isThere = await vscode.workspace.fs.stat(uri).then(
    () => true,
    () => false,
  );
  if (!isThere) throw new Hint(`“${baseName(file.path)}” is not in this folder any more.`);
  await executeBuiltIn('vscode.open', uri);
}

/** Compares every folder with its branch, and every dev branch with its parent. */
async function refresh({ branches, transfers }: Pick<SyncCommandDeps, 'branches' | 'transfers'>): Promise<void> {
  const { data, deltas, remote, syncs } = branches;
  await syncs.reconcile();
  for (const { sync } of syncs.all.value) await sync.plan();
  await compareAgain({ data, deltas, syncs, onDidWrite: remote.onDidWrite });
  transfers.documents.refresh();
}

type TransferCommand =
  | `modelbench.${'push' | 'pullFiles'}`
  | `modelbench.sync.${'pause' | 'resume' | 'sendWaiting' | 'choosePush'}`;

/** Returns the handlers that push and pull a folder and choose how its saved files are pushed. */
function transferCommands({
  folders,
  transfers,
  pushMode,
}: Pick<SyncCommandDeps, 'folders' | 'transfers' | 'pushMode'>): Handlers<Pick<SyncCommands, TransferCommand>> {
  const transfer = async (target: FolderTarget | undefined, direction: 'push' | 'pull'): Promise<void> => {
    requireTrust(folders);
    const session = await sessionOrPick(folders, target?.folderId);
    if (!session) return;
    // A user who pushes expects the content of the editors on the branch.
    if (direction === 'push') await saveFilesOf(session);
    await session.sync.flush();
    await planTransfer(transfers, session, direction);
  };
  // Pauses or resumes the automatic transfers of a folder; persists over restarts.
  const pause = async (target: FolderTarget | undefined, isPaused: boolean): Promise<void> => {
    const session = await sessionOrPick(folders, target?.folderId);
    if (!session) return;
    await pushMode.pauses.set(session.folder.folderId, isPaused);
    if (isPaused) session.sync.pause('byUser');
    else session.sync.resume('byUser');
  };
  return {
    'modelbench.push': async (target) => transfer(target, 'push'),
    'modelbench.pullFiles': async (target) => transfer(target, 'pull'),
    'modelbench.sync.pause': async (target) => pause(target, true),
    'modelbench.sync.resume': async (target) => pause(target, false),
    'modelbench.sync.sendWaiting': async (target) => {
      const session = await sessionOrPick(folders, target?.folderId);
      await session?.sync.sendWaiting();
    },
    'modelbench.sync.choosePush': async (target) => {
      const session = await sessionOrPick(folders, target?.folderId);
      if (!session) return;
      const { consent, data } = transfers;
      const wanted = target?.push === undefined ? undefined : target.push === 'automatic';
      await choosePush({ consent, data, saveChoices: pushMode.saveChoices }, session, wanted);
    },
  };
}

type PlanCommand = 'apply' | 'cancel' | 'show' | 'dryRun' | 'dryRunJson';

/** Returns the handlers for the open plan, and for a plan as text. */
function planCommands(
  folders: FolderPicker,
  transfers: TransferDeps,
): Handlers<Pick<SyncCommands, `modelbench.plan.${PlanCommand}`>> {
  const { plan } = transfers;
  return {
    'modelbench.plan.apply': async () => applyPlan(transfers),
    'modelbench.plan.cancel': () => plan.close(),
    'modelbench.plan.show': () => plan.reveal(),
    'modelbench.plan.dryRun': async (target) => dryRun(folders, plan, target, 'plaintext'),
    'modelbench.plan.dryRunJson': async (target) => dryRun(folders, plan, target, 'json'),
  };
}

/** Returns the branch of the document in the active editor, for a command of the palette. */
function activeRemoteBranch({ remote }: Pick<BranchTrashDeps, 'remote'>): BranchTarget | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && remote.targetOf(uri);
}

/** Returns the handlers that resolve conflicts: with the dev branch on the platform, or with another branch after a 409. */
function conflictCommands(deps: ConflictCommandDeps): Handlers<Pick<SyncCommands, ConflictCommand>> {
  const { ofFolder, ofStep } = deps;
  const [inFolders, inSteps] = [folderConflicts(ofFolder), stepConflicts(ofStep)];
  const isInStep = (file: FileTarget): boolean => gitConflictAt(ofStep, file) !== undefined;
  const onConflict =
    (act: (file: FileTarget, conflicts: ShownConflicts) => Promise<unknown>): Handler<FileTarget | DocumentTarget> =>
    async (given, selection) => {
      for (const file of await conflictsOf(deps, given, selection))
        await act(file, isInStep(file) ? inSteps : inFolders);
    };
  return {
    'modelbench.conflict.merge': onConflict(async (file, conflicts) => mergeConflict(ofFolder, conflicts, file)),
    'modelbench.conflict.mine': onConflict(async (file, conflicts) => resolveConflict(conflicts, file, 'mine')),
    'modelbench.conflict.theirs': async (given, selection) => {
      const files = await conflictsOf(deps, given, selection);
      const { ofGit = [], others = [] } = Object.groupBy(files, (file) => (isInStep(file) ? 'ofGit' : 'others'));
      for (const file of ofGit) await resolveConflict(inSteps, file, 'theirs');
      await takeTheirs(ofFolder, inFolders, others);
    },
    'modelbench.conflict.resolved': onConflict(async (file, conflicts) => resolveConflict(conflicts, file, 'merged')),
  };
}

type ConflictCommand = Extract<keyof SyncCommands, `modelbench.conflict.${string}`>;

/** Saves the open files of one linked folder, and no other document. */
async function saveFilesOf({ folder }: SyncSession): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && fileTargetOf(uri, [folder]));
  for (const document of dirty) await requireSaved(document);
}

/**
 * Opens the trash of the branch whose document is in the active editor, or of a folder: the one that holds something. The user chooses
 * where both do, because the command stands in the palette and above the changes of folders.
 */
async function restoreOfEither(deps: Pick<SyncCommandDeps, 'folders' | 'trash'>): Promise<void> {
  const { folders, trash } = deps;
  const branch = activeRemoteBranch(trash);
  if (!branch) return restoreOfFolder(deps, undefined);
  const ofBranch = async (): Promise<void> => restoreFromBranchTrash(trash, branch);
  const ofFolder = async (): Promise<void> => restoreOfFolder(deps, undefined);
  const inFolders = await Promise.all(folders.syncs.all.value.map(async ({ sync }) => (await sync.trashed()).length));
  if (inFolders.every((count) => count === 0)) return ofBranch();
  if ((await trash.branchTrash.list(branch)).length === 0) return ofFolder();
  const items = [
    { label: text`Documents of “${branch.branchName}”`, open: ofBranch },
    { label: text`Linked folder`, open: ofFolder },
  ];
  await (await vscode.window.showQuickPick(items, { placeHolder: text`Which trash?` }))?.open();
}

/** Opens the trash of a folder, of one of its files, or of one run. */
async function restoreOfFolder(
  { folders, trash }: Pick<SyncCommandDeps, 'folders' | 'trash'>,
  folder: FileTarget | TrashTarget | undefined,
): Promise<void> {
  const session = await sessionOrPick(folders, folder?.folderId, async ({ sync }) => (await sync.trashed()).length > 0);
  if (!session) return;
  const only = folder && (isFileTarget(folder) ? { path: folder.path } : { ids: folder.ids });
  await restoreFromTrash(trash, session, only);
}

/** Whether a row belongs to the plan's page, so that it opens the plan's change and not the dev branch's. */
function isPlanRow(target: ChangeTarget | undefined): boolean {
  return target?.id?.startsWith('plan/') === true;
}

async function dryRun(
  folders: FolderPicker,
  { open }: PlanView,
  target: FolderTarget | undefined,
  language: 'plaintext' | 'json',
): Promise<void> {
  // The shown plan, or a new one.
  const shown = target ? undefined : open.value?.plan;
  const session = shown ? undefined : await sessionOrPick(folders, target?.folderId);
  const plan = shown ?? (await session?.sync.plan());
  if (!plan) return;
  const content = language === 'json' ? planJson(plan) : planText(plan);
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { preview: true });
}

async function conflictsOf(
  deps: ConflictCommandDeps,
  given: FileTarget | DocumentTarget | undefined,
  selection: readonly (FileTarget | DocumentTarget)[] | undefined,
): Promise<readonly FileTarget[]> {
  const many = severalFiles(selection);
  if (many.length > 0) return many;
  const one = await conflictOrPick(deps.ofStep, given && ('path' in given ? given : mergedFile(deps, given)));
  return one ? [one] : [];
}

/** Returns the file of a document; the merge editor's menu passes its output file. */
function mergedFile(
  { session }: Pick<ConflictCommandDeps, 'session'>,
  { uri }: DocumentTarget,
): FileTarget | undefined {
  return fileTargetOf(vscode.Uri.parse(uri, true), session.links.value);
}
