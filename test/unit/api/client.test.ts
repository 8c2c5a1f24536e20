import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { CancelledError, isCancelled } from '#base/async.ts';
import { commit, listBranches, pull } from '#api/branches.ts';
import { abortChatByAgent, streamChatByAgent } from '#api/chat.ts';
import type { Credential } from '#api/credential.ts';
import { createMetadataToken } from '#api/environments.ts';
import { listDataModelFiles } from '#api/data-model.ts';
import { listDeployments } from '#api/deployments.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { listScimUsers } from '#api/scim.ts';
import { refreshSignIn } from '#api/sign-in.ts';
import { uploadFile } from '#api/upload.ts';
import { upsertWorkbookBySlug } from '#api/workbooks.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';

const params = { deploymentId: 7 };
const noDeployments = { data: { deployments: [] }, pagination: { offset: 0, limit: 20, total: 0 } };
const good: Handler = () => json(noDeployments);

/** Answers with each response in turn, the last one for ever. */
function inTurn(...responses: readonly (() => Response)[]): Handler {
  let at = 0;
  return () => {
    const respond = responses[Math.min(at, responses.length - 1)];
    at += 1;
    return respond?.() ?? new Response(null, { status: 500 });
  };
}
const failing =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    json({ error: 'no' }, { status, headers });

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
    const { client, sent } = new ClientUnderTest(good, { baseUrl });
    await client.call(listDeployments, {});
    expect(sent[0]?.url).toContain(`${baseUrl}/api/v1/deployments`);
  });
});

describe('the credential', () => {
  const table: readonly (readonly [Credential | undefined, string, Record<string, string>])[] = [
    [{ kind: 'bearer', token: 'key-1' }, 'platform', { authorization: 'Bearer key-1' }],
    [{ kind: 'bearer', token: 'key-1' }, 'scim', { authorization: 'Bearer key-1' }],
    [{ kind: 'bearer', token: 'key-1', scimScheme: 'Api-Key' }, 'scim', { authorization: 'Api-Key key-1' }],
    [{ kind: 'bearer', token: 'key-1', scimScheme: 'Api-Key' }, 'platform', { authorization: 'Bearer key-1' }],
    [{ kind: 'bearer', token: 'key-1' }, 'chat', { authorization: 'Api-Key key-1' }],
    [{ kind: 'serviceToken', token: 'jwt-1' }, 'chat', { 'x-service-auth-token': 'jwt-1' }],
    [{ kind: 'serviceToken', token: 'jwt-1', header: 'X-Other-Token' }, 'chat', { 'x-other-token': 'jwt-1' }],
    [{ kind: 'plain', token: 'jwt-1' }, 'platform', { authorization: 'jwt-1' }],
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
    const chatCredential = (): Credential => ({ kind: 'serviceToken', token: 'jwt-1' });
    const { client, sent } = new ClientUnderTest(() => new Response(null, { status: 204 }), { chatCredential });
    await client.call(abortChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: { chatId: 'c' } });
    expect(sent[0]?.url).toBe('https://ai.eu.example/api/v1/public/a/agents/1/chat/abort');
    expect(sent[0]?.headers.has('authorization')).toBe(false);
    const without = new ClientUnderTest(good, { chatUrl: undefined });
    const call = without.client.open(streamChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: {} });
    expect(await thrown(call)).toMatchObject({ kind: 'invalidRequest', field: 'chatUrl' });
  });

  it.each(['', '  ', 'key\nwith break', 'kéy'])('%j is refused before fetch could name it', async (token) => {
    const { client, sent } = new ClientUnderTest(good, { credential: () => ({ kind: 'bearer', token }) });
    const error = await thrown(client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'auth' });
    expect(sent).toEqual([]);
  });
});

describe('a 401', () => {
  const byKey: Handler = (request) =>
    request.headers.get('authorization') === 'Bearer new-key' ? json(noDeployments) : failing(401)();

  it('renews the credential once and goes again once', async () => {
    let token = 'old-key';
    const onUnauthorized = vi.fn(async () => {
      token = 'new-key';
      return true;
    });
    const under = new ClientUnderTest(byKey, { credential: () => ({ kind: 'bearer', token }), onUnauthorized });
    await Promise.all([under.client.call(listDeployments, {}), under.client.call(listDeployments, {})]);
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    expect(under.sent).toHaveLength(4);
  });

  it('does not renew what another call has renewed meanwhile', async () => {
    let token = 'old-key';
    const onUnauthorized = vi.fn(() => Promise.resolve(true));
    const handler: Handler = (request) => {
      token = 'new-key';
      return byKey(request);
    };
    const under = new ClientUnderTest(handler, { credential: () => ({ kind: 'bearer', token }), onUnauthorized });
    await under.client.call(listDeployments, {});
    expect(onUnauthorized).not.toHaveBeenCalled();
  });

  it.each([true, false])('ends there when renewing (%s) did not help', async (renewed) => {
    const onUnauthorized = vi.fn(() => Promise.resolve(renewed));
    const under = new ClientUnderTest(failing(401), { onUnauthorized });
    expect(await thrown(under.client.call(listDeployments, {}))).toMatchObject({ kind: 'auth', status: 401 });
    expect(onUnauthorized).toHaveBeenCalledTimes(1);
    expect(under.sent).toHaveLength(renewed ? 2 : 1);
  });
});

describe('a 401 of the chat', () => {
  const request = { params: { accountName: 'a', agentId: 1 }, body: { chatId: 'c' } };

  it.each([
    ['the platform’s key', undefined, 1],
    ['a credential of its own', (): Credential => ({ kind: 'serviceToken', token: 'jwt-1' }), 0],
  ])('with %s asks to sign in %j', async (_, chatCredential, times) => {
    const onUnauthorized = vi.fn(() => Promise.resolve(false));
    const under = new ClientUnderTest(failing(401), { onUnauthorized, chatCredential });
    expect(await thrown(under.client.call(abortChatByAgent, request))).toMatchObject({ kind: 'auth' });
    expect(onUnauthorized).toHaveBeenCalledTimes(times);
  });
});

describe('another attempt', () => {
  it('follows a failure that may pass, with doubling pauses and full jitter', async () => {
    const handler = inTurn(failing(500), failing(502), failing(503), () => json(noDeployments));
    const under = new ClientUnderTest(handler);
    const started = under.clock.now();
    await under.clock.run(under.client.call(listDeployments, {}));
    expect(under.sent).toHaveLength(4);
    expect(under.clock.now() - started).toBe(0.5 * (300 + 600 + 1200));
    expect(new Set(under.sent.map((request) => request.headers.get('x-request-id')))).toEqual(new Set(['request-1']));
    expect(under.logs.map(({ fields }) => [fields['attempt'], fields['status']])).toEqual([
      [1, 500],
      [2, 502],
      [3, 503],
      [4, 200],
    ]);
  });

  it('waits as long as Retry-After says, also before a change', async () => {
    const under = new ClientUnderTest(inTurn(failing(429, { 'retry-after': '7' }), () => json({})));
    const started = under.clock.now();
    await under.clock.run(under.client.call(pull, { params, body: { branchName: 'dev-a' } }));
    expect([under.sent.length, under.clock.now() - started]).toEqual([2, 7000]);
  });

  it('reads Retry-After as a date too', async () => {
    const under = new ClientUnderTest(() => json(noDeployments));
    const date = new Date(under.clock.now() + 5000).toUTCString();
    under.handler = inTurn(failing(503, { 'retry-after': date }), () => json(noDeployments));
    const started = under.clock.now();
    await under.clock.run(under.client.call(listDeployments, {}));
    expect(under.clock.now() - started).toBe(5000);
  });

  it('is the caller’s business when the server wants a long pause', async () => {
    const under = new ClientUnderTest(failing(429, { 'retry-after': '3600' }));
    const error = await thrown(under.client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'rateLimit', retryAfter: 3600, retryable: true });
    expect(under.sent).toHaveLength(1);
  });

  it('never repeats a change whose fate is unknown', async () => {
    const under = new ClientUnderTest(failing(500));
    await thrown(under.client.call(commit, { params, body: { message: 'm', branchName: 'dev-a' } }));
    expect(under.sent).toHaveLength(1);
  });

  it('does not come when the caller gave up during the pause', async () => {
    const controller = new AbortController();
    const under = new ClientUnderTest(failing(500));
    const work = thrown(under.client.call(listDeployments, {}, { signal: controller.signal }));
    await under.clock.advance(0);
    controller.abort(new CancelledError());
    const error = await work;
    expect([isCancelled(error), isPlatformError(error, 'cancelled'), under.sent.length]).toEqual([true, true, 1]);
  });
});

describe('an answer', () => {
  it('is read whole even in many small parts, cut inside a character', async () => {
    const bytes = new TextEncoder().encode(JSON.stringify({ data: [{ name: 'dev-ä-€-😀' }] }));
    const body = (): ReadableStream<Uint8Array> =>
      new ReadableStream({
        start: (controller) => {
          for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
          controller.close();
        },
      });
    const { client } = new ClientUnderTest(() => new Response(body()));
    expect((await client.call(listBranches, { params })).data[0]?.name).toBe('dev-ä-€-😀');
  });

  it('of 10 MB is read, and one that announces too much is refused unread', async () => {
    const big = { data: [{ name: 'b', note: 'x'.repeat(10_000_000) }] };
    const { client } = new ClientUnderTest(() => json(big));
    expect((await client.call(listBranches, { params })).data[0]?.name).toBe('b');
    const pulled = vi.fn();
    const announced = (): Response =>
      new Response(new ReadableStream({ pull: pulled }, { highWaterMark: 0 }), {
        headers: { 'content-length': '999999999' },
      });
    const refusing = new ClientUnderTest(announced);
    expect(await thrown(refusing.client.call(listBranches, { params }))).toMatchObject({ kind: 'invalidResponse' });
    expect(pulled).not.toHaveBeenCalled();
  });

  it('that is a stream may take longer than its headers: no timer is left when it is open', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const under = new ClientUnderTest(() => {
      expect(vi.getTimerCount()).toBe(1);
      return new Response('late');
    });
    const request = { params: { accountName: 'a', agentId: 1 }, body: {} };
    const response = await under.client.open(streamChatByAgent, request);
    expect(vi.getTimerCount()).toBe(0);
    expect(await response.text()).toBe('late');
  });

  it('of an abort counts only as 204: a JSON-RPC error in a 200 is none', async () => {
    const request = { params: { accountName: 'a', agentId: 1 }, body: { chatId: 'c' } };
    const under = new ClientUnderTest(() => json({ jsonrpc: '2.0', error: { code: -32_000, message: 'wrong key' } }));
    const error = await thrown(under.client.call(abortChatByAgent, request));
    expect(error).toMatchObject({ kind: 'auth', status: 200 });
    expect((error as PlatformError).message).toContain('“wrong key”');
    under.handler = () => json({ ok: true });
    expect(await thrown(under.client.call(abortChatByAgent, request))).toMatchObject({ kind: 'invalidResponse' });
  });

  it('that failed names the server’s own request id, when it has a sane one', async () => {
    const under = new ClientUnderTest(failing(400, { 'x-request-id': 'srv-1.a:b' }));
    expect(await thrown(under.client.call(listDeployments, {}))).toMatchObject({ requestId: 'srv-1.a:b' });
    under.handler = failing(400, { 'x-request-id': 'not an id <b>' });
    expect(await thrown(under.client.call(listDeployments, {}))).toMatchObject({ requestId: 'request-2' });
  });

  it('that nobody asked for (304) cannot be used', async () => {
    const under = new ClientUnderTest(() => new Response(null, { status: 304 }));
    expect(await thrown(under.client.call(listDeployments, {}))).toMatchObject({
      kind: 'invalidResponse',
      status: 304,
    });
  });

  it('of any bytes, status and type is read or refused as a PlatformError, never anything else', async () => {
    const answer = fc.record({
      status: fc.integer({ min: 200, max: 599 }),
      type: fc.constantFrom('application/json', 'text/html', 'text/plain', '', 'application/problem+json'),
      body: fc.oneof(fc.uint8Array(), fc.json(), fc.constant('{"data":[{"name":"b","id":[]}]}')),
    });
    await fc.assert(
      fc.asyncProperty(answer, async ({ status, type, body }) => {
        const bytes = typeof body === 'string' ? body : new Uint8Array(body);
        const empty = [204, 205, 304].includes(status);
        const under = new ClientUnderTest(
          () => new Response(empty ? null : bytes, { status, headers: { 'content-type': type } }),
        );
        const result = await under.clock
          .run(under.client.call(listBranches, { params }))
          .catch((error: unknown) => error);
        expect(isPlatformError(result) || Array.isArray((result as { data?: unknown }).data)).toBe(true);
      }),
    );
  });

  it('of a stream is opened, not called', async () => {
    const { client } = new ClientUnderTest(good);
    const call = client.call(streamChatByAgent, { params: { accountName: 'a', agentId: 1 }, body: {} });
    expect(await thrown(call)).toBeInstanceOf(TypeError);
  });

  it('keeps the conflicting paths of a 409, and the field that a 400 names', async () => {
    const body = { error: 'conflict', conflicts: ['model/a.yml'], field: 'body.branchName' };
    const under = new ClientUnderTest(() => json(body, { status: 409 }));
    const error = await thrown(under.client.call(pull, { params, body: { branchName: 'dev-a' } }));
    expect(error).toMatchObject({ kind: 'conflict', reason: 'gitConflict', body, field: 'body.branchName' });
  });
});

describe('an operation of neither document', () => {
  it('is sent only where the server lists it', async () => {
    const under = new ClientUnderTest(() => new Response(null, { status: 204 }), { supports: () => false });
    const { deleteBranch } = await import('#api/branches.ts');
    const call = under.client.call(deleteBranch, { params, query: { branchName: 'dev-a' } });
    expect(await thrown(call)).toMatchObject({ kind: 'unsupported', operation: 'deleteBranch' });
    expect(under.sent).toEqual([]);
  });
});
