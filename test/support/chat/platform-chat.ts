import { originOf } from '#base/origin.ts';
import type { Credential } from '#api/client/credential.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import { type Clock, systemClock } from '#base/clock.ts';
import { silentLogger } from '#base/log.ts';
import { Store } from '#base/store.ts';
import { httpTransport } from '#chat-core/http-transport.ts';
import { sessionFor } from '#chat-core/identity.ts';
import type { ChatFiles, ChatTransport, TargetState } from '#chat-core/ports.ts';
import { ChatService } from '#chat-core/service.ts';
import type { Platform } from '#platform/app.ts';
import { demo } from '#platform/seed/names.ts';
import { MemoryFiles } from './memory-files.ts';
import { patientClient } from '../api/patient-client.ts';

export const agentAddress: ChatAddress = {
  form: 'agent',
  chatUrl: 'http://127.0.0.1',
  accountName: demo.account,
  agentId: demo.agentId,
};

/** Returns a transport to the local platform in memory. */
export function platformTransport(
  platform: Pick<Platform, 'fetch' | 'apiKey'>,
  options: { readonly address?: ChatAddress; readonly credential?: Credential; readonly person?: string } = {},
): ChatTransport {
  const {
    address = agentAddress,
    credential = { kind: 'apiKey', token: platform.apiKey, origin: originOf(address.chatUrl) },
  } = options;
  const kind = credential.kind === 'serviceToken' ? 'serviceToken' : 'apiKey';
  const session = sessionFor(address, kind, { externalId: options.person ?? 'ann', internalId: '' });
  const client = patientClient({
    baseUrl: 'http://127.0.0.1',
    chatUrl: address.chatUrl,
    credential: () => undefined,
    chatCredential: () => credential,
    logger: silentLogger,
    fetch: (input, init) => platform.fetch(new Request(input, init)),
  });
  return httpTransport({ client, address, session: session.ok ? session.value : undefined, logger: silentLogger });
}

/** Returns a chat service that uses one transport and one branch. */
export function chatService(
  transport: ChatTransport,
  { files = new MemoryFiles(), clock = systemClock }: { readonly files?: ChatFiles; readonly clock?: Clock } = {},
): ChatService {
  const branch = { name: 'main', isDefault: true };
  const target = new Store<TargetState>({
    kind: 'ready',
    target: { scope: 'shop', label: 'Shop analytics', branch, transport },
  });
  return new ChatService({
    target,
    files,
    clock,
    random: Math.random,
    newKey: () => crypto.randomUUID(),
    logger: silentLogger,
  });
}
