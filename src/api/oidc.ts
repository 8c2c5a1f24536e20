import * as v from 'valibot';
import { operation } from './operation.ts';
import { byId, changed, idOut, listOf, objectOf, opt, text, openBody } from './schema.ts';

const tag = 'OIDC token configurations';

const configEntries = {
  id: idOut,
  name: opt(v.string()),
  issuer: opt(v.string()),
  audience: opt(v.string()),
  enabled: opt(v.boolean()),
};
const config = v.looseObject(configEntries);
export type OidcTokenConfig = v.InferOutput<typeof config>;

const configIn = {
  issuer: v.optional(text),
  audience: v.optional(text),
  enabled: v.optional(v.boolean()),
};

/** See docs/platform-api.md#listoidctokenconfigs. */
export const listOidcTokenConfigs = operation({
  id: 'listOidcTokenConfigs',
  method: 'GET',
  path: '/api/v1/oidc-token-configs/',
  tag,
  summary: 'List the OIDC token configurations.',
  answer: listOf(config),
});

/** Undocumented fields pass through. See docs/platform-api.md#createoidctokenconfig. */
export const createOidcTokenConfig = operation({
  id: 'createOidcTokenConfig',
  method: 'POST',
  path: '/api/v1/oidc-token-configs/',
  tag,
  summary: 'Create an OIDC token configuration.',
  body: openBody({ name: text, ...configIn }),
  answer: changed(configEntries),
});

/** See docs/platform-api.md#getoidctokenconfig. */
export const getOidcTokenConfig = operation({
  id: 'getOidcTokenConfig',
  method: 'GET',
  path: '/api/v1/oidc-token-configs/{id}',
  tag,
  summary: 'Read an OIDC token configuration.',
  params: byId,
  answer: objectOf(configEntries),
});

/** See docs/platform-api.md#updateoidctokenconfig. */
export const updateOidcTokenConfig = operation({
  id: 'updateOidcTokenConfig',
  method: 'PUT',
  path: '/api/v1/oidc-token-configs/{id}',
  tag,
  summary: 'Change an OIDC token configuration.',
  params: byId,
  body: openBody({ name: v.optional(text), ...configIn }),
  answer: changed(configEntries),
});

/** See docs/platform-api.md#deleteoidctokenconfig. */
export const deleteOidcTokenConfig = operation({
  id: 'deleteOidcTokenConfig',
  method: 'DELETE',
  path: '/api/v1/oidc-token-configs/{id}',
  tag,
  summary: 'Delete an OIDC token configuration.',
  params: byId,
});
