import { startDbtSync } from '#api/resources/deployments.ts';
import type { Clock } from '#base/clock.ts';
import type { Logger } from '#base/log.ts';
import { text } from '#base/user-text.ts';
import { followDbtSync, jobId, jobText } from '#features/deployments/dbt-sync.ts';
import type { Branch, PlatformData, ProductionPass } from '#features/platform/index.ts';
import type { Operations } from '#shell/operations.ts';
import type { DeploymentTarget } from '#shell/targets.ts';
import { Hint } from '#shell/user-error.ts';

export interface DbtSyncPorts {
  readonly data: PlatformData;
  readonly operations: Operations;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** A finished dbt sync. */
export interface WrittenSync {
  readonly branchName: string;
  /** The branch to compare the result with. */
  readonly against: string | undefined;
  /** ` (job 12)`, or empty if the platform sent no ids. */
  readonly job: string;
}

/** Starts a dbt sync on a branch and waits for its result. Throws `Hint` if that takes too long. */
export async function runDbtSync(
  { data, operations, logger, clock }: DbtSyncPorts,
  target: DeploymentTarget,
  picked: string,
  pass: ProductionPass,
): Promise<WrittenSync> {
  const { accountId, deploymentId } = target;
  pass.use('dbtSync', { accountId, deploymentId, branchName: picked });
  const list = data.of(target).branches;
  // As they were when the user confirmed: a list of this window may be older than a colleague's last commit.
  const before = pass.branches ?? (await list.get());
  const key = `dbt ${accountId} ${deploymentId}`;
  const started = await operations.run({
    label: text`Starting a dbt sync on ${picked}`,
    key,
    run: async () =>
      data
        .client(accountId)
        .call(
          startDbtSync,
          { params: { deploymentId }, body: { branchName: picked } },
          { beforeRetry: pass.beforeRetry },
        ),
  });
  const { branchName } = started;
  const job = jobText(started);
  logger.info('A dbt sync was started', { branchName, job });
  const read = async (): Promise<readonly Branch[]> => {
    await list.invalidate();
    return list.get();
  };
  const written = await operations.run({
    label: text`Waiting for the dbt sync on ${branchName}${job}`,
    key,
    cancellable: true,
    run: async ({ signal }) => followDbtSync({ branchName, before, read, clock, signal }),
  });
  if (!written) {
    throw new Hint(
      `The dbt sync on “${branchName}”${job} is still running. Compare the branch later.`,
      job === '' ? undefined : { title: 'Copy Job ID', command: 'modelbench.copy', argument: { copy: jobId(started) } },
    );
  }
  return { branchName, job, against: branchName === picked ? written.parentBranch : picked };
}
