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

/** What entering and leaving dev branches needs. */
export interface DevModePorts {
  readonly builds: Pick<BuildWatcher, 'follow'>;
  readonly data: PlatformData;
  readonly operations: Operations;
  readonly session: Session;
  readonly syncs: SyncSessions;
}

/**
 * Enters another dev branch: sends what is saved to the one that is left, selects the new one and follows its build.
 * `unsavedIn` counts the editors of folders that are not saved. Answers the branch, and in words what is carried over to it.
 */
export async function enterBranch(
  { builds, operations, session, syncs }: DevModePorts,
  { target, label, unsavedIn }: EnteredBranch,
  work: () => Promise<BranchTarget>,
): Promise<{ readonly entered: BranchTarget; readonly carried: string }> {
  // Saves that still wait belong to the branch they were made on.
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

/** Leaves the dev branch of a deployment, or of the shown one, after what is saved was sent. Answers the branch's name. */
export async function leaveBranch(ports: DevModePorts, given: DeploymentTarget | undefined): Promise<string> {
  const { operations, session, syncs } = ports;
  const target = given ?? session.active.value;
  const branch = target && session.activeBranch(target);
  if (!target || branch === undefined) throw new Hint('Dev mode is not on: there is nothing to stop.');
  for (const { sync } of syncs.ofBranch({ ...deploymentOnly(target), branchName: branch })) await sync.flush();
  await operations.run({
    label: `Stopping dev mode on ${branch}`,
    key: keyOf(target),
    run: async () => stopDevMode(ports, target),
  });
  return branch;
}

const keyOf = ({ accountId, deploymentId }: DeploymentTarget): string => `devMode ${accountId} ${deploymentId}`;
