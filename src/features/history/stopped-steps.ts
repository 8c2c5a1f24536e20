import { type GitAttempt, isResolved, movedOn, openFiles } from '#features/history/git-attempt.ts';
import type { ResolvedFiles, ResolvedTarget } from '#features/history/resolved-pull.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { UserError } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ResolvedFilesDeps, StoppedStepDeps } from '#features/history/step-ports.ts';

/** The stopped Git step of a folder's branch; of several folders on one branch it belongs to the first. */
export function attemptOf(
  { attempts, syncs }: StoppedStepDeps,
  { folder, target }: SyncSession,
): GitAttempt | undefined {
  return syncs.ofBranch(target)[0]?.folder.folderId === folder.folderId ? attempts.of(target) : undefined;
}

/** Files of a folder that wait for a user since a Git step stopped; one that also differs from the platform comes first as that. */
export function gitConflictsOf(deps: StoppedStepDeps, session: SyncSession): readonly string[] {
  const open = openFiles(attemptOf(deps, session));
  if (open.length === 0) return open;
  const inConflict = new Set(session.sync.status.value.conflicts.map(({ path }) => path));
  return open.filter((path) => !inConflict.has(path));
}

/** The resolved files of a stopped step; files that the other branch has changed since are open again. */
export async function resolvedFiles(
  deps: ResolvedFilesDeps,
  target: BranchTarget,
): Promise<(ResolvedFiles & { readonly place: ResolvedTarget }) | undefined> {
  const attempt = deps.attempts.of(target);
  const [session] = deps.syncs.ofBranch(target);
  if (!attempt || !session) return undefined;
  const from = { ...target, branchName: attempt.from };
  await deps.remote.refresh(from);
  const moved = movedOn(attempt, await deps.branchFiles.list(from));
  if (moved.size > 0) {
    await deps.attempts.reopen(target, moved);
    throw new UserError(
      `“${attempt.from}” changed ${[...moved].join(', ')} again. Resolve that first, then continue.`,
      { title: 'Resolve', command: 'modelbench.conflict.merge' },
    );
  }
  const paths = attempt.files.filter(isResolved).map(({ path }) => path);
  const { folderId } = session.folder;
  return paths.length === 0 ? undefined : { parent: attempt.from, paths, place: { ...target, folderId } };
}
