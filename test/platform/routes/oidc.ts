import * as api from '#api/resources/oidc.ts';
import { json } from '../core/rows.ts';
import { namedRows, type NamedRow } from './named.ts';
import { record } from './record.ts';
import { requireAdmin, route } from './route.ts';

const configs = namedRows('oidc_token_configs', 'OIDC token configuration');

export const oidcRoutes = [
  route(api.listOidcTokenConfigs, (call) => ({ data: configs.all(call).map((row) => configJson(row)) })),
  route(api.getOidcTokenConfig, (call) => configJson(configs.find(call, call.params.id))),

  route(api.createOidcTokenConfig, (call) => {
    requireAdmin(call.caller);
    const row = configs.create(call, call.body);
    record(call, 'oidcTokenConfig.created', { name: row.name });
    return configJson(row);
  }),

  route(api.updateOidcTokenConfig, (call) => {
    requireAdmin(call.caller);
    const row = configs.update(call, call.params.id, call.body);
    record(call, 'oidcTokenConfig.updated', { name: row.name });
    return configJson(row);
  }),

  route(api.deleteOidcTokenConfig, (call) => {
    requireAdmin(call.caller);
    const { name } = configs.remove(call, call.params.id);
    record(call, 'oidcTokenConfig.deleted', { name });
  }),
];

const configJson = (row: NamedRow): object => ({
  enabled: true,
  ...json(row.data),
  id: String(row.id),
  name: row.name,
});
