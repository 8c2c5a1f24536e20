import { createHmac, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { signJwt } from '#platform/auth/jwt.ts';
import { checkToken, type TokenCheck } from '#platform/auth/tokens.ts';
import { linesOf } from '#support/chat-lines.ts';
import { mountApis, type MountedApis } from '#support/mounted-apis.ts';

/** Tokens of an identity provider that publishes its keys (docs/chat.md#credentials), beside those of the deployment's secret. */

const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const later = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const jwk = (key: KeyObject, kid: string): object => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig' });

let published: readonly object[] = [jwk(rsa.publicKey, 'rsa-1'), jwk(ec.publicKey, 'ec-1')];
let asked = 0;
let server: Server;
let url = '';
beforeAll(async () => {
  server = createServer((_, response) => {
    asked += 1;
    response.end(JSON.stringify({ keys: published }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function tokenOf(
  key: KeyObject,
  kid: string,
  claims: object,
  alg = key.asymmetricKeyType === 'ec' ? 'ES256' : 'RS256',
): string {
  const text = `${encode({ alg, kid })}.${encode(claims)}`;
  const how = key.asymmetricKeyType === 'ec' ? ({ key, dsaEncoding: 'ieee-p1363' } as const) : key;
  return `${text}.${sign('sha256', Buffer.from(text), how).toString('base64url')}`;
}

const check = (more: Partial<TokenCheck> = {}): TokenCheck => ({
  apiSecret: 'the-secret',
  keySet: { url, issuer: 'https://id.example', audience: 'shop' },
  ...more,
});
const mine = { iss: 'https://id.example', aud: ['shop', 'other'], sub: 'mia' };
const verdict = async (token: string, more?: Partial<TokenCheck>, now = 1000): Promise<unknown> =>
  (await checkToken(check(more), token, now))?.claims;

describe('a token of the identity provider', () => {
  it('counts with either kind of key, beside one of the secret', async () => {
    expect(await verdict(tokenOf(rsa.privateKey, 'rsa-1', mine))).toEqual(mine);
    expect(await verdict(tokenOf(ec.privateKey, 'ec-1', mine))).toEqual(mine);
    expect(await verdict(signJwt({ sub: 'noah' }, 'the-secret'))).toEqual({ sub: 'noah' });
  });

  it.each([
    ['of another key', () => tokenOf(later.privateKey, 'ec-1', mine)],
    ['of another key’s name', () => tokenOf(ec.privateKey, 'rsa-1', mine)],
    ['for someone else', () => tokenOf(ec.privateKey, 'ec-1', { ...mine, aud: 'bank' })],
    ['for nobody', () => tokenOf(ec.privateKey, 'ec-1', { ...mine, aud: undefined })],
    ['of another issuer', () => tokenOf(ec.privateKey, 'ec-1', { ...mine, iss: 'https://evil.example' })],
    ['that is over', () => tokenOf(ec.privateKey, 'ec-1', { ...mine, exp: 1 })],
    ['that is not yet valid', () => tokenOf(ec.privateKey, 'ec-1', { ...mine, nbf: 2 })],
    ['that says none', () => `${encode({ alg: 'none' })}.${encode(mine)}.`],
    ['of another algorithm than its key', () => tokenOf(ec.privateKey, 'ec-1', mine, 'RS256')],
    [
      'whose claims were changed',
      () => tokenOf(ec.privateKey, 'ec-1', mine).replace(/\.[^.]+\./, `.${encode({ ...mine, sub: 'x' })}.`),
    ],
    ['in four parts', () => `${tokenOf(ec.privateKey, 'ec-1', mine)}.x`],
    ['that is none', () => 'garbage'],
  ])('%s is refused', async (_, token) => {
    expect(await verdict(token())).toBeUndefined();
  });

  it('signed with the public key as a secret is refused', async () => {
    const pem = rsa.publicKey.export({ format: 'pem', type: 'spki' });
    const text = `${encode({ alg: 'HS256', kid: 'rsa-1' })}.${encode(mine)}`;
    expect(await verdict(`${text}.${createHmac('sha256', pem).update(text).digest('base64url')}`)).toBeUndefined();
  });

  it('gives no access where the deployment names no provider, or one that does not answer', async () => {
    const token = tokenOf(ec.privateKey, 'ec-1', mine);
    expect(await verdict(token, { keySet: undefined })).toBeUndefined();
    expect(await verdict(token, { keySet: { url: 'http://127.0.0.1:1/jwks.json' } })).toBeUndefined();
    expect(await verdict(token, { keySet: { url: 'http://keys.example/jwks.json' } })).toBeUndefined();
    expect(await verdict(token, { keySet: { url: 'not an address' } })).toBeUndefined();
  });

  it('counts for a new key as soon as that is published; the others are not read again', async () => {
    const token = tokenOf(later.privateKey, 'ec-2', mine);
    expect(await verdict(token)).toBeUndefined();
    published = [...published, jwk(later.publicKey, 'ec-2')];
    expect(await verdict(token)).toEqual(mine);
    const before = asked;
    for (let time = 0; time < 3; time++) await verdict(token);
    expect(await verdict(tokenOf(rsa.privateKey, 'ec-2', mine, 'ES256'))).toBeUndefined();
    expect(asked).toBe(before);
    expect(await verdict(token, {}, 10 * 60_000)).toEqual(mine);
    expect(asked).toBe(before + 1);
  });
});

describe('the security context', () => {
  const contextOf = async (claims: object, claimsNamespace?: string): Promise<unknown> =>
    (await checkToken(check({ claimsNamespace }), signJwt({ ...claims }, 'the-secret'), 0))?.securityContext;

  it('consists of the claims, or of the claim that holds it', async () => {
    expect(await contextOf({ sub: 'mia', region: 'North' })).toEqual({ sub: 'mia', region: 'North' });
    expect(await contextOf({ sub: 'mia', securityContext: { region: 'North' } })).toEqual({ region: 'North' });
    expect(await contextOf({ 'https://shop/ctx': { region: 'North' } }, 'https://shop/ctx')).toEqual({
      region: 'North',
    });
  });

  it('comes from the metadata token', async () => {
    const claims = { scope: ['meta'], environmentId: '7', region: 'North' };
    expect(await contextOf(claims, 'ctx')).toEqual(claims);
  });

  it('stays empty where the claim that should hold it does not', async () => {
    for (const own of [undefined, null, 'x', ['x']])
      expect(await contextOf({ scope: ['chat'], ctx: own }, 'ctx')).toEqual({});
  });
});

describe('the chat and the data API', () => {
  let chunks: MountedApis;
  beforeAll(() => {
    chunks = mountApis({
      deployment: { keySet: { url, issuer: 'https://id.example' }, claimsNamespace: 'ctx' },
    });
  });
  afterAll(() => chunks.close());

  const ask = async (claims: object): Promise<string> => {
    const token = tokenOf(ec.privateKey, 'ec-1', { ...mine, ...claims });
    const headers = { 'x-service-auth-token': token };
    const lines = await linesOf(
      await chunks.chat('/acme/deployments/1/chat/stream-chat-state', { input: 'hi' }, headers),
    );
    return JSON.stringify(lines[0]);
  };

  it('take its tokens: the identity from the claims, the scope from the security context', async () => {
    expect(await ask({ externalId: 'Mia', ctx: { scope: ['chat'] } })).toContain('__cutoff__');
    expect(chunks.audit.at(-1)).toMatchObject({ eventName: 'chat.started', userEmail: 'mia' });
    expect(await ask({ scope: ['chat'], ctx: {} })).toContain('scope does not include chat');
    expect(await ask({ scope: ['chat'] })).toContain('scope does not include chat');
  });

  it('give the data API the same security context', async () => {
    const data = (token: string): Promise<Response> => chunks.data('/meta', { headers: { authorization: token } });
    expect((await data(tokenOf(ec.privateKey, 'ec-1', mine))).status).toBe(200);
    expect((await data(tokenOf(later.privateKey, 'ec-1', mine))).status).toBe(403);
  });
});
