import { openDiff } from '#shell/vscode/guarded/diff.ts';
import * as vscode from '#shell/vscode/guarded/vscode.ts';
import { text, textOf } from '#base/user-text.ts';
import { commonLines } from '#base/merge-lines.ts';
import { baseName } from '#base/path.ts';
import { plural } from '#base/words.ts';
import { type GitAttempt, openFiles, stepWords } from '#features/history/git-attempt.ts';
import type { GitConflict } from '#features/history/git-workflow.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { UserError } from '#shell/user-error.ts';
import type { CommandId } from '#shell/commands/commands.ts';
import type { BranchTarget, FileTarget } from '#shell/targets.ts';
import { views } from '#shell/view-ids.ts';
import type { Resolution } from '#sync/core/folder-sync.ts';
import { fileUri } from '#features/folders/vscode/folder-uris.ts';
import type { BegunMerge } from '#features/folders/vscode/begun-merges.ts';
import { finishedText } from './conflicts.ts';
import { closeMergeEditor } from '#shell/vscode/merge-editor.ts';
import { undoMerge } from './merge-ends.ts';
import { beginMerge } from './merge-session.ts';
import { gitConflictsOf } from './stopped-steps.ts';
import { mayUpload } from '#features/folders/vscode/upload-consent.ts';
import { execute, focusView } from '#shell/vscode/guarded/commands.ts';
import type { GitConflictDeps, MergeUndoDeps, SettledFilesDeps, StoppedStepDeps } from './deps.ts';

/**
 * Takes note of a 409 of commit, pull or merge: nothing was changed. Files that the platform names become conflicts in the
 * Changes view until the step went through; where it names none, the platform’s own words say what is in the way.
 */
export async function stoppedByConflict(
  deps: StoppedStepDeps,
  target: BranchTarget,
  conflict: GitConflict,
  asked: Pick<GitAttempt, 'step' | 'from' | 'options'> & { readonly label: string },
): Promise<void> {
  if (conflict.paths.length === 0) {
    const isPull = asked.step === 'pull';
    await offer(conflict.message, {
      ...(isPull ? {} : { 'Pull from Parent': 'modelbench.pull' }),
      'Try Again': stepCommands[asked.step],
      Refresh: 'modelbench.branches.refresh',
    });
    return;
  }
  const folder = deps.syncs.ofBranch(target)[0]?.folder;
  const { label, ...step } = asked;
  const message = `Git conflict in ${plural(conflict.paths.length, 'file')}, nothing was changed. ${label} stopped: ${conflict.message}`;
  if (step.from === '') {
    await offer(`${message} This branch no longer has a parent on the platform.`, {
      'Refresh Branches': 'modelbench.branches.refresh',
    });
    return;
  }
  if (!folder) {
    await offer(`${message} Link a folder to resolve the conflict.`, { 'Link Folder': 'modelbench.linkFolder' });
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

const stepCommands = {
  commit: 'modelbench.commit',
  pull: 'modelbench.pull',
  merge: 'modelbench.merge',
  mergeToDefault: 'modelbench.mergeToDefault',
} as const satisfies Readonly<Record<GitAttempt['step'], CommandId>>;

interface GitConflictAt {
  readonly session: SyncSession;
  /** The branch whose version is in conflict with the dev branch's. */
  readonly from: BranchTarget;
}

/** The Git conflict of a file; `undefined` where it has none, or is to be settled with the platform first. */
export function gitConflictAt(deps: StoppedStepDeps, file: FileTarget): GitConflictAt | undefined {
  const session = deps.syncs.ofFolder(file.folderId);
  const attempt = session && deps.attempts.of(session.target);
  if (!attempt || !gitConflictsOf(deps, session).includes(file.path)) return undefined;
  return { session, from: { ...session.target, branchName: attempt.from } };
}

/** Opens the merge editor on the dev branch's and the other branch's version; a diff where one of them has no such file. */
export async function mergeGitConflict(deps: GitConflictDeps, file: FileTarget): Promise<void> {
  const { from } = conflictAt(deps, file);
  const theirs = await versionOn(deps, from, file.path);
  const uri = deps.remote.uri(from, file.path);
  const isHere = await vscode.workspace.fs.stat(fileUri(file)).then(
    () => true,
    () => false,
  );
  if (theirs && isHere) {
    const theirSide = { uri, title: from.branchName, description: text`its version on the platform` };
    const merge = { remote: theirs.hash, theirs: theirs.content, base: commonLines, theirSide };
    if (await beginMerge(deps, file, merge)) return;
  }
  const empty = deps.documents.uri(file, 'empty');
  const title = text`${baseName(file.path)} (${from.branchName}${theirs ? '' : ': deleted'} ↔ Local${isHere ? '' : ': deleted'})`;
  await openDiff(theirs ? uri : empty, isHere ? fileUri(file) : empty, title);
}

/** Settles a file with the dev branch's version, the other branch's, or the file as it is now. */
export async function settleGitConflict(deps: GitConflictDeps, file: FileTarget, choice: Choice): Promise<void> {
  const { session, from } = conflictAt(deps, file);
  if (!(await mayUpload(deps, session.target))) return;
  const name = baseName(file.path);
  const begun = deps.merges.of(file);
  if (choice === 'merged' && !(await isFinished(file, begun?.mine, from))) return;
  const theirs = await versionOn(deps, from, file.path);
  if (choice === 'merged') checkSame(begun, theirs, `“${name}” changed on ${from.branchName} again.`);
  const version = { merged: undefined, mine: begun?.mine, theirs: theirs?.content ?? null }[choice];
  await deps.merges.end(file);
  try {
    await deps.operations.run({
      label: text`Resolving ${name}`,
      key: file.folderId,
      run: async ({ signal }) => send(session, file, version, signal),
    });
  } catch (error) {
    if (begun) await deps.merges.keep(file, begun);
    throw error;
  }
  await deps.attempts.settle(session.target, file.path, theirs?.hash ?? '');
  await closeMergeEditor(fileUri(file));
  vscode.window.setStatusBarMessage(text`$(check) Resolved ${name}; ${restOf(deps, session)}`, 5000);
}

/** A merge with an earlier version of the other branch leaves something out. */
function checkSame(begun: BegunMerge | undefined, theirs: { readonly hash: string } | undefined, moved: string): void {
  if (begun && begun.remote !== theirs?.hash) throw new UserError(`${moved} Open the merge editor again.`);
}

type Choice = 'mine' | 'theirs' | 'merged';

/** Gives a stopped step up: nothing of it is on the platform, and files keep what was settled in them. */
export async function abortStep(deps: StoppedStepDeps & MergeUndoDeps, target: BranchTarget): Promise<void> {
  const attempt = deps.attempts.of(target);
  if (!attempt) throw new UserError('This branch has no unfinished commit, pull or merge.');
  for (const { folder } of deps.syncs.ofBranch(target)) {
    for (const path of openFiles(attempt)) await undoMerge(deps, { folderId: folder.folderId, path });
  }
  await deps.attempts.end(target);
  vscode.window.setStatusBarMessage(
    text`$(check) The ${stepWords(attempt)} was aborted; your files stay as they are`,
    5000,
  );
}

/** The file as it is, saved and without marks of a conflict; one that is as it was would overrule the other branch. */
async function isFinished(
  file: FileTarget,
  before: string | undefined,
  { branchName }: BranchTarget,
): Promise<boolean> {
  const text = new TextDecoder().decode(await finishedText(file));
  if (text !== before) return true;
  const keep = 'Keep Mine';
  const title = `“${baseName(file.path)}” is as it was before the merge. Keep your version?`;
  const detail = `What “${branchName}” changed on the same lines is then lost on your branch.`;
  return (
    (await vscode.window.showWarningMessage(textOf(title), { modal: true, detail: textOf(detail) }, keep)) === keep
  );
}

/** Brings a version (`null`: no file; `undefined`: what the folder has) into the folder and onto the dev branch. */
async function send(
  { sync }: SyncSession,
  file: FileTarget,
  version: string | null | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (version === null) await vscode.workspace.fs.delete(fileUri(file), { useTrash: true });
  await sync.flush();
  const choice: Resolution = typeof version === 'string' ? { merged: new TextEncoder().encode(version) } : 'mine';
  const isSent = !(await sync.plan({ signal })).entries.some(({ path }) => path === file.path);
  if (choice === 'mine' && isSent) return;
  const { status, message } = await sync.resolve(file.path, choice, { signal });
  if (status !== 'done') throw new UserError(message);
}

async function versionOn(
  deps: SettledFilesDeps,
  from: BranchTarget,
  path: string,
): Promise<{ readonly hash: string; readonly content: string } | undefined> {
  await deps.remote.refresh(from);
  const content = await deps.branchFiles.text(from, path);
  const hash = (await deps.branchFiles.list(from)).get(path)?.hash;
  return content === undefined || hash === undefined ? undefined : { hash, content };
}

function conflictAt(deps: StoppedStepDeps, file: FileTarget): GitConflictAt {
  const conflict = gitConflictAt(deps, file);
  if (conflict) return conflict;
  throw new UserError(`“${baseName(file.path)}” is no longer in conflict.`);
}

function restOf(deps: StoppedStepDeps, session: SyncSession): string {
  const left = gitConflictsOf(deps, session).length;
  const attempt = deps.attempts.of(session.target);
  return left > 0 || !attempt ? `${left} left` : `the ${stepWords(attempt)} can continue`;
}

async function offer(message: string, actions: Readonly<Record<string, CommandId>>): Promise<void> {
  const buttons = Object.keys(actions).map((title) => textOf(title));
  const answer = await vscode.window.showWarningMessage(textOf(message), ...buttons);
  const command = answer === undefined ? undefined : actions[answer];
  if (command !== undefined) await execute(command);
}
