import * as api from '#api/resources/branches.ts';
import { createBranch, deleteBranch, describeBranch, listBranches, resolveBranch } from '../core/branches.ts';
import { startDevMode, stopDevMode } from '../core/dev-mode.ts';
import { invalid, notFound } from '../core/refusal.ts';
import type { BranchRow } from '../core/rows.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

export const branchRoutes = [
  route(api.listBranches, async ({ core, deployment }) => ({ data: await listBranches(core, deployment) })),

  route(api.createBranch, async (call) => {
    const row = await createBranch(call.core, call.deployment, call.body);
    record(call, 'branch.created', { name: row.name, parentBranch: row.parent }, call.deployment.id);
    return describeBranch(call.core, row);
  }),

  route(api.deleteBranch, async (call) => {
    const row = resolveBranch(call.core, call.caller, call.deployment, call.query.branchName);
    await deleteBranch(call.core, call.caller, call.deployment, row);
    record(call, 'branch.deleted', { name: row.name }, call.deployment.id);
  }),

  route(api.startDevMode, async (call) => {
    const row = await startDevMode(call.core, call.caller, call.deployment, call.body.branchName);
    record(call, 'devMode.started', { branchName: row.name }, call.deployment.id);
    return describeBranch(call.core, row);
  }),

  route(api.stopDevMode, (call) => {
    const row = stopDevMode(call.core, call.caller, call.deployment);
    if (row !== undefined) record(call, 'devMode.stopped', { branchName: row.name }, call.deployment.id);
  }),

  route(api.setBranchStagingEnvironment, async (call) => {
    const { core, body, deployment } = call;
    const row = stagingBranch(call, body);
    core.db.run('UPDATE branches SET staging = ? WHERE id = ?', body.enabled ? 1 : 0, row.id);
    if (body.enabled) core.builds.request(deployment.id, row.name);
    record(call, body.enabled ? 'staging.enabled' : 'staging.disabled', { branchName: row.name }, deployment.id);
    return { data: await describeBranch(core, { ...row, staging: body.enabled ? 1 : 0 }) };
  }),
];

/** The shared branch a staging request names; dev and production branches are refused with 400 (docs/platform-api.md#setbranchstagingenvironment). */
function stagingBranch(
  call: Pick<Call, 'core' | 'caller' | 'deployment'>,
  body: { readonly branchName?: string | undefined; readonly branchId?: string | number | undefined },
): BranchRow {
  const row =
    body.branchId === undefined
      ? resolveBranch(call.core, call.caller, call.deployment, body.branchName)
      : call.core.db.get<BranchRow>(
          'SELECT * FROM branches WHERE deployment_id = ? AND id = ?',
          call.deployment.id,
          Number(body.branchId),
        );
  if (row === undefined) throw notFound(`Branch ${body.branchId ?? ''}`);
  if (row.parent === null) {
    throw invalid(`Branch "${row.name}" is the production branch: only shared branches have a staging environment.`);
  }
  if (row.is_dev === 1) {
    throw invalid(
      `Branch "${row.name}" is a personal development branch: only shared branches have a staging environment.`,
    );
  }
  return row;
}
