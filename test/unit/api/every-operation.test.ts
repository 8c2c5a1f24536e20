import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Client, createClient } from '#api/client.ts';
import type { Credential } from '#api/credential.ts';
import { operations } from '#api/operations.ts';
import { silentLogger } from '#base/log.ts';
import { createPlatform, type Platform } from '#platform/app.ts';
import { signJwt } from '#platform/auth/jwt.ts';
import { demo } from '#platform/seed/names.ts';
import { accountStory } from '#support/api/story/account.ts';
import { modelStory } from '#support/api/story/model.ts';
import { outsideStory } from '#support/api/story/outside.ts';
import type { World } from '#support/api/story/step.ts';
import { workspaceStory } from '#support/api/story/workspace.ts';
import { quickEngine } from '#support/platform.ts';

/**
 * Every operation of the client is done by the local platform with things that really exist there, one after the other
 * as a person would, and its effect is looked at.
 */

const story = [...modelStory, ...workspaceStory, ...accountStory, ...outsideStory];

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

let world: World;
beforeAll(async () => {
  const platform = await createPlatform({ engine: quickEngine(), chatDelayMs: 0 });
  const token = signJwt({ externalId: 'noah', scope: ['chat'] }, demo.apiSecret);
  world = {
    platform,
    client: clientOf(platform, { kind: 'bearer', token: platform.apiKey }),
    withToken: clientOf(platform, { kind: 'serviceToken', token }),
    anonymous: clientOf(platform, { kind: 'none' }),
    known: new Map(),
  };
});
afterAll(() => world.platform.close());

describe('the platform does', () => {
  it.each(story)('$op.id', async ({ play, expected }) => {
    expect({ found: await play(world) }).toMatchObject({ found: expected });
  });

  it('every operation', () => {
    const told = new Set(story.map(({ op }) => op.id));
    expect(operations.filter(({ id }) => !told.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
