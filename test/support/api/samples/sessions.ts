import { canary, type Sample } from './sample.ts';

const tokens = { accessToken: 'a', refreshToken: 'b', expiresIn: 60 };
const chatParams = { agent: { accountName: 'acme', agentId: 2 }, deployment: { accountName: 'acme', deploymentId: 7 } };
const session = { externalId: 'ada' };

const signIn: Record<string, Sample> = {
  startDeviceSignIn: {
    request: { body: { client_id: 'c' } },
    answer: { deviceCode: 'd', userCode: 'U', verificationUri: 'https://id.example' },
    needed: 'userCode',
  },
  pollDeviceSignIn: {
    request: {
      body: { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', device_code: canary, client_id: 'c' },
    },
    answer: tokens,
    needed: 'accessToken',
  },
  refreshSignIn: {
    request: { body: { grant_type: 'refresh_token', refresh_token: canary } },
    answer: tokens,
    needed: 'accessToken',
  },
};

const chat: Record<string, Sample> = {
  streamChatByAgent: {
    request: { params: chatParams.agent, body: { input: 'hi', sessionSettings: session } },
    answer: '{"id":"__cutoff__"}\n',
  },
  streamChatByDeployment: {
    request: { params: chatParams.deployment, body: { input: 'hi' } },
    answer: '{"id":"__cutoff__"}\n',
  },
  abortChatByAgent: { request: { params: chatParams.agent, body: { chatId: 'c', sessionSettings: session } } },
  abortChatByDeployment: { request: { params: chatParams.deployment, body: { chatId: 'c' } } },
};

/** Signing in, and the chat. */
export const sessionsSamples: Readonly<Record<string, Sample>> = { ...signIn, ...chat };
