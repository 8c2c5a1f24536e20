import { originOf } from '#base/origin.ts';
import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { commit } from '#api/resources/branches.ts';
import { abortChatByAgent, streamChatByAgent } from '#api/resources/chat.ts';
import type { Credential } from '#api/client/credential.ts';
import { createMetadataToken } from '#api/resources/environments.ts';
import { listDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { listScimUsers } from '#api/resources/scim.ts';
import { refreshSignIn } from '#api/resources/sign-in.ts';
import { uploadFile } from '#api/resources/upload.ts';
import { upsertWorkbookBySlug } from '#api/resources/workbooks.ts';
import { ClientUnderTest, ownOrigin, type Handler, json, thrown } from '#support/api/client-under-test.ts';

const params = { deploymentId: 7 };
const raise = (error: Error): never => {
  throw error;
};
const noDeployments = { data: { deployments: [] }, pagination: { offset: 0, limit: 20, total: 0 } };
const good: Handler = () => json(noDeployments);

describe('what is sent', () => {
  it('is the documented address with query, key, request id and user agent', async () => {
    const { client, sent } = new ClientUnderTest(good, { userAgent: 'Modelbench/0.1.0' });
    await client.call(listDeployments, { query: { offset: 20, limit: undefined } });
    const [request] = sent;
    expect(request?.url).toBe('https://acme.example/api/v1/deployments?offset=20');
    expect(Object.fromEntries(request?.headers ?? [])).toEqual({
      accept: 'application/json',
      authorization: 'Bearer sk-canary-7f3a9c1e',
      'user-agent': 'Modelbench/0.1.0',
      'x-request-id': 'request-1',
    });
  });

  it('keeps a base path, escapes path parameters and writes flags', async () => {
    const { client, sent } = new ClientUnderTest(() => json({}), { baseUrl: 'https://acme.example/platform/' });
    await client.call(upsertWorkbookBySlug, { params: { deploymentId: 7, slug: 'a/b ?c' }, body: {} });
    expect(sent[0]?.url).toBe('https://acme.example/platform/api/v1/deployments/7/workbooks/by-slug/a%2Fb%20%3Fc');
    await thrown(client.call(listDataModelFiles, { params, query: { withContent: true, branchName: 'a b&c' } }));
    expect(new URL(sent[1]?.url ?? '').search).toBe('?branchName=a+b%26c&withContent=true');
  });

  it('is JSON, form data or a URL-encoded form, as the operation says', async () => {
    const { client, sent } = new ClientUnderTest(() => json({ accessToken: 'a' }));
    await client.call(commit, { params, body: { message: 'm', branchName: 'dev-a' } });
    expect(sent[0]?.headers.get('content-type')).toBe('application/json');
    expect(await sent[0]?.json()).toEqual({ message: 'm', branchName: 'dev-a' });

    const file = new TextEncoder().encode('héllo');
    await client.call(uploadFile, { params, body: { transaction: { id: [1] }, fileName: 'model/ä.yml', file } });
    const form = await sent[1]?.formData();
    expect(form?.get('transaction')).toBe('{"id":[1]}');
    expect(form?.get('fileName')).toBe('model/ä.yml');
    const part = form?.get('file') as File;
    expect([part.type, await part.text()]).toEqual(['application/octet-stream', 'héllo']);

    await client.call(refreshSignIn, { body: { grant_type: 'refresh_token', refresh_token: 'r=1&s' } });
    expect(sent[2]?.headers.get('content-type')).toBe('application/x-www-form-urlencoded');
    expect(await sent[2]?.text()).toBe('grant_type=refresh_token&refresh_token=r%3D1%26s');
    expect(sent[2]?.headers.has('authorization')).toBe(false);
  });

  it.each(['..', '.', ''])('never is an address that a parameter %j bends', async (slug) => {
    const { client, sent } = new ClientUnderTest(good);
    const error = await thrown(client.call(upsertWorkbookBySlug, { params: { deploymentId: 7, slug }, body: {} }));
    expect(error).toMatchObject({ kind: 'invalidRequest', field: 'params.slug' });
    expect(sent).toEqual([]);
  });

  it('is nothing when the request is wrong; the error names the field and not its value', async () => {
    const { client, sent, logs } = new ClientUnderTest(good);
    const body = { security_context: 'top secret' as never };
    const error = await thrown(client.call(createMetadataToken, { params: { ...params, environmentId: 1 }, body }));
    expect(error).toMatchObject({ kind: 'invalidRequest', field: 'body.security_context', status: undefined });
    expect((error as Error).message).toBe(
      'createMetadataToken: body.security_context: must be an object. Nothing was sent.',
    );
    expect(sent).toEqual([]);
    const fields = {
      operation: 'createMetadataToken',
      kind: 'invalidRequest',
      field: 'body.security_context',
      requestId: 'request-1',
    };
    expect(logs).toEqual([{ level: 'warn', message: 'Request not sent', fields }]);
  });

  it.each(['http://acme.example', 'ftp://acme.example', 'http://127.0.0.1.evil.example', 'https://key@acme.example'])(
    'is nothing when the address is %s',
    async (baseUrl) => {
      const { client, sent } = new ClientUnderTest(good, { baseUrl });
      expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'insecure' });
      expect(sent).toEqual([]);
    },
  );

  it.each(['http://localhost:4000', 'http://127.0.0.1:1', 'http://[::1]:1'])('may go to %s', async (baseUrl) => {
    const credential = (): Credential => ({ kind: 'bearer', token: 'key-1', origin: originOf(baseUrl) });
    const { client, sent } = new ClientUnderTest(good, { baseUrl, credential });
    await client.call(listDeployments, {});
    expect(sent[0]?.url).toContain(`${baseUrl}/api/v1/deployments`);
  });
});

describe('the credential', () => {
  const table: readonly (readonly [Credential | undefined, string, Record<string, string>])[] = [
    [{ kind: 'bearer', token: 'key-1', origin: ownOrigin }, 'platform', { authorization: 'Bearer key-1' }],
    [{ kind: 'bearer', token: 'key-1', origin: ownOrigin }, 'scim', { authorization: 'Bearer key-1' }],
    [{ kind: 'bearer', token: 'key-1', origin: ownOrigin }, 'chat', { authorization: 'Api-Key key-1' }],
    [{ kind: 'serviceToken', token: 'jwt-1', origin: ownOrigin }, 'chat', { 'x-service-auth-token': 'jwt-1' }],
    [
      { kind: 'serviceToken', token: 'jwt-1', origin: ownOrigin, header: 'X-Other-Token' },
      'chat',
      { 'x-other-token': 'jwt-1' },
    ],
    [{ kind: 'plain', token: 'jwt-1', origin: ownOrigin }, 'platform', { authorization: 'jwt-1' }],
    [{ kind: 'none' }, 'platform', {}],
    [undefined, 'platform', {}],
  ];

  it.each(table)('%j goes to %s in exactly one header', async (credential, where, expected) => {
    const handler: Handler = () =>
      where === 'scim' ? json({ Resources: [] }) : good(new Request('https://x.example'));
    const { client, sent } = new ClientUnderTest(handler, { credential: () => credential });
    // A caller cannot smuggle a second one in.
    const options = { headers: { authorization: 'Basic x', 'x-extra': '1' } };
    if (where === 'scim') await client.call(listScimUsers, {}, options);
    else if (where === 'chat') {
      await client.open(streamChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: {} }, options);
    } else await client.call(listDeployments, {}, options);
    const carried = [...(sent[0]?.headers ?? [])].filter(([name]) => /auth|token/.test(name));
    expect(Object.fromEntries(carried)).toEqual(expected);
    expect(sent[0]?.headers.get('x-extra')).toBe('1');
  });

  it('of the chat is its own, and so is its address', async () => {
    const chatUrl = 'https://ai.eu.example';
    const chatCredential = (): Credential => ({ kind: 'serviceToken', token: 'jwt-1', origin: originOf(chatUrl) });
    const under = new ClientUnderTest(() => new Response(null, { status: 204 }), { chatUrl, chatCredential });
    const { client, sent } = under;
    await client.call(abortChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: { chatId: 'c' } });
    expect(sent[0]?.url).toBe('https://ai.eu.example/api/v1/public/a/agents/1/chat/abort');
    expect(sent[0]?.headers.has('authorization')).toBe(false);
    const without = new ClientUnderTest(good, { chatUrl: undefined });
    const call = without.client.open(streamChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: {} });
    expect(await thrown(call)).toMatchObject({ kind: 'invalidRequest', field: 'chatUrl' });
  });

  it('that cannot be read is reported as a problem of the key, without its details', async () => {
    const sources = [() => Promise.reject(new Error('keyring: secret-4711')), () => raise(new Error('locked'))];
    for (const credential of sources) {
      const { client, sent, logs } = new ClientUnderTest(good, { credential });
      const error = await thrown(client.call(listDeployments, {}));
      expect(error).toMatchObject({ kind: 'auth', operation: 'listDeployments' });
      expect(inspect([error, logs], { depth: 12 })).not.toContain('secret-4711');
      expect([sent, logs.map(({ message }) => message)]).toEqual([[], ['Credential not read']]);
    }
  });

  it.each(['', '  ', 'key\nwith break', 'kéy'])('%j is refused before fetch could name it', async (token) => {
    const { client, sent } = new ClientUnderTest(good, {
      credential: () => ({ kind: 'bearer', token, origin: ownOrigin }),
    });
    const error = await thrown(client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'auth' });
    expect(sent).toEqual([]);
  });
});

describe('an optional operation', () => {
  it('is sent only where the server lists it', async () => {
    const under = new ClientUnderTest(() => new Response(null, { status: 204 }), { supports: () => false });
    const { deleteBranch } = await import('#api/resources/branches.ts');
    const call = under.client.call(deleteBranch, { params, query: { branchName: 'dev-a' } });
    expect(await thrown(call)).toMatchObject({ kind: 'unsupported', operation: 'deleteBranch' });
    expect(under.sent).toEqual([]);
  });
});
