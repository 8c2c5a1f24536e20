import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { objectOf, opt, strictObject, text } from '#api/schema.ts';

/**
 * The device flow (RFC 8628), if the server has it (docs/platform-api.md#signing-in): form-encoded requests, responses
 * in camelCase.
 */

const tag = 'Sign-in';

const tokens = objectOf({
  accessToken: v.string(),
  refreshToken: opt(v.string()),
  tokenType: opt(v.string()),
  expiresIn: opt(v.number()),
});

/** Requests a code for the user to enter in a browser. See docs/platform-api.md#startdevicesignin. */
export const startDeviceSignIn = operation({
  id: 'startDeviceSignIn',
  method: 'POST',
  path: '/auth/device/code',
  tag,
  summary: 'Start signing in with a browser.',
  described: true,
  anonymous: true,
  encoding: 'form',
  body: strictObject({ client_id: text, scope: v.optional(text) }),
  answer: objectOf({
    deviceCode: v.string(),
    userCode: v.string(),
    verificationUri: v.string(),
    verificationUriComplete: opt(v.string()),
    expiresIn: opt(v.number()),
    interval: opt(v.number()),
  }),
});

/**
 * Returns 400 with `authorization_pending`, `slow_down`, `access_denied` or `expired_token` until the user has
 * finished. See docs/platform-api.md#polldevicesignin.
 */
export const pollDeviceSignIn = operation({
  id: 'pollDeviceSignIn',
  method: 'POST',
  path: '/auth/device/token',
  tag,
  summary: 'Ask whether the browser sign-in is done.',
  described: true,
  anonymous: true,
  encoding: 'form',
  body: strictObject({
    grant_type: v.literal('urn:ietf:params:oauth:grant-type:device_code'),
    device_code: text,
    client_id: text,
  }),
  answer: tokens,
});

/** Exchanges a refresh token for a new access token. See docs/platform-api.md#refreshsignin. */
export const refreshSignIn = operation({
  id: 'refreshSignIn',
  method: 'POST',
  path: '/auth/oauth2/refresh',
  tag,
  summary: 'Get a new access token.',
  described: true,
  anonymous: true,
  encoding: 'form',
  body: strictObject({ grant_type: v.literal('refresh_token'), refresh_token: text, client_id: v.optional(text) }),
  answer: tokens,
});
