import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { playedStory } from '#support/api/story/played.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';

/**
 * Every operation of the client is done by the local platform with things that really exist there, one after the other
 * as a user would, and its effect is looked at.
 */

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.platform.close());

/** Changes that are a part of another one, which the audit log names. */
const parts = new Set(['startUpload', 'uploadFile', 'startDeviceSignIn', 'refreshSignIn']);
const isTold = ({ id, method, answerKind, host }: Operation): boolean =>
  method !== 'GET' && !parts.has(id) && !(host === 'chat' && answerKind === 'none');
const events = (): number => world.platform.control.rows()['audit_events']?.length ?? 0;

const played = playedStory(async ({ play }) => {
  const before = events();
  const found = await play(world);
  return { found, isTold: events() > before };
});

describe('the platform does, and records in the audit log', () => {
  it.each(story)('$op.id', async (step) => {
    expect(await played(step)).toMatchObject({ found: step.expected, isTold: isTold(step.op) });
  });

  it('every operation', () => {
    const told = new Set(story.map(({ op }) => op.id));
    expect(operations.filter(({ id }) => !told.has(id)).map(({ id }) => id)).toEqual([]);
  });
});
