import { type GitAttempt, movedOn, openFiles } from '#features/history/git-attempt.ts';
import type { ResolvedFiles, ResolvedTarget } from '#features/history/resolved-pull.ts';
import type { SyncSession } from '#features/folders/index.ts';
import { Hint } from '#shell/user-error.ts';
import type { BranchTarget } from '#shell/targets.ts';
import type { ResolvedFilesDeps, StoppedStepDeps } from '#features/history/step-ports.ts';

/** Returns the stopped Git step of a folder's branch; if several folders are on the branch, it belongs to the first. */
export function attemptOf(
  { attempts, syncs }: StoppedStepDeps,
  { folder, target }: SyncSession,
): GitAttempt | undefined {
  return syncs.ofBranch(target)[0]?.folder.folderId === folder.folderId ? attempts.of(target) : undefined;
}

/**
 * Returns the unresolved files of a folder after a Git step stopped, except files that first have a conflict with the platform.
 */
export function gitConflictsOf(deps: StoppedStepDeps, session: SyncSession): readonly string[] {
  const open = openFiles(attemptOf(deps, session));
  if (open.length === 0) return open;
  const inConflict = new Set(session.sync.status.value.conflicts.map(({ path }) => path));
  return open.filter((path) => !inConflict.has(path));
}

/**
 * Resolves to the resolved files of a stopped step. Throws `UserError` if the other branch has changed some of them since, and
 * marks these as open.
 */
export async function resolvedFiles(
  deps: ResolvedFilesDeps,
  target: BranchTarget,
): Promise<(ResolvedFiles & { readonly target: ResolvedTarget }) | undefined> {
  const attempt = deps.attempts.of(target);
  const [session] = deps.syncs.ofBranch(target);
  if (!attempt || !session) return undefined;
  const from = { ...target, branchName: attempt.from };
  await deps.remote.refresh(from);
  const moved = movedOn(attempt, await deps.branchFiles.list(from));
  if (moved.size > 0) {
    await deps.attempts.reopen(target, moved);
    throw new Hint(`“${attempt.from}” changed ${[...moved].join(', ')} again. Resolve that first, then continue.`, {
      title: 'Resolve',
      command: 'modelbench.conflict.merge',
    });
  }
  const against = new Map(
    attempt.files.flatMap(({ path, resolvedAgainst }) =>
      resolvedAgainst === undefined ? [] : [[path, resolvedAgainst] as const],
    ),
  );
  const { folderId } = session.folder;
  return against.size === 0 ? undefined : { parent: attempt.from, against, target: { ...target, folderId } };
}
