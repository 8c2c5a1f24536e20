import * as api from '#api/resources/runtime.ts';
import { mask, readEnvVars } from '../core/env-vars.ts';
import { listPods } from '../core/pods.ts';
import { resolveBranch } from '../core/branches.ts';
import { invalid } from '../core/refusal.ts';
import { record } from './record.ts';
import { requirePermission, route } from './route.ts';

const defaultLogRows = 200;

interface LogRow {
  readonly date: string;
  readonly source: string;
  readonly container: string;
  readonly pod: string;
  readonly branch_name: string | null;
  readonly message: string;
}

export const runtimeRoutes = [
  route(api.getBuildStatus, ({ core, caller, deployment, query }) => {
    const name = query.branchName ?? resolveBranch(core, caller, deployment).name;
    return core.builds.status(deployment.id, name);
  }),

  route(api.getLogs, ({ core, deployment, query }) => {
    const rows = core.db
      .all<LogRow>(
        'SELECT date, source, container, pod, branch_name, message FROM logs WHERE deployment_id = ? ORDER BY id',
        deployment.id,
      )
      .filter(
        (row) =>
          row.source === query.source &&
          row.container === query.container &&
          (query.pod === undefined || row.pod === query.pod) &&
          (query.branchName === undefined || row.branch_name === query.branchName) &&
          (query.from === undefined || Date.parse(row.date) >= Date.parse(query.from)),
      );
    const limit = query.limit ?? defaultLogRows;
    return (limit === 0 ? [] : rows.slice(-limit)).map(({ date, pod, container, message }) => ({
      date,
      pod,
      container,
      message,
    }));
  }),

  route(api.listPods, ({ core, deployment }) => listPods(core, deployment.id)),

  route(api.getEnvVars, ({ core, deployment }) => ({
    env_variables: readEnvVars(core, deployment.id).map((variable) =>
      variable.isSecret ? { ...variable, value: mask } : variable,
    ),
  })),

  route(api.setEnvVars, (call) => {
    const { core, deployment, body, caller } = call;
    requirePermission(caller, 'SecretsManage');
    const old = new Map(readEnvVars(core, deployment.id).map((variable) => [variable.name, variable]));
    core.db.transaction(() => {
      core.db.run('DELETE FROM env_vars WHERE deployment_id = ?', deployment.id);
      for (const { name, value, isSecret } of body.env_variables) {
        const known = old.get(name);
        const isUntouched = value === undefined || (known?.isSecret === true && value === mask);
        const kept = isUntouched ? known?.value : value;
        if (kept === undefined) throw invalid(`The variable ${name} needs a value.`);
        core.db.run(
          'INSERT INTO env_vars (deployment_id, name, value, is_secret) VALUES (?, ?, ?, ?)',
          deployment.id,
          name,
          kept,
          (isSecret ?? known?.isSecret ?? false) ? 1 : 0,
        );
      }
    });
    const names = body.env_variables.map(({ name }) => name);
    record(call, 'envVars.updated', { names }, deployment.id);
    core.log({
      deploymentId: String(deployment.id),
      source: 'production',
      container: 'INIT',
      branchName: deployment.deploy_branch,
      message: `Restarting with ${names.length} environment variables.`,
    });
    core.builds.requestAll(deployment.id);
  }),
];
