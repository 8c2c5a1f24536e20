import type { SessionSettings } from '#api/resources/chat.ts';
import { deviceSignIn, refreshTokens } from '#api/resources/device-sign-in.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { silentLogger } from '#base/log.ts';
import { originOf } from '#base/origin.ts';
import { httpTransport } from '#chat-core/http-transport.ts';
import { sessionFor } from '#chat-core/identity.ts';
import type { HandlerDesk } from '../handler-desk.ts';
import { sendAnyway, type WireStory } from './story.ts';
import { patientClient } from '../api/patient-client.ts';

const more = {
  email: 'ada@shop.example',
  userAttributes: [{ name: 'region', value: 'eu' }],
  groups: ['analysts'],
  securityContext: { tenant: 'acme' },
  isEphemeral: true,
  ephemeralTtlSeconds: 60,
};
const base = { accountName: 'acme', chatUrl: 'https://chat.example' } as const;
const addresses: readonly ChatAddress[] = [
  { ...base, form: 'agent', agentId: '7' },
  { ...base, form: 'deployment', deploymentId: '1' },
];

/** Requests of the chat and of signing in. */
export const sessionStories: readonly WireStory[] = [
  {
    name: 'asks, reads and stops in both forms of the chat, as each kind of user',
    play: async (desk) => {
      for (const address of addresses) {
        for (const session of sessions()) await turns(desk, address, session);
      }
    },
  },
  {
    name: 'signs in with a browser and refreshes the token',
    play: async ({ client, platform }) => {
      const tokens = await deviceSignIn(client, {
        clientId: 'modelbench',
        onCode: ({ userCode }) => void platform.control.decideDevice(userCode, platform.control.demo.colleague),
        clock: { now: () => Date.now(), sleep: () => Promise.resolve() },
      });
      await refreshTokens(client, tokens.refreshToken ?? '', { clientId: 'modelbench' });
    },
  },
];

/** Returns the sessions that the settings create for a user of another system and for one of the platform. */
function sessions(): readonly SessionSettings[] {
  const [agent] = addresses;
  const people = [
    { externalId: 'ada', internalId: '', more },
    { externalId: '', internalId: 'ada@shop.example' },
  ];
  return people.flatMap((person) => {
    const session = agent && sessionFor(agent, 'apiKey', person);
    return session?.ok === true ? (session.value ?? []) : [];
  });
}

async function turns({ wire }: HandlerDesk, address: ChatAddress, session: SessionSettings): Promise<void> {
  const client = patientClient({
    baseUrl: 'https://platform.example',
    chatUrl: address.chatUrl,
    credential: () => ({ kind: 'bearer', token: 'key', origin: originOf(address.chatUrl) }),
    logger: silentLogger,
    limits: { attempts: 1 },
    fetch: (input, init) => {
      const request = new Request(input, init);
      wire.note(request);
      return Promise.resolve(new Response(null, { status: request.url.endsWith('/abort') ? 204 : 200 }));
    },
  });
  const transport = httpTransport({ client, address, session, logger: silentLogger });
  const { signal } = new AbortController();
  const branch = { name: 'main', isDefault: true };
  const request = { input: 'Hi', messageId: '1234567890123-message', chatId: 'c', branch };
  await sendAnyway(async () => transport.send(request, signal));
  await sendAnyway(async () => transport.abort('c', signal));
}
