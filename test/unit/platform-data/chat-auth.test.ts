import { afterAll, describe, expect, it } from 'vitest';
import { linesOf } from '#support/chat-lines.ts';
import { apiKey, mountApis, scopedKey, token } from '#support/mounted-apis.ts';
import { signJwt } from '#platform/auth/jwt.ts';

const chunks = mountApis();
afterAll(() => chunks.close());

const byAgent = '/acme/agents/1/chat/stream-chat-state';
const byDeployment = '/acme/deployments/1/chat/stream-chat-state';
const abortByDeployment = '/acme/deployments/1/chat/abort';
const key = { authorization: `Api-Key ${apiKey}` };
const sessionSettings = { externalId: 'bob' };
const ask = { input: 'hi', sessionSettings };
const service = (claims: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> => ({
  'x-service-auth-token': token(claims),
});
const good = service({ sub: 'bob', scope: ['chat'] });

type Verdict = 'stream' | 'rpc' | number;

/** What became of a request: a stream, a JSON-RPC error in a 200, or a status with `{error}`. */
async function verdict(response: Response): Promise<{ readonly verdict: Verdict; readonly message: string }> {
  const text = await response.text();
  const [first = '{}'] = text.split('\n');
  const body = JSON.parse(first) as { id?: unknown; jsonrpc?: string; error?: string | { message: string } };
  const message = typeof body.error === 'string' ? body.error : (body.error?.message ?? '');
  if (response.status !== 200) return { verdict: response.status, message };
  return { verdict: body.jsonrpc === '2.0' ? 'rpc' : 'stream', message };
}

describe('authentication of the chat', () => {
  const table: readonly (readonly [name: string, path: string, headers: Readonly<Record<string, string>>, wanted: Verdict, message?: RegExp])[] = [
    ['agent form, API key', byAgent, key, 'stream'],
    ['agent form, service token', byAgent, good, 'stream'],
    ['deployment form, service token', byDeployment, good, 'stream'],
    ['deployment form, API key', byDeployment, key, 403, /^agentId is required for Api-Key authentication$/],
    ['no credential', byAgent, {}, 'rpc', /Authentication is required/],
    ['wrong key', byAgent, { authorization: 'Api-Key nope' }, 'rpc', /Invalid API key/],
    ['a key as Bearer', byAgent, { authorization: `Bearer ${apiKey}` }, 'rpc', /Invalid API key/],
    ['a key of other deployments', byAgent, { authorization: `Api-Key ${scopedKey}` }, 403, /not authorized for deployment 1/],
    ['both headers: the key wins', byAgent, { ...good, ...key }, 'stream'],
    ['both headers: the wrong key wins too', byAgent, { ...good, authorization: 'Api-Key nope' }, 'rpc'],
    ['both headers on the deployment form', byDeployment, { ...good, ...key }, 403],
    ['token of another secret', byAgent, { 'x-service-auth-token': signJwt({ sub: 'bob', scope: ['chat'] }, 'other') }, 'rpc', /Invalid service token/],
    ['token that is over', byAgent, service({ sub: 'bob', scope: ['chat'], exp: 1 }), 'rpc', /Invalid service token/],
    ['token without identity', byAgent, service({ scope: ['chat'] }), 'rpc', /neither externalId nor sub/],
    ['token without scope', byAgent, service({ sub: 'bob' }), 'rpc', /scope does not include chat/],
    ['token with another scope', byAgent, service({ sub: 'bob', scope: ['data'] }), 'rpc', /scope does not include chat/],
    ['token with both identities', byAgent, service({ sub: 'x', externalId: 'Bob', scope: ['data', 'chat'] }), 'stream'],
    ['unknown account', '/nobody/agents/1/chat/stream-chat-state', key, 404, /account nobody/],
    ['unknown agent', '/acme/agents/5/chat/stream-chat-state', key, 404, /agent 5/],
    ['another tenant’s agent', '/acme/agents/9/chat/stream-chat-state', key, 404, /agent 9/],
    ['unknown deployment', '/acme/deployments/5/chat/stream-chat-state', good, 404, /deployment 5/],
    ['abort, deployment form, API key', abortByDeployment, key, 403, /agentId is required/],
    ['abort, no credential', abortByDeployment, {}, 'rpc'],
  ]; // prettier-ignore
  for (const [name, path, headers, wanted, message] of table) {
    it(name, async () => {
      const result = await verdict(await chunks.chat(path, { ...ask, chatId: undefined }, headers));
      expect(result.verdict).toBe(wanted);
      expect(result.message).toMatch(message ?? '');
    });
  }

  it('refuses service tokens where the deployment does not take them', async () => {
    const off = mountApis({ engine: chunks.engine, deployment: { serviceTokensEnabled: false } });
    const result = await verdict(await off.chat(byDeployment, ask, good));
    expect(result).toMatchObject({ verdict: 'rpc', message: expect.stringContaining('not enabled') as string });
    await off.close();
  });

  it('ignores sessionSettings of a token, wrong or right', async () => {
    const result = await verdict(await chunks.chat(byAgent, { input: 'hi', sessionSettings: { groups: 5 } }, good));
    expect(result.verdict).toBe('stream');
  });
});

describe('bad requests name the field', () => {
  const cases: readonly (readonly [body: unknown, message: RegExp])[] = [
    [{ input: 'hi' }, /^sessionSettings is required/],
    [{ input: 'hi', sessionSettings: {} }, /externalId or sessionSettings.internalId is required/],
    [{ input: 'hi', sessionSettings: { externalId: 'a b' } }, /^sessionSettings.externalId/],
    [{ input: 'hi', sessionSettings: { internalId: 'nobody' } }, /^sessionSettings.internalId must be an e-mail/],
    [{ input: 'hi', sessionSettings: { internalId: 'x@acme.example' } }, /^sessionSettings.internalId: there is no active user/],
    [{ input: 'hi', sessionSettings: { internalId: 'ada@acme.example', groups: [] } }, /^sessionSettings.groups is not allowed/],
    [{ input: 'hi', sessionSettings: { internalId: 'ada@acme.example', userAttributes: [] } }, /userAttributes is not allowed/],
    [{ input: 'hi', sessionSettings: { internalId: 'ada@acme.example', securityContext: {} } }, /securityContext is not allowed/],
    [{ input: 'hi', sessionSettings: { externalId: 'bob', userAttributes: [{ name: 'nope', value: 'x' }] } }, /'nope' is not a configured/],
    [{ input: 'hi', sessionSettings: { externalId: 'bob', ephemeralTtlSeconds: 0 } }, /^sessionSettings.ephemeralTtlSeconds/],
    [{ sessionSettings }, /^input is required/],
    [{ input: ' ', sessionSettings }, /^input must not be empty/],
    [{ input: 5, sessionSettings }, /^input must be a string/],
    [{ input: 'hi', messageId: '123-message', sessionSettings }, /^messageId must be/],
    [{ input: 'hi', isDefaultBranch: 'yes', sessionSettings }, /^isDefaultBranch/],
    [[], /^sessionSettings is required/],
  ]; // prettier-ignore
  for (const [body, message] of cases) {
    it(JSON.stringify(body), async () => {
      const result = await verdict(await chunks.chat(byAgent, body));
      expect(result.verdict).toBe(400);
      expect(result.message).toMatch(message);
    });
  }

  it('abort without chatId', async () => {
    const result = await verdict(await chunks.chat('/acme/agents/1/chat/abort', { sessionSettings }));
    expect(result).toEqual({ verdict: 400, message: 'chatId is required' });
  });
});

describe('users', () => {
  async function threadOf(settings: Readonly<Record<string, unknown>>): Promise<string> {
    const lines = await linesOf(await chunks.chat(byAgent, { input: 'hi', sessionSettings: settings }));
    return lines.find((line) => line.id === '__cutoff__')?.state?.chatId ?? '';
  }
  async function reads(chatId: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<number> {
    return (await chunks.chat(byAgent, { chatId, ...(body as object) }, headers)).status;
  }

  it('keep their identity whatever the case of their id, and by key or token', async () => {
    const chatId = await threadOf({ externalId: 'Carol' });
    expect(await reads(chatId, { sessionSettings: { externalId: 'carol' } })).toBe(200);
    expect(await reads(chatId, {}, service({ externalId: 'CAROL', scope: ['chat'] }))).toBe(200);
  });

  it('do not see each other’s threads', async () => {
    const chatId = await threadOf({ externalId: 'dave' });
    expect(await reads(chatId, { sessionSettings: { externalId: 'erin' } })).toBe(404);
    expect(await reads(chatId, { sessionSettings: { internalId: 'ada@acme.example' } })).toBe(404);
  });

  it('leave a line in the audit log when they start a thread', async () => {
    const chatId = await threadOf({ externalId: 'frank', email: 'frank@shop.example' });
    expect(chunks.audit.at(-1)).toMatchObject({
      eventName: 'chat.started',
      userEmail: 'frank@shop.example',
      data: { chatId },
    });
  });
});
