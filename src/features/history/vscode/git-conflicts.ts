import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { decodedText } from '#base/decoded-text.ts';
import { text, textOf } from '#base/user-text.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { type AskedStep, type GitAttempt, openFiles, stepText } from '#features/history/git-attempt.ts';
import type { GitConflict } from '#features/history/git-workflow.ts';
import type { GitCommands } from '#shell/commands/commands.ts';
import type { BranchTarget, FileTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import { fileUri } from '#features/folders/vscode/index.ts';
import { bytesOf, finishedText, type ShownConflicts } from './conflicts.ts';
import { nothingUnfinished } from '#features/history/continue-step.ts';
import { StepConflicts } from '#features/history/step-conflicts.ts';
import { undoMerge } from './end-merge.ts';
import { conflictAt, versionOn } from '#features/history/resolve-git-conflict.ts';
import { execute, focusView } from '#shell/vscode/guarded/commands.ts';
import type { GitConflictDeps, MergeUndoDeps } from './deps.ts';
import type { StoppedStepDeps } from '#features/history/step-ports.ts';
import { exists } from '#shell/vscode/files-on-disk.ts';
import { confirmed, warnAndOffer } from '#shell/vscode/questions.ts';

/**
 * Handles a 409 of commit, pull or merge: nothing was changed. Files that the platform names become conflicts in the Changes view
 * until the step succeeds; if it names none, the user sees the platform’s message.
 */
export async function stoppedByConflict(
  deps: StoppedStepDeps,
  target: BranchTarget,
  conflict: GitConflict,
  asked: AskedStep & { readonly label: string },
): Promise<void> {
  const { label, ...step } = asked;
  if (conflict.paths.length === 0) {
    await stoppedWithoutFiles(deps, target, conflict, step);
    return;
  }
  const folder = deps.syncs.ofBranch(target)[0]?.folder;
  // The platform's own message is in the log.
  const message = `${label} stopped: Git conflict in ${plural(conflict.paths.length, 'file')}, nothing was changed.`;
  if (step.from === '') {
    await warnAndOffer(`${message} This branch no longer has a parent on the platform.`, [
      { title: 'Refresh Branches', command: 'modelbench.branches.refresh' },
    ]);
    return;
  }
  if (!folder) {
    const { accountId, deploymentId } = target;
    await warnAndOffer(`${message} Link a folder to resolve the conflict.`, [
      { title: 'Link Folder', command: 'modelbench.linkFolder', argument: { accountId, deploymentId } },
    ]);
    return;
  }
  await deps.attempts.stopped(target, conflict, step);
  const show = 'Show Conflicts';
  if ((await vscode.window.showWarningMessage(textOf(message), show)) !== show) return;
  await focusView(views.changes);
  const [first] = openFiles(deps.attempts.of(target));
  const file = first === undefined ? undefined : { folderId: folder.folderId, path: first };
  if (file) await execute('modelbench.conflict.merge', file);
}

/**
 * Handles a 409 without files: the parent has probably moved. A commit or merge into it continues after a pull, with its message,
 * even if the user pulls later: the notification always offers the remaining action.
 */
async function stoppedWithoutFiles(
  deps: StoppedStepDeps,
  target: BranchTarget,
  conflict: GitConflict,
  asked: AskedStep,
): Promise<void> {
  const { step, from } = asked;
  const isCommitted = step === 'commit' || step === 'merge' || conflict.from !== undefined;
  const canContinue = isCommitted && from !== '';
  if (canContinue) await deps.attempts.stopped(target, conflict, asked);
  // The window may be on another branch by then, so each button names the branch of the step.
  const next = { title: 'Pull and Continue', command: 'modelbench.git.continue', argument: target } as const;
  await warnAndOffer(conflict.message, [
    ...(canContinue ? [next] : []),
    { title: 'Try Again', command: stepCommands[step], argument: target },
    { title: 'Refresh', command: 'modelbench.branches.refresh' },
  ]);
}

const stepCommands = {
  commit: 'modelbench.commit',
  pull: 'modelbench.pull',
  merge: 'modelbench.merge',
  mergeToDefault: 'modelbench.mergeToDefault',
} as const satisfies Readonly<Record<GitAttempt['step'], GitCommandId>>;

type GitCommandId = keyof GitCommands;

/** Returns the conflicts of dev branches with another branch, after a Git step stopped at them. */
export function stepConflicts({ mayUpload, documents, remote, ...steps }: GitConflictDeps): ShownConflicts {
  const ports = { ...steps, remote };
  const { open, resolve } = new StepConflicts({
    steps: ports,
    exists: isHere,
    editorOf: (file) => ({
      mayUpload,
      isFinished: async (before, from) => isFinished(file, before, from),
      bytes: async () => bytesOf(file),
      trash: async () => vscode.workspace.fs.delete(fileUri(file), { useTrash: true }),
    }),
  });
  return {
    open,
    resolve,
    theirSide: (file) => {
      const { from } = conflictAt(ports, file);
      return {
        uri: remote.uri(from, file.path),
        title: from.branchName,
        description: text`its version on the platform`,
      };
    },
    showDifference: async (file) => {
      const { from } = conflictAt(ports, file);
      const [isThere, here] = await Promise.all([versionOn(ports, from, file.path), isHere(file)]);
      const empty = documents.uri(file, 'empty');
      const title = text`${baseName(file.path)} (${from.branchName}${isThere ? '' : ': deleted'} ↔ Local${here ? '' : ': deleted'})`;
      await openDiff(isThere ? remote.uri(from, file.path) : empty, here ? fileUri(file) : empty, title);
    },
  };
}

async function isHere(file: FileTarget): Promise<boolean> {
  return exists(fileUri(file));
}

/** Aborts a stopped step: the platform has nothing of it, and files keep what was resolved in them. */
export async function abortStep(deps: StoppedStepDeps & MergeUndoDeps, target: BranchTarget): Promise<void> {
  const attempt = deps.attempts.of(target);
  if (!attempt) throw nothingUnfinished(target);
  for (const { folder } of deps.syncs.ofBranch(target)) {
    for (const path of openFiles(attempt)) await undoMerge(deps, { folderId: folder.folderId, path });
  }
  await deps.attempts.end(target);
  vscode.window.setStatusBarMessage(
    text`$(check) The ${stepText(attempt)} was aborted; your files stay as they are`,
    5000,
  );
}

/**
 * Resolves to whether the file is saved, has no conflict markers and is merged. Asks if it still equals the version before the
 * merge, which would overrule the other branch.
 */
async function isFinished(
  file: FileTarget,
  before: string | undefined,
  { branchName }: BranchTarget,
): Promise<boolean> {
  if (decodedText(await finishedText(file)) !== before) return true;
  return confirmed(
    text`“${baseName(file.path)}” is as it was before the merge. Keep your version?`,
    text`Keep Mine`,
    text`What “${branchName}” changed on the same lines is then lost on your branch.`,
  );
}
