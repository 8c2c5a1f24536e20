import { afterAll, describe, expect, it } from 'vitest';
import { createEngine } from '#platform/engine/index.ts';
import { escapeCases } from '../../support/escapes/cases.ts';
import { watchEffects } from '../../support/escapes/effects.ts';

const engine = createEngine();
const effects = await watchEffects();
afterAll(async () => {
  effects.close();
  await engine.close();
});

describe('a model on the local platform', () => {
  it('does not get out of its realm, neither when it is compiled nor when it is queried', async () => {
    const tried = escapeCases(effects).filter(({ name }) => /^YAML|^template|functions? of|compile context/.test(name));
    expect(tried.length).toBeGreaterThan(35);
    const query = { measures: [], dimensions: ['a.x'], timeDimensions: [], filters: [], segments: [] } as const;
    const found: string[] = [];
    for (const { name, files } of tried) {
      const answers = await Promise.allSettled([
        engine.compile(files),
        engine.sql(files, { ...query, timezone: 'UTC', limit: 10, offset: 0 }),
      ]);
      const said = answers.map((each) =>
        each.status === 'fulfilled' ? JSON.stringify(each.value) : String(each.reason),
      );
      found.push(...effects.breaches(name, said.join('\n')));
    }
    expect(found).toEqual([]);
  });
});
