import { randomBytes } from 'node:crypto';
import * as api from '#api/resources/oauth.ts';
import { invalid, notFound } from '../core/refusal.ts';
import { json } from '../core/rows.ts';
import { namedRows, type NamedRow } from './named.ts';
import { record } from './record.ts';
import { type Call, requireAdmin, route } from './route.ts';

const integrations = namedRows('oauth_integrations', 'OAuth integration');

interface TokenRow {
  readonly integration_id: number;
  readonly data: string;
}

export const oauthRoutes = [
  route(api.listOauthIntegrations, (call) => ({ data: integrations.all(call).map((row) => integrationJson(row)) })),
  route(api.getOauthIntegration, (call) => integrationJson(integrations.find(call, call.params.id))),

  route(api.createOauthIntegration, (call) => {
    requireAdmin(call.caller);
    const row = integrations.create(call, call.body);
    record(call, 'oauthIntegration.created', { name: row.name });
    return integrationJson(row);
  }),

  route(api.updateOauthIntegration, (call) => {
    requireAdmin(call.caller);
    const row = integrations.update(call, call.params.id, call.body);
    record(call, 'oauthIntegration.updated', { name: row.name });
    return integrationJson(row);
  }),

  route(api.deleteOauthIntegration, (call) => {
    requireAdmin(call.caller);
    const { name } = integrations.remove(call, call.params.id);
    record(call, 'oauthIntegration.deleted', { name });
  }),

  route(api.listUserOauthTokens, ({ core, caller }) => ({
    data: core.db
      .all<TokenRow>('SELECT * FROM user_oauth_tokens WHERE user_id = ? ORDER BY integration_id', caller.userId)
      .map((row) => tokenJson(row)),
  })),

  route(api.getUserOauthToken, (call) => tokenJson(findToken(call, call.params.integrationId))),

  route(api.deleteUserOauthToken, (call) => {
    const row = findToken(call, call.params.integrationId);
    call.core.db.run(
      'DELETE FROM user_oauth_tokens WHERE user_id = ? AND integration_id = ?',
      call.caller.userId,
      row.integration_id,
    );
    record(call, 'userOauthToken.deleted', { integrationId: row.integration_id });
  }),

  route(api.initiateUserOauthToken, (call) => {
    const row = integrations.find(call, call.params.integrationId);
    const { authorizationUrl, clientId, scopes } = json(row.data);
    if (typeof authorizationUrl !== 'string') {
      throw invalid(`OAuth integration "${row.name}" has no authorizationUrl: set it first.`);
    }
    const url = new URL(authorizationUrl);
    url.searchParams.set('response_type', 'code');
    if (typeof clientId === 'string') url.searchParams.set('client_id', clientId);
    if (Array.isArray(scopes)) url.searchParams.set('scope', scopes.join(' '));
    const redirect = call.body?.redirectUri;
    if (redirect !== undefined) url.searchParams.set('redirect_uri', redirect);
    url.searchParams.set('state', randomBytes(12).toString('base64url'));
    call.core.db.run(
      `INSERT INTO user_oauth_tokens (user_id, integration_id, data) VALUES (?, ?, ?)
       ON CONFLICT (user_id, integration_id) DO UPDATE SET data = excluded.data`,
      call.caller.userId,
      row.id,
      JSON.stringify({ status: 'pending', createdAt: call.core.now() }),
    );
    record(call, 'userOauthToken.initiated', { integrationId: row.id });
    return { url: url.href };
  }),
];

function findToken({ core, caller }: Pick<Call, 'core' | 'caller'>, integrationId: string | number): TokenRow {
  const row = core.db.get<TokenRow>(
    'SELECT * FROM user_oauth_tokens WHERE user_id = ? AND integration_id = ?',
    caller.userId,
    Number(integrationId),
  );
  if (row === undefined) throw notFound(`A token of OAuth integration ${integrationId}`);
  return row;
}

/** Without the client secret: it is never given out again. */
function integrationJson(row: NamedRow): object {
  const { clientSecret: _, ...data } = json(row.data);
  return { ...data, id: String(row.id), name: row.name };
}

const tokenJson = (row: TokenRow): object => ({ ...json(row.data), integrationId: String(row.integration_id) });
