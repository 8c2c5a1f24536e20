import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { operations } from '#api/operations.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';

/**
 * Every operation of the client is done by the local platform with things that really exist there, one after the other
 * as a person would, and its effect is looked at.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
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
