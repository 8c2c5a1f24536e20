import {
  type SessionSettings,
  type StreamChatBody,
  abortChatByAgent,
  abortChatByDeployment,
  streamChatByAgent,
  streamChatByDeployment,
} from '#api/resources/chat.ts';
import type { ChatEvent } from '#api/streams/chat-messages.ts';
import type { CallOptions, Client } from '#api/client/client.ts';
import { readChatEvents } from '#api/streams/stream.ts';
import type { ChatAddress } from '#api/tenant-url.ts';
import type { Logger } from '#base/log.ts';
import type { ChatTransport, TurnRequest } from './ports.ts';

export interface HttpTransportOptions {
  /** A client with the chat's address and credential. */
  readonly client: Client;
  readonly address: ChatAddress;
  /** The user who asks; only with an API key, which requires it (docs/chat.md#credentials). */
  readonly session?: SessionSettings | undefined;
  readonly logger: Logger;
}

/** How long the platform may take to begin its answer, in milliseconds: agents may have to start first. */
const OPEN_TIMEOUT_MS = 120_000;

/** Creates the transport to the chat endpoints over HTTP (docs/chat.md#requests), in the form of the address. */
export function httpTransport({ client, address, session, logger }: HttpTransportOptions): ChatTransport {
  const identity = session ? { sessionSettings: session } : {};
  const stream = async (body: StreamChatBody, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>> => {
    const response = await openStream(
      client,
      address,
      { ...body, ...identity },
      // The turn decides whether another attempt follows: after a stop, none does.
      { signal, timeoutMs: OPEN_TIMEOUT_MS, once: true },
    );
    return readChatEvents(response.body ?? nothing(), { operation: 'streamChat', signal, logger });
  };
  return {
    send: (request, signal) => stream(turnBody(request), signal),
    read: (chatId, signal) => stream({ chatId }, signal),
    abort: async (chatId, signal) => {
      await abort(client, address, { chatId, ...identity }, { signal });
    },
  };
}

function turnBody({ input, messageId, chatId, branch }: TurnRequest): StreamChatBody {
  return {
    input,
    messageId,
    ...(chatId === undefined ? {} : { chatId }),
    ...(branch ? { activeBranchName: branch.name, isDefaultBranch: branch.isDefault } : {}),
  };
}

function openStream(
  client: Client,
  address: ChatAddress,
  body: StreamChatBody,
  options: CallOptions,
): Promise<Response> {
  const { accountName } = address;
  return address.form === 'agent'
    ? client.open(streamChatByAgent, { params: { accountName, agentId: address.agentId }, body }, options)
    : client.open(
        streamChatByDeployment,
        { params: { accountName, deploymentId: address.deploymentId }, body },
        options,
      );
}

function abort(
  client: Client,
  address: ChatAddress,
  body: { readonly chatId: string; readonly sessionSettings?: SessionSettings },
  options: CallOptions,
): Promise<undefined> {
  const { accountName } = address;
  return address.form === 'agent'
    ? client.call(abortChatByAgent, { params: { accountName, agentId: address.agentId }, body }, options)
    : client.call(
        abortChatByDeployment,
        { params: { accountName, deploymentId: address.deploymentId }, body },
        options,
      );
}

async function* nothing(): AsyncGenerator<Uint8Array> {
  // A response without a body.
}
