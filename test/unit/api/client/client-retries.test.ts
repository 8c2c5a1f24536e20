import { describe, expect, it, vi } from 'vitest';
import { CancelledError, isCancelled } from '#base/async.ts';
import { commit, pull } from '#api/resources/branches.ts';
import { abortChatByAgent } from '#api/resources/chat.ts';
import type { Credential } from '#api/client/credential.ts';
import { deleteDataModelFiles } from '#api/resources/data-model.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { isPlatformError } from '#api/errors.ts';
import { deleteUser } from '#api/resources/users.ts';
import { ClientUnderTest, ownOrigin, type Handler, json, thrown } from '#support/api/client-under-test.ts';

const params = { deploymentId: 7 };
const noDeployments = { data: { deployments: [] }, pagination: { offset: 0, limit: 20, total: 0 } };

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

describe('a 401', () => {
  const byKey: Handler = (request) =>
    request.headers.get('authorization') === 'Bearer new-key' ? json(noDeployments) : failing(401)();

  it('renews the credential once and goes again once', async () => {
    let token = 'old-key';
    const onUnauthorized = vi.fn(async () => {
      token = 'new-key';
      return true;
    });
    const under = new ClientUnderTest(byKey, {
      credential: () => ({ kind: 'bearer', token, origin: ownOrigin }),
      onUnauthorized,
    });
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
    const under = new ClientUnderTest(handler, {
      credential: () => ({ kind: 'bearer', token, origin: ownOrigin }),
      onUnauthorized,
    });
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
    ['a credential of its own', (): Credential => ({ kind: 'serviceToken', token: 'jwt-1', origin: ownOrigin }), 0],
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

  it('reads that date by the server’s clock, when this machine’s is a day behind', async () => {
    const under = new ClientUnderTest(() => json(noDeployments));
    const server = under.clock.now() + 24 * 3_600_000;
    const headers = { date: new Date(server).toUTCString(), 'retry-after': new Date(server + 5000).toUTCString() };
    under.handler = inTurn(failing(503, headers), () => json(noDeployments));
    const started = under.clock.now();
    await under.clock.run(under.client.call(listDeployments, {}));
    expect(under.clock.now() - started).toBe(5000);
  });

  it('becomes the caller’s business when the server wants a long pause', async () => {
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

  it.each([
    ['a lost reply', () => Promise.reject(new TypeError('fetch failed'))],
    ['a failed server', () => Promise.resolve(failing(502)())],
  ])('of a deletion after %s finds it gone: that is done', async (_, first) => {
    let times = 0;
    const under = new ClientUnderTest(() => ((times += 1) === 1 ? first() : failing(404)()));
    expect(await under.clock.run(under.client.call(deleteUser, { params: { id: 3 } }))).toBeUndefined();
    expect(under.sent).toHaveLength(2);
  });

  it('that finds nothing to begin with is a failure, and so is a change of files', async () => {
    const gone = new ClientUnderTest(failing(404));
    expect(await thrown(gone.client.call(deleteUser, { params: { id: 3 } }))).toMatchObject({ kind: 'notFound' });
    const files = new ClientUnderTest(inTurn(failing(500), failing(404)));
    const body = { branchName: 'dev-a', files: [{ path: 'model/a.yml' }] };
    const change = files.client.call(deleteDataModelFiles, { params, body });
    expect(await thrown(files.clock.run(change))).toMatchObject({ kind: 'notFound' });
    expect(files.sent).toHaveLength(2);
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
