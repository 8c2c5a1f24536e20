import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Credential } from '#api/client/credential.ts';
import { abortChatByAgent } from '#api/resources/chat.ts';
import { listDeployments } from '#api/resources/deployments.ts';
import { originOf } from '#base/origin.ts';
import { silentLogger } from '#base/log.ts';
import { ClientUnderTest, json, thrown } from '#support/api/client-under-test.ts';
import { patientDataClient } from '../../../support/api/patient-client.ts';

const token = 'sk-canary-7f3a9c1e';
const boundTo = (address: string | undefined): Credential => ({ kind: 'bearer', token, origin: originOf(address) });
const chatCall = { params: { accountName: 'a', agentId: 1 }, body: { chatId: 'c' } };

/** Addresses that look like the one in front, with another origin. */
const others = [
  ['https://acme.example', 'https://evil.example'],
  ['https://acme.example', 'https://acme.example.evil.example'],
  ['https://acme.example', 'https://acme.example:8443'],
  ['https://acme.example', 'https://acme.example.'],
  ['https://acme.example', 'https://xn--acm-dma.example'],
  ['https://localhost:4000', 'http://localhost:4000'],
  ['http://localhost:4000', 'http://127.0.0.1:4000'],
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4001'],
] as const;

describe('a key', () => {
  it.each(others)('for %s is not sent to %s', async (own, other) => {
    const { client, sent } = new ClientUnderTest(() => json({}), { baseUrl: other, credential: () => boundTo(own) });
    const error = await thrown(client.call(listDeployments, {}));
    expect(error).toMatchObject({ kind: 'insecure', message: expect.stringContaining(own) as string });
    expect(sent).toEqual([]);
  });

  it.each(others)('for %s is not sent to a chat on %s', async (own, chatUrl) => {
    const options = { baseUrl: own, chatUrl, credential: () => boundTo(own) };
    const platform = new ClientUnderTest(() => json({}), options);
    const chat = new ClientUnderTest(() => json({}), { ...options, chatCredential: () => boundTo(own) });
    for (const { client, sent } of [platform, chat]) {
      expect(await thrown(client.call(abortChatByAgent, chatCall))).toMatchObject({ kind: 'insecure' });
      expect(sent).toEqual([]);
    }
  });

  it.each(others)('for %s is not sent to a data API on %s', async (own, restUrl) => {
    const sent: unknown[] = [];
    const client = patientDataClient({
      restUrl,
      credential: () => ({ kind: 'plain', token, origin: originOf(own) }),
      logger: silentLogger,
      fetch: async (input) => {
        sent.push(input);
        return json({});
      },
    });
    expect(await thrown(client.meta())).toMatchObject({ kind: 'insecure' });
    expect(sent).toEqual([]);
  });

  it.each([undefined, 'not an address', 'file:///key', 'blob:https://acme.example/1'])(
    'for %s is sent to no server',
    async (own) => {
      const { client, sent } = new ClientUnderTest(() => json({}), { credential: () => boundTo(own) });
      expect(await thrown(client.call(listDeployments, {}))).toMatchObject({ kind: 'insecure' });
      expect(sent).toEqual([]);
    },
  );

  it('is in a request only where scheme, host and port are those it was entered for', async () => {
    const address = fc
      .record({
        scheme: fc.constantFrom('https', 'http'),
        host: fc.constantFrom('localhost', 'a.localhost', '127.0.0.1', '[::1]'),
        port: fc.constantFrom('', ':80', ':443', ':8443'),
      })
      .map(({ scheme, host, port }) => `${scheme}://${host}${port}`);
    await fc.assert(
      fc.asyncProperty(address, address, fc.constantFrom(301, 302, 307, 308), async (own, base, status) => {
        const redirected = new ClientUnderTest(
          ({ url }) =>
            new URL(url).origin === originOf(base)
              ? new Response(null, { status, headers: { location: `${own}/there` } })
              : json({ data: { deployments: [] } }),
          { baseUrl: base, credential: () => boundTo(own) },
        );
        await thrown(redirected.client.call(listDeployments, {}));
        for (const { url, headers } of redirected.sent) {
          expect(originOf(url)).toBe(originOf(own));
          expect(headers.get('authorization')).toBe(`Bearer ${token}`);
        }
        expect(redirected.sent.length > 0).toBe(originOf(own) === originOf(base));
      }),
    );
  });
});
