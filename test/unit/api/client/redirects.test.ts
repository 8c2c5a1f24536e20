import { describe, expect, it } from 'vitest';
import { commit } from '#api/resources/branches.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import type { PlatformError } from '#api/errors.ts';
import { ClientUnderTest, type Handler, json, thrown } from '#support/api/client-under-test.ts';

const found = { data: { deployments: [] } };
const redirect = (status: number, location: string | undefined): Response =>
  new Response(null, { status, headers: location === undefined ? {} : { location } });
const change = { params: { deploymentId: 7 }, body: { message: 'm', branchName: 'dev-a' } };

/** Redirects everything but the path `/there`. */
const once =
  (status: number, location: string): Handler =>
  (request) =>
    new URL(request.url).pathname.startsWith('/there') ? json(found) : redirect(status, location);

describe('a redirect', () => {
  it.each([301, 302, 303, 307, 308])('%i of a read within the origin is followed, key and all', async (status) => {
    const { client, sent } = new ClientUnderTest(once(status, '/there?x=1'));
    await client.call(listDeployments, {});
    expect(sent.map(({ url }) => url)).toEqual([
      'https://acme.example/api/v1/deployments',
      'https://acme.example/there?x=1',
    ]);
    expect(sent[1]?.headers.get('authorization')).toBe('Bearer sk-canary-7f3a9c1e');
  });

  it.each([307, 308])('%i of a change within the origin goes again with method and body', async (status) => {
    const { client, sent } = new ClientUnderTest(once(status, '/there'));
    await client.call(commit, change);
    expect(sent[1]?.method).toBe('POST');
    expect(await sent[1]?.json()).toEqual(change.body);
  });

  it('303 of a change within the origin is read without body', async () => {
    const { client, sent } = new ClientUnderTest(once(303, '/there'));
    await client.call(commit, change);
    expect([sent[1]?.method, await sent[1]?.text()]).toEqual(['GET', '']);
  });

  it.each([301, 302])('%i of a change is not turned into a read', async (status) => {
    const { client, sent } = new ClientUnderTest(once(status, '/there'));
    expect(await thrown(client.call(commit, change))).toMatchObject({ kind: 'invalidResponse' });
    expect(sent).toHaveLength(1);
  });

  it.each([
    'https://evil.example/x',
    'https://acme.example.evil.example/x',
    'https://acme.example:8443/x',
    'http://acme.example/x',
    '//evil.example/x',
    'https://acme.example@evil.example/x',
    'https://acme.example./x',
    '/\\evil.example/x',
    'ftp://acme.example/x',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:application/json,{}',
    'blob:https://acme.example/1',
  ])('to %s never carries the key', async (location) => {
    const { client, sent } = new ClientUnderTest(() => redirect(302, location));
    const error = await thrown(client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'insecure', status: 302 });
    expect((error as PlatformError).message).toContain('the key must not go');
    expect(sent).toHaveLength(1);
  });

  it.each(['https://user@acme.example/there', 'https://user:word@acme.example/there'])(
    'to %s is not followed: it holds a user name',
    async (location) => {
      const { client, sent } = new ClientUnderTest(once(302, location));
      expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'insecure' });
      expect(sent).toHaveLength(1);
    },
  );

  it('in a circle ends', async () => {
    const { client, sent } = new ClientUnderTest(() => redirect(302, '/again'));
    expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'invalidResponse' });
    expect(sent).toHaveLength(6);
  });

  it.each([undefined, 'http://['])('to %s is an answer that cannot be used', async (location) => {
    const { client } = new ClientUnderTest(() => redirect(302, location));
    expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'invalidResponse' });
  });
});
