import * as api from '#api/resources/github.ts';
import { connectUpstream, listUpstreamBranches, listUpstreams } from '../core/github.ts';
import { notFound } from '../core/refusal.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

interface InstallationRow {
  readonly id: number;
  readonly owner: string;
}

export const githubRoutes = [
  route(api.getGithubStatus, (call) => {
    const [first] = installations(call);
    return { connected: first !== undefined, ...(first === undefined ? {} : { login: first.owner }) };
  }),

  route(api.listGithubInstallations, (call) => ({
    data: installations(call).map(({ id, owner }) => ({ id: String(id), account: owner })),
  })),

  route(api.listGithubRepositories, async (call) => {
    const found = installations(call).find(({ id }) => id === Number(call.params.installationId));
    if (found === undefined) throw notFound(`GitHub installation ${call.params.installationId}`);
    return { data: await listUpstreams(call.core, found.owner) };
  }),

  route(api.listGithubBranches, async (call) => {
    checkInstalled(call, call.params.owner);
    return { data: (await listUpstreamBranches(call.core, call.params)).map((name) => ({ name })) };
  }),

  route(api.connectGithub, async (call) => {
    requireAdmin(call.caller);
    checkInstalled(call, call.body.owner);
    const connected = await connectUpstream(call.core, call.deployment, call.body);
    record(call, 'github.connected', { ...call.body }, call.deployment.id);
    return connected;
  }),
];

const installations = ({ core, caller }: Pick<Call, 'core' | 'caller'>): InstallationRow[] =>
  core.db.all<InstallationRow>(
    'SELECT id, owner FROM github_installations WHERE tenant_id = ? ORDER BY id',
    caller.tenantId,
  );

function checkInstalled(call: Pick<Call, 'core' | 'caller'>, owner: string): void {
  if (!installations(call).some((row) => row.owner === owner)) throw notFound(`A GitHub installation of "${owner}"`);
}
