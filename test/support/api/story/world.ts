import { type Client, createClient } from '#api/client.ts';
import type { Credential } from '#api/credential.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { quickEngine } from '#support/platform.ts';
import { accountStory } from './account.ts';
import { modelStory } from './model.ts';
import { outsideStory } from './outside.ts';
import type { Step, World } from './step.ts';
import { workspaceStory } from './workspace.ts';

/** Every operation, in an order in which each finds what it needs. */
export const story: readonly Step[] = [...modelStory, ...workspaceStory, ...accountStory, ...outsideStory];

/** A platform in memory, with a client of each kind of credential. */
export async function openWorld(dataDir?: string): Promise<World> {
  const platform = await createPlatform({ engine: quickEngine(), chatDelayMs: 0, dataDir });
  const token = signJwt({ externalId: 'noah', scope: ['chat'] }, demo.apiSecret);
  return {
    platform,
    client: clientOf(platform, { kind: 'bearer', token: platform.apiKey }),
    withToken: clientOf(platform, { kind: 'serviceToken', token }),
    anonymous: clientOf(platform, { kind: 'none' }),
    known: new Map(),
  };
}

function clientOf(platform: Platform, credential: Credential): Client {
  return createClient({
    baseUrl: 'https://platform.example',
    chatUrl: 'https://platform.example',
    credential: () => credential,
    logger: silentLogger,
    fetch: (input, init) => platform.fetch(new Request(input, init)),
    limits: { attempts: 1 },
  });
}
