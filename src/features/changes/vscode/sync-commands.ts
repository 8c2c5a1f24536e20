import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { SyncSession } from '#features/folders/index.ts';
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
import { planJson, planText } from '#sync/core/plan-text.ts';
import {
  activeFile,
  applyPlan,
  fileTargetOf,
  fileUri,
  planTransfer,
  restoreFromBranchTrash,
  restoreFromTrash,
  sessionOrPick,
} from '#features/folders/vscode/index.ts';
import { gitConflictAt } from '#features/history/index.ts';
import {
  conflictOrPick,
  deploy,
  markResolved,
  mergeConflict,
  mergeGitConflict,
  openChange,
  openDeployChange,
  putBack,
  resolveConflict,
  resolveGitConflict,
  takeTheirs,
} from '#features/history/vscode/index.ts';
import { compareAgain } from '#features/changes/watch-deltas.ts';
import { openBranchChange } from './open-branch-change.ts';
import { choosePush } from './push-question.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import type { Handler, Handlers } from '#shell/vscode/register.ts';
import { upkeepCommands } from './upkeep-commands.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';
import type { ConflictCommandDeps, PauseDeps, PlanCommandDeps, SyncCommandDeps, TransferCommandDeps } from './deps.ts';

/** Push, pull, plan and conflicts. */
export function syncCommands(deps: SyncCommandDeps): Handlers<SyncCommands> {
  return {
    'modelbench.changes.refresh': async () => {
      await deps.syncs.reconcile();
      for (const { sync } of deps.syncs.all.value) await sync.plan();
      await compareAgain({ ...deps, onDidWrite: deps.remote.onDidWrite });
      deps.documents.refresh();
    },
    'modelbench.push': async (target) => transferOf(deps, target, 'push'),
    'modelbench.pullFiles': async (target) => transferOf(deps, target, 'pull'),
    'modelbench.sync.pause': async (target) => pauseSync(deps, target, true),
    'modelbench.sync.resume': async (target) => pauseSync(deps, target, false),
    'modelbench.sync.sendWaiting': async (target) => {
      const session = await sessionOrPick(deps, target?.folderId);
      await session?.sync.sendWaiting();
    },
    'modelbench.sync.choosePush': async (target) => {
      const session = await sessionOrPick(deps, target?.folderId);
      if (session)
        await choosePush(deps, session, target?.push === undefined ? undefined : target.push === 'automatic');
    },
    'modelbench.sync.putBack': async (target) => {
      requireTrust(deps);
      const session = await sessionOrPick(deps, target?.folderId);
      if (session) await putBack(deps, session);
    },
    'modelbench.deploy': async (target) => {
      requireTrust(deps);
      await deploy(deps, target);
    },
    ...planCommands(deps),
    'modelbench.trash.restore': async (target) => {
      requireTrust(deps);
      const branch = target ? 'branchName' in target && target : activeRemoteBranch(deps);
      if (branch) await restoreFromBranchTrash(deps, branch);
      else await restoreOfFolder(deps, target && 'folderId' in target ? target : undefined);
    },
    'modelbench.openChange': async (target) => {
      const file = target ?? activeFile(deps);
      if (!file) throw new Hint('Open a file of a linked folder, or choose a change in the Changes view.');
      const open = deps.plan.open.value;
      if (open?.work && isPlanRow(target)) await openDeployChange(deps, open, file);
      else if (!(await openBranchChange(deps, file))) await openChange(deps, file);
    },
    'modelbench.changes.reveal': async (file) => {
      if (file) await executeBuiltIn('revealInExplorer', fileUri(file));
    },
    'modelbench.openFile': async (file) => {
      if (file) await executeBuiltIn('vscode.open', fileUri(file));
    },
    ...upkeepCommands(deps),
    ...conflictCommands(deps),
  };
}

type PlanCommand = 'apply' | 'cancel' | 'show' | 'dryRun' | 'dryRunJson';

/** The open plan, and a plan as a text. */
function planCommands(deps: PlanCommandDeps): Handlers<Pick<SyncCommands, `modelbench.plan.${PlanCommand}`>> {
  return {
    'modelbench.plan.apply': async () => applyPlan(deps),
    'modelbench.plan.cancel': () => deps.plan.close(),
    'modelbench.plan.show': () => deps.plan.reveal(),
    'modelbench.plan.dryRun': async (target) => dryRun(deps, target, 'plaintext'),
    'modelbench.plan.dryRunJson': async (target) => dryRun(deps, target, 'json'),
  };
}

/** The branch of the document in the active editor, for a command of the palette. */
function activeRemoteBranch({ remote }: Pick<SyncCommandDeps, 'remote'>): BranchTarget | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && remote.targetOf(uri);
}

/** How a conflict is resolved: with the platform's version of the dev branch, or with another branch's after a 409. */
function conflictCommands(deps: ConflictCommandDeps): Handlers<Pick<SyncCommands, ConflictCommand>> {
  const onConflict =
    (act: OnConflict, actOnGit: OnConflict): Handler<FileTarget | DocumentTarget> =>
    async (given, selection) => {
      for (const file of await conflictsOf(deps, given, selection)) {
        await (gitConflictAt(deps, file) ? actOnGit : act)(deps, file);
      }
    };
  return {
    'modelbench.conflict.merge': onConflict(mergeConflict, mergeGitConflict),
    'modelbench.conflict.mine': onConflict(
      async (all, file) => {
        await resolveConflict(all, file, 'mine');
      },
      async (all, file) => resolveGitConflict(all, file, 'mine'),
    ),
    'modelbench.conflict.theirs': async (given, selection) => {
      const files = await conflictsOf(deps, given, selection);
      const [ofGit = [], others = []] = [true, false].map((wanted) =>
        files.filter((file) => (gitConflictAt(deps, file) !== undefined) === wanted),
      );
      for (const file of ofGit) await resolveGitConflict(deps, file, 'theirs');
      await takeTheirs(deps, others);
    },
    'modelbench.conflict.resolved': onConflict(markResolved, async (all, file) =>
      resolveGitConflict(all, file, 'merged'),
    ),
  };
}

type ConflictCommand = Extract<keyof SyncCommands, `modelbench.conflict.${string}`>;
type OnConflict = (deps: ConflictCommandDeps, file: FileTarget) => Promise<void>;

/** Holds back, or lets go, what a folder would do automatically; remembered over restarts. */
async function pauseSync(deps: PauseDeps, target: FolderTarget | undefined, isPaused: boolean): Promise<void> {
  const session = await sessionOrPick(deps, target?.folderId);
  if (!session) return;
  await deps.pauses.set(session.folder.folderId, isPaused);
  if (isPaused) session.sync.pause('byUser');
  else session.sync.resume('byUser');
}

async function transferOf(
  deps: TransferCommandDeps,
  target: FolderTarget | undefined,
  direction: 'push' | 'pull',
): Promise<void> {
  requireTrust(deps);
  const session = await sessionOrPick(deps, target?.folderId);
  if (!session) return;
  // A user who pushes means what the editors show.
  if (direction === 'push') await saveFilesOf(session);
  await session.sync.flush();
  await planTransfer(deps, session, direction);
}

/** Saves the open files of one linked folder, and no other document. */
async function saveFilesOf({ folder }: SyncSession): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && fileTargetOf(uri, [folder]));
  for (const document of dirty) await document.save();
}

/** The trash of a folder, of one of its files, or what one run set aside. */
async function restoreOfFolder(deps: SyncCommandDeps, folder: FileTarget | TrashTarget | undefined): Promise<void> {
  const session = await sessionOrPick(deps, folder?.folderId);
  if (!session) return;
  const only = folder && (isFileTarget(folder) ? { path: folder.path } : { ids: folder.ids });
  await restoreFromTrash(deps, session, only);
}

/** A row of the plan's page: what it opens is about the plan, not about the dev branch. */
function isPlanRow(target: ChangeTarget | undefined): boolean {
  return target?.id?.startsWith('plan/') === true;
}

async function dryRun(
  deps: PlanCommandDeps,
  target: FolderTarget | undefined,
  language: 'plaintext' | 'json',
): Promise<void> {
  // The plan that is shown, or a new one.
  const shown = target ? undefined : deps.plan.open.value?.plan;
  const session = shown ? undefined : await sessionOrPick(deps, target?.folderId);
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
  const one = await conflictOrPick(deps, given && ('path' in given ? given : mergedFile(deps, given)));
  return one ? [one] : [];
}

/** The merge editor's own menu passes the file that it merges into. */
function mergedFile(
  { session }: Pick<ConflictCommandDeps, 'session'>,
  { uri }: DocumentTarget,
): FileTarget | undefined {
  return fileTargetOf(vscode.Uri.parse(uri, true), session.links.value);
}
