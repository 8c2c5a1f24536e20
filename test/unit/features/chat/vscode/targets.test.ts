import { describe, expect, it } from 'vitest';
import { type ChatAddress, parseChatUrl } from '#api/tenant-url.ts';
import { Emitter } from '#base/event.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import type { TargetState } from '#chat-core/ports.ts';
import { KeyOrigins } from '#shell/key-origins.ts';
import { AddressBook } from '#features/chat/address-book.ts';
import type { ChatContext, ChatSettings } from '#features/chat/chat-context.ts';
import { ChatTargets } from '#features/chat/targets.ts';

const AGENT = 'https://ai.example.com/api/v1/public/shop/agents/7/chat/stream-chat-state';
const DEPLOYMENT = 'https://ai.example.com/api/v1/public/shop/deployments/1/chat/stream-chat-state';
const ready: Extract<ChatContext, { readonly kind: 'ready' }> = {
  kind: 'ready',
  accountId: 'a1',
  tenantUrl: 'https://shop.example.com',
  deploymentId: '1',
  deploymentName: 'Shop analytics',
  branch: { name: 'dev-ann', isDefault: false },
};

function address(url: string): ChatAddress {
  const parsed = parseChatUrl(url);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return parsed.value;
}

function setUp(settings: Partial<ChatSettings> = {}, confirmed = true) {
  const stored = new Map<string, unknown>();
  const kept = new Map<string, string>();
  const secretChanged = new Emitter<string>();
  const secrets = {
    get: (key: string) => Promise.resolve(kept.get(key)),
    set: (key: string, value: string) => Promise.resolve(void kept.set(key, value)),
    delete: (key: string) => Promise.resolve(void kept.delete(key)),
    names: () => Promise.resolve([...kept.keys()]),
    onDidChange: secretChanged.event,
  };
  const state = {
    get: (key: string) => stored.get(key),
    set: (key: string, value: unknown) => Promise.resolve(void stored.set(key, value)),
  };
  const book = new AddressBook(state, secrets);
  const context = new Store<ChatContext>(ready);
  const isTrusted = new Store(true);
  const settingsChanged = new Emitter<void>();
  const now: ChatSettings = {
    sendWith: 'enter',
    fontSize: 0,
    url: '',
    serviceTokenHeader: 'X-Service-Auth-Token',
    externalId: '',
    internalId: '',
    session: {},
    notifyWhenReady: true,
    context: [],
    keepThreads: 0,
    ...settings,
  };
  const sent: { readonly url: string; readonly headers: Headers; readonly body: Record<string, unknown> }[] = [];
  const origins = new KeyOrigins(state);
  // Kept at once, as by a question that was answered before.
  if (confirmed) void origins.confirm(ready, AGENT);
  const window = { context, isTrusted, settings: () => now, onDidChangeSettings: settingsChanged.event };
  const keys = { book, origins, state, apiKey: async (id: string) => `key-of-${id}` };
  const targets = new ChatTargets(window, keys, {
    logger: silentLogger,
    requests: {
      userAgent: 'test',
      fetch: async (input, init) => {
        const request = new Request(input, init);
        sent.push({
          url: request.url,
          headers: request.headers,
          body: (await request.json()) as Record<string, unknown>,
        });
        return new Response('{"id":"__state__","state":{}}\n', { headers: { 'content-type': 'application/json' } });
      },
    },
  });
  return { book, context, isTrusted, origins, targets, sent, stored, kept };
}

/** Sends one question with the present target. */
async function ask(state: TargetState): Promise<void> {
  if (state.kind !== 'ready') throw new Error(state.message);
  const { transport, branch } = state.target;
  const request = { input: 'Q', messageId: '1700000000000-message', branch };
  for await (const batch of await transport.send(request, new AbortController().signal)) void batch;
}

describe('ChatTargets', () => {
  it('says what is missing, one thing at a time', async () => {
    const { book, context, isTrusted, targets } = setUp();
    const what = (): string => (targets.state.value.kind === 'missing' ? targets.state.value.what : 'nothing');
    expect(what()).toBe('address');
    context.set({ kind: 'noDeployment' });
    expect(what()).toBe('deployment');
    context.set({ kind: 'offline' });
    expect(what()).toBe('connection');
    context.set({ kind: 'signedOut' });
    expect(what()).toBe('account');
    isTrusted.set(false);
    expect(what()).toBe('trust');
    isTrusted.set(true);
    context.set(ready);
    await book.set({ accountId: 'a1', deploymentId: '1' }, { address: address(DEPLOYMENT), credential: 'apiKey' });
    expect(what()).toBe('credential');
    await book.set({ accountId: 'a1', deploymentId: '1' }, { address: address(AGENT), credential: 'apiKey' });
    expect(what()).toBe('nothing');
  });

  it('sends the account key as Api-Key with a session, and nothing else', async () => {
    const { book, targets, sent, stored } = setUp();
    await book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await ask(targets.state.value);
    const [request] = sent;
    expect(request?.url).toBe(AGENT);
    expect(request?.headers.get('authorization')).toBe('Api-Key key-of-a1');
    expect(request?.headers.get('x-service-auth-token')).toBeNull();
    expect(request?.body).toMatchObject({ activeBranchName: 'dev-ann', isDefaultBranch: false });
    const own = stored.get('chat.externalId');
    expect(request?.body['sessionSettings']).toEqual({ externalId: own });
    expect(own).toMatch(/^modelbench-[\da-f-]{36}$/);
  });

  it('sends a service token in the header that the setting names, without a session', async () => {
    const { book, targets, sent, kept } = setUp({ serviceTokenHeader: 'X-Acme-Auth-Token' });
    await book.set(ready, { address: address(DEPLOYMENT), credential: 'serviceToken', secret: 'a.b.c' });
    await ask(targets.state.value);
    const [request] = sent;
    expect(request?.headers.get('x-acme-auth-token')).toBe('a.b.c');
    expect(request?.headers.get('authorization')).toBeNull();
    expect(request?.body).not.toHaveProperty('sessionSettings');
    expect([...kept.values()]).toEqual(['a.b.c']);
  });

  it('names the user as the settings say', async () => {
    const external = setUp({ externalId: 'Ann Smith' });
    await external.book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await ask(external.targets.state.value);
    expect(external.sent[0]?.body['sessionSettings']).toEqual({ externalId: 'ann-smith' });
    const internal = setUp({ externalId: 'ann', internalId: 'ann@example.com' });
    await internal.book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await ask(internal.targets.state.value);
    expect(internal.sent[0]?.body['sessionSettings']).toEqual({ internalId: 'ann@example.com' });
  });

  it('sends what the settings say of an external user, and reports which of it cannot be sent', async () => {
    const session = { userAttributes: [{ name: 'region', value: 'EU' }], groups: ['sales'], isEphemeral: false };
    const external = setUp({ externalId: 'ann', session });
    await external.book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await ask(external.targets.state.value);
    expect(external.sent[0]?.body['sessionSettings']).toEqual({ externalId: 'ann', ...session });
    const internal = setUp({ internalId: 'ann@example.com', session });
    await internal.book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await ask(internal.targets.state.value);
    expect(internal.sent[0]?.body['sessionSettings']).toEqual({ internalId: 'ann@example.com' });
    const wrong = setUp({ session: { userAttributes: [{ name: 'region', value: 7 }] } });
    await wrong.book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    expect(wrong.targets.state.value).toMatchObject({
      kind: 'missing',
      what: 'settings',
      message: 'The setting “modelbench.chat.session” cannot be sent: userAttributes.0.value must be text.',
    });
  });

  it('uses the address of the user settings where nothing was pasted', async () => {
    const { targets, sent } = setUp({ url: AGENT });
    await ask(targets.state.value);
    expect(sent[0]?.url).toBe(AGENT);
  });

  it('uses no address of the settings that belongs to another deployment', () => {
    const addressOf = (deployment: string): string =>
      `${AGENT.split('/agents/')[0]}/deployments/${deployment}/chat/stream-chat-state`;
    const kinds = ['1', '2'].map((id) => setUp({ url: addressOf(id) }).targets.state.value);
    expect(kinds.map((state) => (state.kind === 'missing' ? state.what : state.kind))).toEqual(['ready', 'address']);
  });

  it('sends the key of no tenant to the chat of another one before its host is confirmed', async () => {
    const { context, origins, targets, sent } = setUp({ url: AGENT }, false);
    const other = { ...ready, accountId: 'b1', tenantUrl: 'https://other.example.org' };
    const what = (): string => (targets.state.value.kind === 'missing' ? targets.state.value.what : 'nothing');
    expect(what()).toBe('consent');
    await origins.confirm(ready, AGENT);
    await ask(targets.state.value);
    context.set(other);
    expect(what()).toBe('consent');
    expect(targets.state.value).toMatchObject({ message: expect.stringContaining('ai.example.com') as string });
    expect(sent.map(({ headers }) => headers.get('authorization'))).toEqual(['Api-Key key-of-a1']);
    context.set({ ...other, tenantUrl: 'https://ai.example.com' });
    expect(what()).toBe('nothing');
  });

  it('sends a credential that was entered for an address to it without a question', async () => {
    const { book, targets, sent } = setUp({}, false);
    await book.set(ready, { address: address(DEPLOYMENT), credential: 'serviceToken', secret: 'a.b.c' });
    await ask(targets.state.value);
    expect(sent[0]?.headers.get('x-service-auth-token')).toBe('a.b.c');
    await book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    expect(targets.state.value).toMatchObject({ kind: 'missing', what: 'consent' });
  });

  it('keeps several agents of a deployment, each with its credential and its threads', async () => {
    const { book, targets, sent } = setUp();
    await book.set(ready, { address: address(AGENT), credential: 'apiKey' });
    await book.set(ready, { address: address(DEPLOYMENT), credential: 'serviceToken', secret: 'a.b.c' });
    const scope = (): string => (targets.state.value.kind === 'ready' ? targets.state.value.target.scope : 'none');
    const second = scope();
    const [first] = book.entries(ready);
    expect(book.entries(ready).map(({ address: { form } }) => form)).toEqual(['agent', 'deployment']);
    if (first) await book.choose(ready, first);
    expect(scope()).not.toBe(second);
    await ask(targets.state.value);
    expect(sent[0]?.url).toBe(AGENT);
    if (first) await book.forget(ready, first);
    expect(scope()).toBe(second);
    await ask(targets.state.value);
    expect(sent[1]?.headers.get('x-service-auth-token')).toBe('a.b.c');
  });

  it('keeps deployments and accounts apart, and forgets', async () => {
    const { book, context, targets, stored, kept } = setUp();
    await book.set(ready, { address: address(AGENT), credential: 'apiKey', secret: 'canary-secret' });
    const scope = (): string => (targets.state.value.kind === 'ready' ? targets.state.value.target.scope : 'none');
    const first = scope();
    context.set({ ...ready, deploymentId: '2' });
    expect(scope()).toBe('none');
    context.set({ ...ready, accountId: 'a2' });
    expect(scope()).toBe('none');
    context.set(ready);
    expect(scope()).toBe(first);
    expect(JSON.stringify([...stored])).not.toContain('canary');
    const entry = book.entry(ready);
    if (entry) await book.forget(ready, entry);
    expect(scope()).toBe('none');
    expect(kept.size).toBe(0);
  });
});
