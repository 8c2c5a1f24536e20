import * as api from '#api/resources/environments.ts';
import { signJwt } from '../auth/jwt.ts';
import { apiSecret } from '../core/env-vars.ts';
import { environmentById, listEnvironments } from '../core/environments.ts';
import { invalid, notFound } from '../core/refusal.ts';
import type { EnvironmentInfo } from '../deps.ts';
import { offsetPage } from './lists.ts';
import { record } from './record.ts';
import { type Call, route } from './route.ts';

export const environmentRoutes = [
  route(api.listEnvironments, ({ core, deployment, query, origin }) => {
    const types: readonly string[] = api.environmentTypes;
    if (query.type !== undefined && !types.includes(query.type))
      throw invalid(`type: must be one of ${types.join(', ')}`);
    const rows = listEnvironments(core, deployment.id).filter(
      ({ type }) => query.type === undefined || type === query.type,
    );
    const page = offsetPage(rows, query);
    return {
      data: { environments: page.rows.map((row) => environmentJson(row, origin)) },
      pagination: page.pagination,
    };
  }),

  route(api.createMetadataToken, (call) => {
    const answer = signedToken(call, { ...call.body.security_context, scope: ['meta'] });
    record(call, 'metadataToken.created', { environmentId: String(call.params.environmentId) }, call.deployment.id);
    return answer;
  }),

  route(api.createDataToken, (call) => {
    // A lifetime is short unless the caller asks for less.
    const answer = signedToken({ ...call, body: { expires_in: 3600, ...call.body } }, call.body.security_context);
    record(call, 'dataToken.created', { environmentId: String(call.params.environmentId) }, call.deployment.id);
    return answer;
  }),
];

/** An environment’s token with these claims, signed with the deployment’s secret. */
function signedToken(
  { core, deployment, params, body }: Call<typeof api.createMetadataToken | typeof api.createDataToken>,
  claims: Readonly<Record<string, unknown>>,
): object {
  const environment = environmentById(core, String(params.environmentId));
  if (environment === undefined || environment.deploymentId !== String(deployment.id)) {
    throw notFound(`Environment ${params.environmentId}`);
  }
  const created = core.clock.now();
  const expires = created + (body.expires_in ?? 86_400) * 1000;
  if (!(expires < lastMoment)) throw invalid('expires_in: is further away than dates reach');
  const times = { iat: Math.floor(created / 1000), exp: Math.floor(expires / 1000) };
  return {
    data: {
      token: signJwt({ ...claims, environmentId: environment.id, ...times }, apiSecret(core, deployment.id)),
      created_at: new Date(created).toISOString(),
      expires_at: new Date(expires).toISOString(),
    },
  };
}

/** The last moment that a date can hold, in milliseconds since the epoch. */
const lastMoment = 8.64e15;

/**
 * Of the SQL API only an address is documented. A port of this machine might be someone else's
 * database, which would then be sent the credentials: this name says what is so, and never resolves (RFC 2606).
 */
const noSqlApi = { host: 'no-sql-api.invalid', port: 5432 };

/** docs/platform-api.md#environments */
function environmentJson(environment: EnvironmentInfo, origin: string): object {
  return {
    id: environment.id,
    name: environment.name,
    type: environment.type,
    branchName: environment.branchName,
    api_credentials: {
      rest: { url: restUrl(environment, origin) },
      sql: noSqlApi,
    },
  };
}

const restUrl = (environment: Pick<EnvironmentInfo, 'id'>, origin: string): string =>
  `${origin}/data/${environment.id}/cubejs-api/v1`;
