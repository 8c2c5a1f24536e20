import * as v from 'valibot';
import { objectOperations } from './object-operations.ts';
import { idOut, opt, text } from '#api/schema.ts';

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

const configs = objectOperations({
  path: '/api/v1/oidc-token-configs/',
  tag: 'OIDC token configurations',
  entries: configEntries,
});

/** See docs/platform-api.md#listoidctokenconfigs. */
export const listOidcTokenConfigs = configs.list('listOidcTokenConfigs', 'List the OIDC token configurations.');

/** See docs/platform-api.md#createoidctokenconfig. */
export const createOidcTokenConfig = configs.create('createOidcTokenConfig', 'Create an OIDC token configuration.', {
  name: text,
  ...configIn,
});

/** See docs/platform-api.md#getoidctokenconfig. */
export const getOidcTokenConfig = configs.get('getOidcTokenConfig', 'Read an OIDC token configuration.');

/** See docs/platform-api.md#updateoidctokenconfig. */
export const updateOidcTokenConfig = configs.update('updateOidcTokenConfig', 'Change an OIDC token configuration.', {
  name: v.optional(text),
  ...configIn,
});

/** See docs/platform-api.md#deleteoidctokenconfig. */
export const deleteOidcTokenConfig = configs.remove('deleteOidcTokenConfig', 'Delete an OIDC token configuration.');
