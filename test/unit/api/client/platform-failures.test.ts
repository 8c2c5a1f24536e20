import { inspect } from 'node:util';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { abortChatByDeployment } from '#api/resources/chat.ts';
import type { Credential } from '#api/client/credential.ts';
import { isPlatformError, type PlatformError } from '#api/errors.ts';
import { type Operation, operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { ClientUnderTest, ownOrigin, thrown } from '#support/api/client-under-test.ts';
import { canary, samples } from '#support/api/samples.ts';
import { quickEngine } from '#support/quick-engine.ts';

/** Every operation against the local platform's own refusals and faults: what users read, and that nothing leaks. */

let platform: Platform;
beforeAll(async () => {
  platform = await createPlatform({ engine: quickEngine(), faults: true });
});
afterAll(() => platform.close());

interface Sending {
  readonly key?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  readonly timeoutMs?: number;
}

/** Sends the sample of an operation with some of it changed; resolves to its error once that was found to leak nothing. */
async function refused(op: Operation, sending: Sending = {}): Promise<PlatformError> {
  const token = sending.key ?? platform.apiKey;
  const credential: Credential = { kind: 'bearer', token, origin: ownOrigin };
  const under = new ClientUnderTest((request) => platform.fetch(request), {
    credential: () => credential,
    limits: { attempts: 1, timeoutMs: sending.timeoutMs ?? 30_000 },
  });
  const sample = samples[op.id]?.request ?? {};
  const shop = sample.params && 'deploymentId' in sample.params ? { deploymentId: demo.shop } : {};
  const params = sample.params && { ...sample.params, ...shop, ...sending.params };
  const request = { ...sample, ...(params ? { params } : {}), ...('body' in sending ? { body: sending.body } : {}) };
  const error = await thrown(under.clock.run<unknown>(under.client.open(op, request)));
  if (!isPlatformError(error)) throw error;
  const told = inspect([error, under.logs], { depth: 12 });
  expect(told).not.toContain(token);
  expect(told).not.toContain(canary);
  expect(under.sent).toHaveLength(1);
  return error;
}

const names = (op: Operation): readonly string[] => [...op.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
const withKey = operations.filter((op) => !op.anonymous);
const ofDeployment = withKey.filter((op) => op.host !== 'chat' && names(op).includes('deploymentId'));

describe('a key that the platform does not know', () => {
  // The chat says so in a stream of status 200: `chat-auth.test.ts`.
  it.each(withKey.filter(({ host }) => host !== 'chat'))('$id: is 401, and the message says to sign in', async (op) => {
    const error = await refused(op, { key: 'unknown-key-5d1c' });
    expect([error.kind, error.status]).toEqual(['auth', 401]);
    expect(error.message).toContain('Sign in again');
  });
});

describe('a key of other deployments', () => {
  it.each(ofDeployment)('$id: is 403, and the message says which key helps', async (op) => {
    const error = await refused(op, { key: demo.keys.scoped, params: { deploymentId: demo.connected } });
    expect([error.kind, error.status, error.reason]).toEqual(['forbidden', 403, 'outOfScope']);
    expect(error.message).toContain('use one that covers this deployment');
  });
});

describe('an id that the platform does not know', () => {
  it.each(ofDeployment)('$id: is 404 for a deployment', async (op) => {
    const error = await refused(op, { params: { deploymentId: 999 } });
    expect([error.kind, error.status]).toEqual(['notFound', 404]);
    expect(error.message).toContain('refresh and try again');
  });

  // An upsert makes what its address names.
  const ofThings = withKey.filter(
    (op) =>
      op.host !== 'chat' &&
      !op.id.startsWith('upsert') &&
      names(op).some((name) => name !== 'deploymentId') &&
      !['getUserOauthToken', 'deleteUserOauthToken', 'listUserAttributeValues'].includes(op.id),
  );
  it.each(ofThings)('$id: is 404 for what its address names', async (op) => {
    const unknown = names(op).filter((name) => name !== 'deploymentId');
    const error = await refused(op, { params: Object.fromEntries(unknown.map((name) => [name, '987654'])) });
    expect([error.kind, error.status]).toEqual(['notFound', 404]);
  });

  it('abortChatByDeployment: is 403 for an API key, which only agents take', async () => {
    const params = { accountName: demo.account, deploymentId: demo.shop };
    const error = await refused(abortChatByDeployment, {
      params,
      body: { chatId: 'x', sessionSettings: { externalId: 'ada' } },
    });
    expect([error.kind, error.status, error.reason]).toEqual(['forbidden', 403, 'agentRequired']);
  });
});

describe('a wrong field that the client lets pass', () => {
  const withBody = withKey.filter((op) => op.body && op.encoding === undefined && op.host !== 'chat');
  it.each(withBody)('$id: is 400 or 404 in the platform’s words', async (op) => {
    const careless = operation({
      ...op,
      params: v.unknown(),
      query: v.unknown(),
      body: v.unknown(),
      answer: v.unknown(),
    });
    const error = await refused(careless, { body: 'not an object at all' });
    expect(['invalidRequest 400', 'notFound 404']).toContain(`${error.kind} ${error.status}`);
    expect(error.message).toMatch(/(?:asks for|status \d+\)): “.+”/);
    // Neither a library's words nor the value, which may be a secret.
    expect(error.message).not.toMatch(/received|Invalid|not an object at all/);
  });
});

describe('a platform in trouble', () => {
  const trouble = [
    { fault: { kind: 'status', status: 429, retryAfter: 7 }, kind: 'rateLimit', message: /in 7 s/ },
    { fault: { kind: 'status', status: 500 }, kind: 'server', message: /Try again later/ },
    { fault: { kind: 'reset' }, kind: 'network', message: /could not be reached/ },
    { fault: { kind: 'html' }, kind: 'invalidResponse', message: /web page/ },
    { fault: { kind: 'hang' }, kind: 'timeout', message: /did not answer/, timeoutMs: 5 },
  ] as const;

  describe.each(trouble)('$kind', ({ fault, kind, message, ...limits }) => {
    beforeAll(async () => {
      const set = new Request('https://acme.example/_faults', {
        method: 'POST',
        body: JSON.stringify({ faults: [fault] }),
      });
      if (!(await platform.fetch(set)).ok) throw new Error('The fault was not set.');
    });
    afterAll(() => platform.fetch(new Request('https://acme.example/_faults', { method: 'DELETE' })));

    it.each(operations)('$id', async (op) => {
      const error = await refused(op, limits);
      expect([error.kind, error.operation]).toEqual([kind, op.id]);
      expect(error.message).toMatch(message);
    });
  });
});
