import * as v from 'valibot';
import { objectOperations } from './object-operations.ts';
import { operation } from '#api/operation.ts';
import { answering, changed, idIn, idOut, isObject, listOf, openBody, opt, strictObject, text } from '#api/schema.ts';

const tag = 'OAuth integrations';
const ofIntegration = strictObject({ integrationId: idIn });

const integrationEntries = {
  id: idOut,
  name: opt(v.string()),
  provider: opt(v.string()),
  clientId: opt(v.string()),
  authorizationUrl: opt(v.string()),
  tokenUrl: opt(v.string()),
  scopes: opt(v.array(v.string())),
};
const integration = v.looseObject(integrationEntries);
export type OauthIntegration = v.InferOutput<typeof integration>;

const integrationIn = {
  provider: v.optional(text),
  clientId: v.optional(text),
  clientSecret: v.optional(text),
  authorizationUrl: v.optional(text),
  tokenUrl: v.optional(text),
  scopes: v.optional(v.array(text)),
};

const integrations = objectOperations({
  path: '/api/v1/oauth-integrations/',
  tag,
  entries: integrationEntries,
});

/** See docs/platform-api.md#listoauthintegrations. */
export const listOauthIntegrations = integrations.list('listOauthIntegrations', 'List the OAuth integrations.');

/** See docs/platform-api.md#createoauthintegration. */
export const createOauthIntegration = integrations.create('createOauthIntegration', 'Create an OAuth integration.', {
  name: text,
  ...integrationIn,
});

/** See docs/platform-api.md#getoauthintegration. */
export const getOauthIntegration = integrations.get('getOauthIntegration', 'Read an OAuth integration.');

/** See docs/platform-api.md#updateoauthintegration. */
export const updateOauthIntegration = integrations.update('updateOauthIntegration', 'Change an OAuth integration.', {
  name: v.optional(text),
  ...integrationIn,
});

/** See docs/platform-api.md#deleteoauthintegration. */
export const deleteOauthIntegration = integrations.remove('deleteOauthIntegration', 'Delete an OAuth integration.');

const tokenEntries = {
  integrationId: idOut,
  status: opt(v.string()),
  createdAt: opt(v.string()),
  expiresAt: opt(v.string()),
};
const userToken = v.looseObject(tokenEntries);
export type UserOauthToken = v.InferOutput<typeof userToken>;

/** See docs/platform-api.md#listuseroauthtokens. */
export const listUserOauthTokens = operation({
  id: 'listUserOauthTokens',
  method: 'GET',
  path: '/api/v1/user-oauth-tokens/',
  tag,
  summary: "List the caller's OAuth tokens.",
  answer: listOf(userToken),
});

/** See docs/platform-api.md#getuseroauthtoken. */
export const getUserOauthToken = operation({
  id: 'getUserOauthToken',
  method: 'GET',
  path: '/api/v1/user-oauth-tokens/{integrationId}',
  tag,
  summary: "Read the caller's OAuth token of an integration.",
  params: ofIntegration,
  answer: changed(tokenEntries),
});

/** See docs/platform-api.md#deleteuseroauthtoken. */
export const deleteUserOauthToken = operation({
  id: 'deleteUserOauthToken',
  method: 'DELETE',
  path: '/api/v1/user-oauth-tokens/{integrationId}',
  tag,
  summary: "Delete the caller's OAuth token of an integration.",
  params: ofIntegration,
});

/** The `url` in the response is to be opened in a browser. See docs/platform-api.md#initiateuseroauthtoken. */
export const initiateUserOauthToken = operation({
  id: 'initiateUserOauthToken',
  method: 'POST',
  path: '/api/v1/user-oauth-tokens/{integrationId}/initiate',
  tag,
  summary: "Start an integration's OAuth flow.",
  params: ofIntegration,
  body: v.optional(openBody({ redirectUri: v.optional(text) })),
  answer: answering(v.looseObject({ url: v.string() }), (value) => {
    const inner = isObject(value) && isObject(value['data']) ? value['data'] : value;
    return isObject(inner)
      ? { ...inner, url: inner['url'] ?? inner['authorizationUrl'] ?? inner['authUrl'] ?? inner['redirectUrl'] }
      : inner;
  }),
});
