import type { Disposable } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import {
  BuildFreshness,
  type BuildWatcher,
  deployBranchOf,
  deploymentOnly,
  type ForkPoints,
  type PlatformData,
  type Session,
} from '#features/platform/index.ts';
import type { DeploymentTarget } from '#shell/targets.ts';

/** The list of branches, and the builds of the active one. */
export interface BranchListDeps {
  readonly builds: BuildWatcher;
  readonly data: PlatformData;
  readonly session: Session;
}

/** Also stores fork points. */
export interface ListWatchDeps extends BranchListDeps {
  readonly forks: ForkPoints;
  readonly logger: Logger;
}

/** Processes each new list of branches: stores fork points and checks builds whose branch has a new commit. */
export function watchBranches({ builds, data, forks, logger, session }: ListWatchDeps): Disposable {
  const freshness = new BuildFreshness();
  return data.onDidChange(() => {
    const target = session.active.value;
    const list = target && data.known(target)?.branches.value;
    if (!target || !list) return;
    // The common commit of a branch and its parent is visible only while both are at the same commit.
    forks
      .note(target, list, session.myBranches(target))
      .catch((error: unknown) => logger.warn('Fork points could not be stored', { error: String(error) }));
    for (const moved of freshness.moved(target, list, builds.states.value)) void builds.check(moved);
  });
}

/** Loads the list of branches and checks the builds of the active one and of production. */
export async function loadBranches(deps: BranchListDeps, target: DeploymentTarget): Promise<void> {
  await deps.data.of(target).branches.start();
  checkActiveBuild(deps, target);
  const deploy = deployBranchOf(deps.data.of(target).branches.value ?? []);
  if (deploy) void deps.builds.check({ ...deploymentOnly(target), branchName: deploy.name });
}

/** Checks the build of a deployment's active dev branch. */
export function checkActiveBuild(
  { session, builds }: Pick<BranchListDeps, 'builds' | 'session'>,
  target: DeploymentTarget | undefined,
): void {
  const active = target && session.activeBranch(target);
  if (target && active !== undefined) void builds.check({ ...deploymentOnly(target), branchName: active });
}
