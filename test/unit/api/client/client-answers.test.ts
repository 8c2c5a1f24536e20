import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { listBranches, merge, pull } from '#api/resources/branches.ts';
import { abortChatByAgent, streamChatByAgent } from '#api/resources/chat.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';

const params = { deploymentId: 7 };
const noDeployments = { data: { deployments: [] }, pagination: { offset: 0, limit: 20, total: 0 } };
const good: Handler = () => json(noDeployments);

const failing =
  (status: number, headers: Record<string, string> = {}) =>
  (): Response =>
    json({ error: 'no' }, { status, headers });

describe('an answer', () => {
  it('comes whole even in many small parts, cut inside a character', async () => {
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

  it('of a slow operation is waited for longer, and its timeout says that the change may have been made', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { client } = new ClientUnderTest(() => new Promise<Response>(() => undefined));
    const said: string[] = [];
    const told = (work: Promise<unknown>): Promise<void> =>
      work.then(undefined, (error: unknown) => void said.push((error as Error).message));
    const both = [
      told(client.call(listDeployments, {})),
      told(client.call(merge, { params, body: { branchName: 'dev-a' } })),
    ];
    await vi.advanceTimersByTimeAsync(30_000);
    expect(said).toEqual([
      'acme.example did not answer “list deployments” within 30 s. Try again; if that does not help, check the connection.',
    ]);
    await vi.advanceTimersByTimeAsync(90_000);
    await Promise.all(both);
    expect(said[1]).toBe(
      'acme.example did not answer “merge” within 120 s. It may have been done anyway: refresh and check before you try again.',
    );
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

  it('that was not asked for (304) cannot be used', async () => {
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
