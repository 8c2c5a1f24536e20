import * as v from 'valibot';
import { operation } from '#api/operation.ts';
import { emailAddress, freeObject, idIn, strictObject, text } from '#api/schema.ts';

const tag = 'Chat';

const byAgent = strictObject({ accountName: text, agentId: idIn });
const byDeployment = strictObject({ accountName: text, deploymentId: idIn });

const notWithInternalId = 'must not be given together with internalId';

/**
 * The identity behind a question (docs/chat.md#body-of-a-question). With `internalId`, that user's own permissions
 * apply and no other field may be set.
 */
export const sessionSettings = v.pipe(
  strictObject({
    externalId: v.optional(
      v.pipe(
        text,
        v.regex(/^[^\sA-Z]+$/, 'must be lower case and without spaces'),
        v.check((id) => id === id.toLowerCase(), 'must be lower case and without spaces'),
      ),
    ),
    internalId: v.optional(emailAddress),
    email: v.optional(emailAddress),
    userAttributes: v.optional(v.array(strictObject({ name: text, value: v.string('must be text') }))),
    groups: v.optional(v.array(text)),
    securityContext: v.optional(freeObject),
    isEphemeral: v.optional(v.boolean()),
    ephemeralTtlSeconds: v.optional(v.pipe(v.number(), v.minValue(1, 'must be at least 1 second'))),
  }),
  v.forward(
    v.check(
      (settings) => settings.externalId !== undefined || settings.internalId !== undefined,
      'one of externalId and internalId must be given',
    ),
    ['externalId'],
  ),
  v.forward(
    v.check(
      (settings) => settings.internalId === undefined || settings.userAttributes === undefined,
      notWithInternalId,
    ),
    ['userAttributes'],
  ),
  v.forward(
    v.check((settings) => settings.internalId === undefined || settings.groups === undefined, notWithInternalId),
    ['groups'],
  ),
  v.forward(
    v.check(
      (settings) => settings.internalId === undefined || settings.securityContext === undefined,
      notWithInternalId,
    ),
    ['securityContext'],
  ),
);
export type SessionSettings = v.InferInput<typeof sessionSettings>;

/** `<13 or more digits of a millisecond timestamp>-message` (docs/chat.md#body-of-a-question, docs/chat.md#tools). */
export const messageId = v.pipe(
  v.string(),
  v.regex(/^\d{13,}-message$/, 'must be <13 or more digit millisecond timestamp>-message'),
);

const streamBody = strictObject({
  input: v.optional(v.string()),
  chatId: v.optional(text),
  messageId: v.optional(messageId),
  sessionSettings: v.optional(sessionSettings),
  activeBranchName: v.optional(text),
  isDefaultBranch: v.optional(v.boolean()),
});
export type StreamChatBody = v.InferInput<typeof streamBody>;

const abortBody = strictObject({ chatId: text, sessionSettings: v.optional(sessionSettings) });

const stream = { method: 'POST', tag, host: 'chat', answerKind: 'ndjson' } as const;
const abort = { method: 'POST', tag, host: 'chat', idempotent: true } as const;

/** Takes an API key or service token. `stream.ts` reads the lines. See docs/chat.md#streamchatbyagent. */
export const streamChatByAgent = operation({
  ...stream,
  id: 'streamChatByAgent',
  path: '/api/v1/public/{accountName}/agents/{agentId}/chat/stream-chat-state',
  summary: 'Ask an agent and stream what it does.',
  params: byAgent,
  body: streamBody,
});

/** Takes a service token only. See docs/chat.md#streamchatbydeployment. */
export const streamChatByDeployment = operation({
  ...stream,
  id: 'streamChatByDeployment',
  path: '/api/v1/public/{accountName}/deployments/{deploymentId}/chat/stream-chat-state',
  summary: "Ask a deployment's default agent and stream what it does.",
  params: byDeployment,
  body: streamBody,
});

/** Only 204 signals success. See docs/chat.md#abortchatbyagent. */
export const abortChatByAgent = operation({
  ...abort,
  id: 'abortChatByAgent',
  path: '/api/v1/public/{accountName}/agents/{agentId}/chat/abort',
  summary: 'Stop a running answer of an agent.',
  params: byAgent,
  body: abortBody,
});

/** Only 204 signals success. See docs/chat.md#abortchatbydeployment. */
export const abortChatByDeployment = operation({
  ...abort,
  id: 'abortChatByDeployment',
  path: '/api/v1/public/{accountName}/deployments/{deploymentId}/chat/abort',
  summary: "Stop a running answer of a deployment's default agent.",
  params: byDeployment,
  body: abortBody,
});
