import { createHash } from 'node:crypto';
import type { Core } from './core.ts';
import { listEnvironments } from './environments.ts';

export interface Pod {
  readonly name: string;
  readonly type: string;
  readonly status: 'Pending' | 'Running' | 'CrashLoopBackOff';
  readonly container: string;
  readonly startedAt: string;
}

interface BuildTimes {
  readonly status: string;
  readonly started_at: string;
}

/** The pods of a deployment: one an active environment, new with every build. */
export function listPods(core: Core, deploymentId: number): Pod[] {
  return listEnvironments(core, deploymentId).map((environment) => {
    const production = environment.type === 'production';
    const branch = production ? undefined : environment.branchName;
    const build = buildTimes(core, deploymentId, environment.branchName);
    return {
      name: podName(core, deploymentId, branch),
      type: production ? 'api' : 'dev-api',
      status: podStatus(build?.status),
      container: 'MAIN',
      startedAt: build?.started_at ?? createdAt(core, deploymentId),
    };
  });
}

/** The name of the pod that serves a branch (undefined: production); it changes with every build. */
export function podName(core: Core, deploymentId: number, branchName: string | undefined): string {
  const branch = branchName ?? deployBranch(core, deploymentId);
  const started = buildTimes(core, deploymentId, branch)?.started_at ?? '';
  const suffix = createHash('sha1').update(`${deploymentId} ${branch} ${started}`).digest('hex').slice(0, 8);
  return `${branchName === undefined ? 'production' : 'dev'}-${deploymentId}-api-${suffix}`;
}

const buildTimes = (core: Core, deploymentId: number, branch: string): BuildTimes | undefined =>
  core.db.get<BuildTimes>(
    'SELECT status, started_at FROM builds WHERE deployment_id = ? AND branch_name = ?',
    deploymentId,
    branch,
  );

const deployBranch = (core: Core, deploymentId: number): string =>
  core.db.get<{ deploy_branch: string }>('SELECT deploy_branch FROM deployments WHERE id = ?', deploymentId)
    ?.deploy_branch ?? '';

const createdAt = (core: Core, deploymentId: number): string =>
  core.db.get<{ created_at: string }>('SELECT created_at FROM deployments WHERE id = ?', deploymentId)?.created_at ??
  '';

function podStatus(build: string | undefined): Pod['status'] {
  if (build === 'failed') return 'CrashLoopBackOff';
  return build === 'building' ? 'Pending' : 'Running';
}
