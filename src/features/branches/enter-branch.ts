import type { SyncSessions } from '#features/folders/index.ts';
import {
  type BuildWatcher,
  deploymentOnly,
  type LinkedFolder,
  type PlatformData,
  type Session,
} from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { BranchTarget, DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';
import { carriedText, stopDevMode } from './dev-mode.ts';

/** The dependencies of entering and leaving dev branches. */
export interface DevModePorts {
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly data: PlatformData;
  readonly operations: Operations;
  readonly session: Session;
  readonly syncs: SyncSessions;
}

/**
 * Enters another dev branch: uploads saved files to the previous one, selects the new one and follows its build. `unsavedIn`
 * counts the unsaved editors of folders. Resolves to the branch and a text about the changes that are carried over to it.
 */
export async function enterBranch(
  { builds, operations, session, syncs }: DevModePorts,
  { target, label, unsavedIn }: EnteredBranch,
  work: () => Promise<BranchTarget>,
): Promise<{ readonly entered: BranchTarget; readonly carried: string }> {
  // Pending uploads belong to the branch on which they were saved.
  for (const { sync } of syncs.all.value) await sync.flush();
  const folders = session.foldersOf(target);
  const sessions = folders.flatMap(({ folderId }) => syncs.ofFolder(folderId) ?? []);
  const files = sessions.reduce((sum, { sync }) => sum + sync.status.value.localChanges.length, 0);
  const carried = carriedText(session.activeBranch(target), { files, unsaved: unsavedIn(folders) });
  const entered = await operations.run({ label, key: keyOf(target), run: work });
  await session.select(entered);
  void builds.follow(entered);
  return { entered, carried };
}

export interface EnteredBranch {
  readonly target: DeploymentTarget;
  readonly label: string;
  readonly unsavedIn: (folders: readonly LinkedFolder[]) => number;
}

/** A dev branch that a window has left, and the one on which another window has dev mode since. */
export interface LeftBranch {
  readonly branchName: string;
  readonly other: string | undefined;
}

/** Uploads saved files, then leaves the dev branch of the given deployment, or of the shown one. */
export async function leaveBranch(ports: DevModePorts, given: DeploymentTarget | undefined): Promise<LeftBranch> {
  const { operations, session, syncs } = ports;
  const target = given ?? session.active.value;
  const branch = target && session.activeBranch(target);
  if (!target || branch === undefined) throw new Hint('Dev mode is not on: there is nothing to stop.');
  for (const { sync } of syncs.ofBranch({ ...deploymentOnly(target), branchName: branch })) await sync.flush();
  const other = await operations.run({
    label: `Stopping dev mode on ${branch}`,
    key: keyOf(target),
    run: async () => stopDevMode(ports, target),
  });
  return { branchName: branch, other };
}

const keyOf = ({ accountId, deploymentId }: DeploymentTarget): string => `devMode ${accountId} ${deploymentId}`;
