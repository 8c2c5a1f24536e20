import * as api from '#api/resources/deployments.ts';
import { Refusal } from '../core/refusal.ts';
import { deploymentById, type DeploymentRow } from '../core/rows.ts';
import { syncDbt } from '../core/dbt-sync.ts';
import { checkEnumerations, createDeployment, deleteDeployment, firstStep, nextStep } from '../core/deployments.ts';
import { imageRepository, listVersions, requestedVersion } from '../core/versions.ts';
import { isConstraintError } from '../state/database.ts';
import { offsetPage } from './lists.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

export const deploymentRoutes = [
  route(api.listDeployments, ({ core, caller, query }) => {
    const rows = core.db
      .all<DeploymentRow>('SELECT * FROM deployments WHERE tenant_id = ? ORDER BY id', caller.tenantId)
      .filter(({ id }) => caller.scope === undefined || caller.scope.has(id));
    const page = offsetPage(rows, query);
    return { data: { deployments: page.rows.map((row) => deploymentJson(row)) }, pagination: page.pagination };
  }),

  route(api.createDeployment, async (call) => {
    requireAdmin(call.caller);
    const row = await unique(() => createDeployment(call.core, call.caller, call.body));
    record(call, 'deployment.created', { name: row.name }, row.id);
    return deploymentJson(row);
  }),

  route(api.updateDeployment, async (call) => {
    const { core, deployment, body } = call;
    checkEnumerations(body);
    const version = requestedVersion(core, deployment, body);
    await unique(() =>
      core.db.transaction(() => {
        core.db.run(
          'UPDATE deployments SET name = ?, version = ?, release_channel = ?, deploy_mode = ?, creation_method = ? WHERE id = ?',
          body.name ?? deployment.name,
          version?.version ?? deployment.version,
          version?.channel ?? deployment.release_channel,
          body.deployMode ?? deployment.deploy_mode,
          body.creationMethod ?? deployment.creation_method,
          deployment.id,
        );
        if (version === undefined) return;
        core.db.run(
          'INSERT OR IGNORE INTO versions_run (deployment_id, version, release_channel) VALUES (?, ?, ?)',
          deployment.id,
          version.version,
          version.channel,
        );
      }),
    );
    record(call, 'deployment.updated', { ...body }, deployment.id);
    if (version !== undefined) restart(call, `Moving to version ${version.version} (${version.channel}).`);
    return deploymentJson(deploymentById(core.db, deployment.id) as DeploymentRow);
  }),

  route(api.deleteDeployment, async (call) => {
    requireAdmin(call.caller);
    await deleteDeployment(call.core, call.deployment);
    record(call, 'deployment.deleted', { name: call.deployment.name }, call.deployment.id);
  }),

  route(api.listDeploymentVersions, ({ core, deployment }) => ({ data: listVersions(core, deployment) })),

  route(api.startDbtSync, async (call) => {
    const job = await syncDbt(call.core, call.caller, call.deployment, call.body.branchName);
    record(call, 'dbtSync.started', { ...job }, call.deployment.id);
    return job;
  }),

  route(api.advanceCreationStep, (call) => setStep(call, nextStep(call.deployment))),
  route(api.resetCreationStep, (call) => setStep(call, firstStep)),
];

function setStep(call: Call, step: string): object {
  call.core.db.run('UPDATE deployments SET creation_step = ? WHERE id = ?', step, call.deployment.id);
  record(call, 'deployment.creationStepChanged', { creationStep: step }, call.deployment.id);
  return { id: String(call.deployment.id), creationStep: step };
}

function restart(call: Call, message: string): void {
  const { core, deployment } = call;
  core.log({
    deploymentId: String(deployment.id),
    source: 'production',
    container: 'INIT',
    branchName: deployment.deploy_branch,
    message,
  });
  core.builds.requestAll(deployment.id);
}

/** docs/platform-api.md#deployments, with the fields that servers add. */
function deploymentJson(row: DeploymentRow): object {
  return {
    id: String(row.id),
    name: row.name,
    created_at: row.created_at,
    region: row.region,
    cloudProvider: row.cloud_provider,
    creationMethod: row.creation_method,
    creationStep: row.creation_step,
    deployMode: row.deploy_mode,
    releaseChannel: row.release_channel,
    releaseChannelVersion: `${imageRepository}:v${row.version}`,
  };
}

async function unique<T>(work: () => T | Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isConstraintError(error)) throw error;
    throw new Refusal(409, 'A deployment with this name exists already.');
  }
}
