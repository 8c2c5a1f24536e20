import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { apiDescription } from '#platform/openapi.ts';
import { playedStory } from '#support/api/story/played.ts';
import type { World } from '#support/api/story/step.ts';
import { openWorld, story } from '#support/api/story/world.ts';
import { Described } from '#support/described.ts';

/** What the client sends and the platform answers is what the served description says, operation by operation. */

const described = new Described(JSON.parse(JSON.stringify(apiDescription())) as object);
const problems: string[] = [];
let exchanges = 0;
let world: World;
beforeAll(async () => {
  world = await openWorld({
    around: async (request, serve) => {
      const isJson = request.headers.get('content-type')?.includes('json') === true;
      const body = isJson ? await request.clone().text() : undefined;
      const response = await serve(request);
      problems.push(...(await described.problems(request, body, response.clone())));
      exchanges += 1;
      return response;
    },
  });
});
afterAll(() => world.platform.close());

const played = playedStory(async ({ play }) => {
  problems.length = 0;
  const before = exchanges;
  await play(world);
  return { exchanges: exchanges - before, problems: [...problems] };
});

describe('the wire is as the served description says', () => {
  it.each(story)('$op.id', async (step) => {
    const found = await played(step);
    expect(found.exchanges).toBeGreaterThan(0);
    expect(found.problems).toEqual([]);
  });

  it('and what is not, is found', async () => {
    const request = new Request('https://platform.example/api/v1/deployments/1/pods');
    const found = async (body: unknown, status = 200): Promise<number> =>
      (await described.problems(request, undefined, Response.json(body, { status }))).length;
    expect(await found([{ name: 'p' }])).toBe(0);
    expect(await found([{ status: 'Running' }])).toBe(1);
    expect(await found({ pods: [] })).toBe(1);
    expect(await found([], 202)).toBe(1);
    const unknown = new Request('https://platform.example/api/v1/nothing');
    expect(await described.problems(unknown, undefined, Response.json({}))).toHaveLength(1);
  });
});
