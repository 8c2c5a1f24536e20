import { beforeEach, describe, expect, it } from 'vitest';
import { contractModes, holdsIn } from '#support/contract-modes.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { a, type Ask, type Json, openContract, plain, type Said } from '#support/contract.ts';

/** docs/chat.md, sentence by sentence. */

const byAgent = '/api/v1/public/shop/agents/1/chat';
const byDeployment = '/api/v1/public/shop/deployments/1/chat';
const sessionSettings = { externalId: 'mia' };
const fields = 'id role content thinking toolCall graphPath isDelta isInProcess isStructuredResponse sort state'.split(
  ' ',
);

const linesOf = ({ text }: Said): readonly Json[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Json);

const chatIdOf = (said: Said): string =>
  plain(linesOf(said).find(({ id }) => plain(id) === '__cutoff__')?.['state']?.['chatId']);

describe.each(contractModes)('on a %s platform', (mode) => {
  beforeEach(({ task, skip }) => skip(!holdsIn(mode, task.name)));

  async function open(): Promise<{ ask: Ask; stream: (body: object, form?: string) => Promise<Said> }> {
    const { ask, platform } = await openContract(mode);
    const authorization = `Api-Key ${platform.apiKey}`;
    return { ask, stream: (body, form = byAgent) => ask(`POST ${form}/stream-chat-state`, { body, authorization }) };
  }
  const token = (claims: object): Readonly<Record<string, string>> => ({
    'X-Service-Auth-Token': signJwt({ ...claims }, demo.apiSecret),
  });

  it('the answer is 200 with a stream of NDJSON', async () => {
    const said = await (await open()).stream({ input: 'Hello', sessionSettings });
    expect([said.status, said.type]).toEqual([200, 'application/x-ndjson']);
    const known = linesOf(said).filter(({ id }) => plain(id) !== '__usage__');
    expect(known.flatMap((line) => Object.keys(line)).filter((name) => !fields.includes(name))).toEqual([]);
    expect(mode === 'strict' ? linesOf(said) : known).toEqual(known);
  });

  it('the initial state comes first with sort 0, then the echo of the user, and the final state last', async () => {
    const said = await (await open()).stream({ input: 'Hello', messageId: '1763800000000-message', sessionSettings });
    const known = linesOf(said).filter(({ id }) => plain(id) !== '__usage__');
    expect(known[0]).toMatchObject({ id: '__cutoff__', role: 'assistant', sort: 0, state: { isStreaming: true } });
    expect(known[1]).toMatchObject({ id: '1763800000000-message', role: 'user', content: 'Hello', isDelta: false });
    expect(known.at(-1)).toMatchObject({ id: '__state__', state: { messages: a.list } });
  });

  it('the final answer is the last assistant message whose graphPath is final and at most one more segment', async () => {
    const said = await (await open()).stream({ input: 'Hello', sessionSettings });
    const final = linesOf(said).findLast((line) => {
      const path = (line['graphPath'] ?? []) as unknown as readonly string[];
      return plain(line['role']) === 'assistant' && path[0] === 'final' && path.length <= 2;
    });
    expect(final).toMatchObject({ isInProcess: false, isDelta: false, content: a.matching(/\S/) });
  });

  it('a thread is created when chatId is omitted, and without input its state is returned', async () => {
    const { stream } = await open();
    const chatId = chatIdOf(await stream({ input: 'Hello', sessionSettings }));
    const again = await stream({ chatId, sessionSettings });
    expect([again.status, chatIdOf(again)]).toEqual([200, chatId]);
    expect(again.text).toContain('Hello');
  });

  it('a chatId must match one that was returned before', async () => {
    expect((await (await open()).stream({ input: 'Hi', chatId: 'nowhere', sessionSettings })).status).toBe(404);
  });

  it.each([
    ['a messageId without a timestamp', { messageId: 'mine' }],
    ['an externalId with a space', { sessionSettings: { externalId: 'mia k' } }],
    ['groups beside internalId', { sessionSettings: { internalId: 'ada@shop.example', groups: ['a'] } }],
    ['userAttributes beside internalId', { sessionSettings: { internalId: 'ada@shop.example', userAttributes: [] } }],
    [
      'a security context beside internalId',
      { sessionSettings: { internalId: 'ada@shop.example', securityContext: {} } },
    ],
  ])('4.1 and 7: %s is 400', async (_what, body) => {
    expect((await (await open()).stream({ input: 'Hi', sessionSettings, ...body })).status).toBe(400);
  });

  it('abort answers 204 without a body, and 404 where there is no such thread', async () => {
    const { ask, stream } = await open();
    const chatId = chatIdOf(await stream({ input: 'Hello', sessionSettings }));
    const abort = (id: string, who = sessionSettings) =>
      ask(`POST ${byAgent}/abort`, {
        body: { chatId: id, sessionSettings: who },
        authorization: `Api-Key ${demo.keys.unscoped}`,
      });
    expect(await abort(chatId)).toMatchObject({ status: 204, text: '' });
    expect((await abort('nowhere')).status).toBe(404);
    expect((await abort(chatId, { externalId: 'noah' })).status).toBe(403);
  });

  it('an API key on the deployment form is 403 with the documented message', async () => {
    const said = await (await open()).stream({ input: 'Hi', sessionSettings }, byDeployment);
    expect([said.status, said.json]).toEqual([403, { error: 'agentId is required for Api-Key authentication' }]);
  });

  it.each([byAgent, byDeployment])('5.2: a service token opens %s, and its externalId may be its sub', async (form) => {
    const { ask } = await open();
    const body = { input: 'Hello' };
    for (const claims of [
      { externalId: 'Noah', scope: ['chat'] },
      { sub: 'noah', scope: ['chat'] },
    ]) {
      const said = await ask(`POST ${form}/stream-chat-state`, { body, authorization: null, headers: token(claims) });
      expect([said.status, said.type]).toEqual([200, 'application/x-ndjson']);
    }
  });

  it('a token without an identity or without the scope chat is 200 with a JSON-RPC error object', async () => {
    const { ask } = await open();
    for (const claims of [{ scope: ['chat'] }, { externalId: 'noah' }, { externalId: 'noah', scope: ['meta'] }]) {
      const options = { body: { input: 'Hi' }, authorization: null, headers: token(claims) };
      const { status, json } = await ask(`POST ${byDeployment}/stream-chat-state`, options);
      expect([status, json]).toMatchObject([200, { jsonrpc: '2.0', error: { message: a.text } }]);
    }
  });

  it('an Authorization header takes precedence over the token header', async () => {
    const { ask } = await open();
    const options = { body: { input: 'Hi', sessionSettings }, headers: token({ externalId: 'noah', scope: ['chat'] }) };
    const authorization = `Api-Key ${demo.keys.unscoped}`;
    expect((await ask(`POST ${byDeployment}/stream-chat-state`, { ...options, authorization })).status).toBe(403);
  });

  it('tool inputs and results are JSON texts with the documented fields', async () => {
    const said = await (await open()).stream({ input: 'revenue by category', sessionSettings });
    const calls = linesOf(said).flatMap(({ toolCall }) => (toolCall?.['result'] === undefined ? [] : [toolCall]));
    const missing = calls.flatMap((call) => {
      const result = JSON.parse(plain(call['result'])) as Json;
      const expected = plain(call['name']).endsWith('Meta') ? ['cubes', 'searchQuery'] : ['sqlQuery'];
      expect(JSON.parse(plain(call['input']))).toBeTypeOf('object');
      return expected.filter((name) => result['error'] === undefined && result[name] === undefined);
    });
    expect(missing).toEqual([]);
    expect(calls.length).toBeGreaterThan(0);
  });
});
