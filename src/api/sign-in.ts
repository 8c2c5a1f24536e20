import * as v from 'valibot';
import { operation } from './operation.ts';
import { objectOf, opt, strictObject, text } from './schema.ts';

/** ◇ The device flow (RFC 8628) where the server has it (payloads, Sign-in): form-encoded requests, answers in camelCase. */

const tag = 'Sign-in';
const section = 'payloads, Sign-in';

const tokens = objectOf({
  accessToken: v.string(),
  refreshToken: opt(v.string()),
  tokenType: opt(v.string()),
  expiresIn: opt(v.number()),
});

/** ◇ Payloads, Sign-in (RFC 8628): asks for a code that the person enters in a browser. */
export const startDeviceSignIn = operation({
  id: 'startDeviceSignIn',
  method: 'POST',
  path: '/auth/device/code',
  section,
  tag,
  summary: 'Start signing in with a browser.',
  described: true,
  anonymous: true,
  encoding: 'form',
  answerKind: 'json',
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

/** ◇ Payloads, Sign-in: answers 400 with `authorization_pending`, `slow_down`, `access_denied` or `expired_token` until the person is done. */
export const pollDeviceSignIn = operation({
  id: 'pollDeviceSignIn',
  method: 'POST',
  path: '/auth/device/token',
  section,
  tag,
  summary: 'Ask whether the browser sign-in is done.',
  described: true,
  anonymous: true,
  encoding: 'form',
  answerKind: 'json',
  body: strictObject({
    grant_type: v.literal('urn:ietf:params:oauth:grant-type:device_code'),
    device_code: text,
    client_id: text,
  }),
  answer: tokens,
});

/** ◇ Payloads, Sign-in: a new access token for a refresh token. */
export const refreshSignIn = operation({
  id: 'refreshSignIn',
  method: 'POST',
  path: '/auth/oauth2/refresh',
  section,
  tag,
  summary: 'Get a new access token.',
  described: true,
  anonymous: true,
  encoding: 'form',
  answerKind: 'json',
  body: strictObject({ grant_type: v.literal('refresh_token'), refresh_token: text, client_id: v.optional(text) }),
  answer: tokens,
});
