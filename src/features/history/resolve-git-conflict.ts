import { encodedText } from '#base/encoded-text.ts';
import { baseName } from '#base/path.ts';
import { text } from '#base/user-text.ts';
import type { FileVersion, SyncSession } from '#features/folders/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget, FileTarget } from '#shell/targets.ts';
import { Hint, UserError } from '#shell/user-error.ts';
import type { Resolution } from '#sync/core/folder-sync.ts';
import type { ConflictChoice } from './conflict-source.ts';
import type { BegunMergesPort } from './folder-conflicts.ts';
import type { ResolvedFilesDeps, StoppedStepDeps } from './step-ports.ts';
import { gitConflictsOf } from './stopped-steps.ts';

interface GitConflictAt {
  readonly session: SyncSession;
  /** The branch whose version conflicts with the dev branch's. */
  readonly from: BranchTarget;
}

/** The dependencies of {@link resolveInStep}. */
export interface ResolvePorts extends ResolvedFilesDeps {
  readonly operations: Operations;
  readonly merges: BegunMergesPort;
}

/** The questions to the user and the file operations of a resolution. */
export interface ResolveEditor {
  readonly mayUpload: (target: BranchTarget) => Promise<boolean>;
  /** Resolves to whether the file is saved and merged; `before` is the local version that the merge began with. */
  readonly isFinished: (before: string | undefined, from: BranchTarget) => Promise<boolean>;
  /** Resolves to the bytes of the file on disk; empty if there is no file. */
  readonly bytes: () => Promise<Uint8Array>;
  /** Moves the file to the trash. */
  readonly trash: () => Promise<void>;
}

/** Returns the Git conflict of a file; `undefined` if it has none, or must first be resolved against the platform. */
export function gitConflictAt(deps: StoppedStepDeps, file: FileTarget): GitConflictAt | undefined {
  const session = deps.syncs.ofFolder(file.folderId);
  const attempt = session && deps.attempts.of(session.target);
  if (!attempt || !gitConflictsOf(deps, session).includes(file.path)) return undefined;
  return { session, from: { ...session.target, branchName: attempt.from } };
}

/** As {@link gitConflictAt}; throws `UserError` if the file is no longer in conflict. */
export function conflictAt(deps: StoppedStepDeps, file: FileTarget): GitConflictAt {
  const conflict = gitConflictAt(deps, file);
  if (conflict) return conflict;
  throw new Hint(`“${baseName(file.path)}” is no longer in conflict.`);
}

/** Resolves to a file as the branch has it now; `undefined` if it has none. */
export async function versionOn(
  { remote, branchFiles }: ResolvedFilesDeps,
  from: BranchTarget,
  path: string,
): Promise<FileVersion | undefined> {
  await remote.refresh(from);
  return branchFiles.version(from, path);
}

/**
 * Resolves a file of a stopped step: writes the chosen version to the folder and the dev branch. Resolves to the folder's
 * session, or to `undefined` if the user cancels. If the version cannot be uploaded, a merge in progress stays in progress.
 */
export async function resolveInStep(
  deps: ResolvePorts,
  editor: ResolveEditor,
  file: FileTarget,
  choice: ConflictChoice,
): Promise<SyncSession | undefined> {
  const { session, from } = conflictAt(deps, file);
  if (!(await editor.mayUpload(session.target))) return undefined;
  const name = baseName(file.path);
  const begun = deps.merges.of(file);
  const isMerge = choice === 'merged';
  if (isMerge && !(await editor.isFinished(begun?.mine, from))) return undefined;
  const theirs = await versionOn(deps, from, file.path);
  if (isMerge && begun) requireSame(begun.remote, theirs, `“${name}” changed on ${from.branchName} again.`);
  const mine = choice === 'mine' && begun ? encodedText(begun.mine, await editor.bytes()) : undefined;
  const other = theirs ? new TextEncoder().encode(theirs.content) : null;
  const version = { merged: undefined, mine, theirs: other }[choice];
  await deps.merges.end(file);
  try {
    await deps.operations.run({
      label: text`Resolving ${name}`,
      key: file.folderId,
      run: async ({ signal }) => {
        if (version === null) await editor.trash();
        await send(session, file, version ?? undefined, signal);
      },
    });
  } catch (error) {
    if (begun) await deps.merges.keep(file, begun);
    throw error;
  }
  await deps.attempts.resolve(session.target, file.path, theirs?.hash ?? '');
  return session;
}

/** Throws `UserError` if the merge used an earlier version of the other branch, because it would lose the later changes. */
function requireSame(merged: string, now: { readonly hash: string } | undefined, changed: string): void {
  if (merged !== now?.hash) throw new UserError(`${changed} Open the merge editor again.`);
}

/** Writes a version (`undefined`: the folder's own) to the folder and the dev branch. */
async function send(
  { sync }: SyncSession,
  { path }: FileTarget,
  version: Uint8Array | undefined,
  signal: AbortSignal,
): Promise<void> {
  await sync.flush();
  const choice: Resolution = version === undefined ? 'mine' : { merged: version };
  const isSent = !(await sync.plan({ signal })).entries.some((entry) => entry.path === path);
  if (choice === 'mine' && isSent) return;
  const { status, message } = await sync.resolve(path, choice, { signal });
  if (status !== 'done') throw new UserError(message);
}
