import * as vscode from '#shell/vscode/guarded/vscode.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { UserError } from '#shell/user-error.ts';
import type { SyncCommands } from '#shell/commands/commands.ts';
import {
  type BranchTarget,
  type ChangeTarget,
  type DocumentTarget,
  type FileTarget,
  type FolderTarget,
  isFileTarget,
} from '#shell/targets.ts';
import { planJson, planText } from '#sync/core/plan-text.ts';
import { fileTargetOf, fileUri } from '#features/folders/vscode/folder-uris.ts';
import type { Services } from '#compose/services.ts';
import {
  conflictOrPick,
  markResolved,
  mergeConflict,
  resolveConflict,
  takeTheirs,
} from '#features/history/vscode/conflicts.ts';
import { gitConflictAt, mergeGitConflict, settleGitConflict } from '#features/history/vscode/git-conflicts.ts';
import { deploy, openDeployChange } from '#features/history/vscode/deploy.ts';
import { openChange } from '#features/history/vscode/open-change.ts';
import { choosePush } from './push-question.ts';
import { putBack } from '#features/history/vscode/put-back.ts';
import { applyPlan, planTransfer } from '#features/folders/vscode/transfer.ts';
import { restoreFromBranchTrash, restoreFromTrash } from '#features/folders/vscode/trash.ts';
import { requireTrust } from '#shell/vscode/trust.ts';
import { activeFile, sessionOrPick } from '#features/folders/vscode/choose-session.ts';
import { type Handler, type Handlers, selectedRows } from '#shell/vscode/register.ts';
import { upkeepCommands } from './upkeep-commands.ts';
import { executeBuiltIn } from '#shell/vscode/guarded/commands.ts';

/** Push, pull, plan and conflicts. */
export function syncCommands(services: Services): Handlers<SyncCommands> {
  return {
    'modelbench.changes.refresh': async () => {
      await services.syncs.reconcile();
      for (const { sync } of services.syncs.all.value) await sync.plan();
      services.documents.refresh();
    },
    'modelbench.push': async (target) => transferOf(services, target, 'push'),
    'modelbench.pullFiles': async (target) => transferOf(services, target, 'pull'),
    'modelbench.sync.pause': async (target) => pauseSync(services, target, true),
    'modelbench.sync.resume': async (target) => pauseSync(services, target, false),
    'modelbench.sync.sendWaiting': async (target) => {
      const session = await sessionOrPick(services, target?.folderId);
      await session?.sync.sendWaiting();
    },
    'modelbench.sync.choosePush': async (target) => {
      const session = await sessionOrPick(services, target?.folderId);
      if (session) await choosePush(services, session);
    },
    'modelbench.sync.putBack': async (target) => {
      requireTrust(services);
      const session = await sessionOrPick(services, target?.folderId);
      if (session) await putBack(services, session);
    },
    'modelbench.deploy': async (target) => {
      requireTrust(services);
      await deploy(services, target);
    },
    ...planCommands(services),
    'modelbench.trash.restore': async (target) => {
      requireTrust(services);
      const branch = target ? 'branchName' in target && target : activeRemoteBranch(services);
      if (branch) {
        await restoreFromBranchTrash(services, branch);
        return;
      }
      const folder = target && 'folderId' in target ? target : undefined;
      const session = await sessionOrPick(services, folder?.folderId);
      if (session) await restoreFromTrash(services, session, folder && isFileTarget(folder) ? folder.path : undefined);
    },
    'modelbench.openChange': async (target) => {
      const file = target ?? activeFile(services);
      if (!file) throw new UserError('Open a file of a linked folder, or choose a change in the Changes view.');
      const open = services.plan.open.value;
      if (open?.work && isPlanRow(target)) await openDeployChange(services, open, file);
      else await openChange(services, file);
    },
    'modelbench.openFile': async (file) => {
      if (file) await executeBuiltIn('vscode.open', fileUri(file));
    },
    ...upkeepCommands(services),
    ...conflictCommands(services),
  };
}

type PlanCommand = 'apply' | 'cancel' | 'toggle' | 'dryRun' | 'dryRunJson';

/** The open plan, and a plan as a text. */
function planCommands(services: Services): Handlers<Pick<SyncCommands, `modelbench.plan.${PlanCommand}`>> {
  return {
    'modelbench.plan.apply': async () => applyPlan(services),
    'modelbench.plan.cancel': () => services.plan.close(),
    'modelbench.plan.toggle': (row, selection) => {
      services.plan.toggle(new Set(selectedRows(row, selection).map(({ id }) => id)));
    },
    'modelbench.plan.dryRun': async (target) => dryRun(services, target, 'plaintext'),
    'modelbench.plan.dryRunJson': async (target) => dryRun(services, target, 'json'),
  };
}

/** The branch of the document in the active editor, for a command of the palette. */
function activeRemoteBranch({ remote }: Services): BranchTarget | undefined {
  const uri = vscode.window.activeTextEditor?.document.uri;
  return uri && remote.targetOf(uri);
}

/** What settles a conflict: with the platform's version of the dev branch, or with another branch's after a 409. */
function conflictCommands(services: Services): Handlers<Pick<SyncCommands, ConflictCommand>> {
  const onConflict =
    (act: OnConflict, actOnGit: OnConflict): Handler<FileTarget | DocumentTarget> =>
    async (given, selection) => {
      for (const file of await conflictsOf(services, given, selection)) {
        await (gitConflictAt(services, file) ? actOnGit : act)(services, file);
      }
    };
  return {
    'modelbench.conflict.merge': onConflict(mergeConflict, mergeGitConflict),
    'modelbench.conflict.mine': onConflict(
      async (all, file) => {
        await resolveConflict(all, file, 'mine');
      },
      async (all, file) => settleGitConflict(all, file, 'mine'),
    ),
    'modelbench.conflict.theirs': async (given, selection) => {
      const files = await conflictsOf(services, given, selection);
      const [ofGit = [], others = []] = [true, false].map((wanted) =>
        files.filter((file) => (gitConflictAt(services, file) !== undefined) === wanted),
      );
      for (const file of ofGit) await settleGitConflict(services, file, 'theirs');
      await takeTheirs(services, others);
    },
    'modelbench.conflict.resolved': onConflict(markResolved, async (all, file) =>
      settleGitConflict(all, file, 'merged'),
    ),
  };
}

type ConflictCommand = Extract<keyof SyncCommands, `modelbench.conflict.${string}`>;
type OnConflict = (services: Services, file: FileTarget) => Promise<void>;

/** Holds back, or lets go, what a folder would do automatically; remembered over restarts. */
async function pauseSync(services: Services, target: FolderTarget | undefined, isPaused: boolean): Promise<void> {
  const session = await sessionOrPick(services, target?.folderId);
  if (!session) return;
  await services.pauses.set(session.folder.folderId, isPaused);
  if (isPaused) session.sync.pause('byUser');
  else session.sync.resume('byUser');
}

async function transferOf(
  services: Services,
  target: FolderTarget | undefined,
  direction: 'push' | 'pull',
): Promise<void> {
  requireTrust(services);
  const session = await sessionOrPick(services, target?.folderId);
  if (!session) return;
  // A user who pushes means what the editors show.
  if (direction === 'push') await saveFilesOf(session);
  await session.sync.flush();
  await planTransfer(services, session, direction);
}

/** Saves the open files of one linked folder, and no other document. */
async function saveFilesOf({ folder }: SyncSession): Promise<void> {
  const dirty = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && fileTargetOf(uri, [folder]));
  for (const document of dirty) await document.save();
}

/** A row of the plan's view: what it opens is about the plan, not about the dev branch. */
function isPlanRow(target: ChangeTarget | undefined): boolean {
  return target?.id?.startsWith('plan/') === true;
}

async function dryRun(
  services: Services,
  target: FolderTarget | undefined,
  language: 'plaintext' | 'json',
): Promise<void> {
  // The plan that is shown, or a new one.
  const shown = target ? undefined : services.plan.open.value?.plan;
  const session = shown ? undefined : await sessionOrPick(services, target?.folderId);
  const plan = shown ?? (await session?.sync.plan());
  if (!plan) return;
  const content = language === 'json' ? planJson(plan) : planText(plan);
  const document = await vscode.workspace.openTextDocument({ language, content });
  await vscode.window.showTextDocument(document, { preview: true });
}

async function conflictsOf(
  services: Services,
  given: FileTarget | DocumentTarget | undefined,
  selection: readonly (FileTarget | DocumentTarget)[] = [],
): Promise<readonly FileTarget[]> {
  const many = selection.filter((row) => 'path' in row);
  if (many.length > 1) return many;
  const one = await conflictOrPick(services, given && ('path' in given ? given : mergedFile(services, given)));
  return one ? [one] : [];
}

/** The merge editor's own menu passes the file that it merges into. */
function mergedFile({ session }: Services, { uri }: DocumentTarget): FileTarget | undefined {
  return fileTargetOf(vscode.Uri.parse(uri, true), session.links.value);
}
