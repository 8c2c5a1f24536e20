import { originOf } from '#base/origin.ts';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import type { Credential } from '#api/client/credential.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { delay } from '#base/async.ts';
import { systemClock } from '#base/clock.ts';
import type { ChatTurn } from '#chat-core/thread.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { realEngine } from '#support/real-engine.ts';
import { agentAddress, chatService, platformTransport } from '#support/chat/platform-chat.ts';

const deploymentAddress: ChatAddress = {
  form: 'deployment',
  chatUrl: agentAddress.chatUrl,
  accountName: demo.account,
  deploymentId: String(demo.shop),
};
const addresses = { agent: agentAddress, deployment: deploymentAddress } as const;
const { signal } = new AbortController();

let platform: Platform;
beforeAll(async () => {
  const clock = { now: () => systemClock.now(), sleep: (ms: number, at?: AbortSignal) => delay(ms / 50, at) };
  platform = await createPlatform({ clock, engine: realEngine(), warehouseDir: inject('shared') });
});
afterAll(() => platform.close());

const origin = originOf(agentAddress.chatUrl);
const inAnHour = Math.floor(Date.now() / 1000) + 3600;
const token = (claims: object, secret: string = demo.apiSecret): Credential => ({
  kind: 'serviceToken',
  token: signJwt({ externalId: 'ann', scope: ['chat'], exp: inAnHour, ...claims }, secret),
  origin,
});
const credentials = {
  'API key': () => ({ kind: 'apiKey', token: platform.apiKey, origin }),
  'another API key': () => ({ kind: 'apiKey', token: 'not-a-key', origin }),
  'service token': () => token({}),
  'service token with sub only': () => token({ externalId: undefined, sub: 'ann' }),
  'service token of another secret': () => token({}, 'another-secret'),
  'service token that is over': () => token({ exp: 1 }),
  'service token without identity': () => token({ externalId: undefined }),
  'service token without the scope': () => token({ scope: ['data'] }),
} as const satisfies Record<string, () => Credential>;

/** Asks one question and resolves to how the turn ended, with the platform's id of its thread. */
async function ask(address: ChatAddress, credential: Credential): Promise<{ turn: ChatTurn; chatId: string }> {
  const service = chatService(platformTransport(platform, { address, credential }));
  const { key } = service.create();
  const ended = new Promise<ChatTurn>((resolve) => service.onDidEnd(({ turn }) => resolve(turn)));
  service.send(key, 'Hello');
  const turn = await ended;
  service.dispose();
  return { turn, chatId: service.get(key)?.chatId ?? '' };
}

/** docs/chat.md#credentials: which credential opens which form, and what a refusal is for the user. */
describe('the authentication table', () => {
  it.each([
    ['agent', 'API key'],
    ['agent', 'service token'],
    ['agent', 'service token with sub only'],
    ['deployment', 'service token'],
    ['deployment', 'service token with sub only'],
  ] as const)('the %s form takes the %s, for the answer and for the stop', async (form, kind) => {
    const [address, credential] = [addresses[form], credentials[kind]()];
    const { turn, chatId } = await ask(address, credential);
    expect(turn).toMatchObject({ phase: 'complete', problem: undefined });
    await expect(platformTransport(platform, { address, credential }).abort(chatId, signal)).resolves.toBeUndefined();
  });

  it.each([
    ['deployment', 'API key', 'refused', /agentId is required for Api-Key authentication/],
    ['agent', 'another API key', 'credential', /key/i],
    ['agent', 'service token of another secret', 'credential', /token/i],
    ['deployment', 'service token of another secret', 'credential', /token/i],
    ['deployment', 'service token that is over', 'credential', /token/i],
    ['deployment', 'service token without identity', 'credential', /externalId|identity|sub/i],
    ['deployment', 'service token without the scope', 'credential', /scope/i],
  ] as const)('the %s form refuses the %s as %s', async (form, kind, problem, words) => {
    const { turn } = await ask(addresses[form], credentials[kind]());
    expect(turn).toMatchObject({ phase: 'failed', problem: { kind: problem } });
    expect(turn.problem?.message).toMatch(words);
  });

  it('the deployment form refuses the API key for the stop as well', async () => {
    const { chatId } = await ask(agentAddress, credentials['API key']());
    const transport = platformTransport(platform, { address: deploymentAddress, credential: credentials['API key']() });
    await expect(transport.abort(chatId, signal)).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('ids that differ only in case are one user, whichever credential names them', async () => {
    const { chatId } = await ask(agentAddress, token({ externalId: 'Ann' }));
    const same = platformTransport(platform, { credential: token({ externalId: 'ANN' }) });
    await expect(same.abort(chatId, signal)).resolves.toBeUndefined();
    const other = platformTransport(platform, { credential: token({ externalId: 'bob' }) });
    await expect(other.abort(chatId, signal)).rejects.toMatchObject({ kind: 'forbidden' });
  });
});
