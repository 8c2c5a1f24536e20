import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { checkForeignRows } from '#model/checks/foreign-rows.ts';
import { parseFile } from '#model/file.ts';
import { shortestJoinPath, reachable } from '#model/graph.ts';
import { ModelIndex } from '#model/index.ts';

/** A model of cubes named by numbers; each joins to those that are listed for it, and sums a column of them. */
function modelOf(joins: readonly (readonly number[])[]): ModelIndex {
  const index = new ModelIndex('model/');
  for (const [at, to] of joins.entries()) {
    const text = [
      'cubes:',
      `  - name: c${at}`,
      '    sql_table: t',
      '    dimensions:',
      '      - {name: id, sql: id, type: number, primary_key: true}',
      '    joins:',
      ...to.map((other) => `      - {name: c${other}, relationship: many_to_one, sql: "{CUBE}.x = {c${other}.id}"}`),
      '    measures:',
      ...to.map((other) => `      - {name: sum${other}, type: sum, sql: "{c${other}.id}"}`),
    ];
    index.set(parseFile(`model/c${at}.yml`, text.join('\n')));
  }
  return index;
}

describe('join paths', () => {
  it('are the shortest ones, as the paths to all cubes are', () => {
    const graph = fc
      .integer({ min: 1, max: 7 })
      .chain((size) =>
        fc.array(fc.uniqueArray(fc.nat(size - 1), { maxLength: 3 }), { minLength: size, maxLength: size }),
      );
    fc.assert(
      fc.property(graph, (joins) => {
        const index = modelOf(joins);
        for (const from of index.entities()) {
          const paths = reachable(from, index);
          for (const to of index.entities()) expect(shortestJoinPath(from, to, index)).toEqual(paths.get(to));
        }
      }),
      { numRuns: 50 },
    );
  });

  it('cost no more for each cube of a larger model', () => {
    const perCube = (size: number): number => {
      // A ring, so that each cube reaches all others.
      const index = modelOf(Array.from({ length: size }, (_, at) => [(at + 1) % size]));
      const entities = index.entities();
      const lookups = vi.spyOn(index, 'entity');
      for (const entity of entities) expect(checkForeignRows(entity, index)).toEqual([]);
      return lookups.mock.calls.length / size;
    };
    expect(perCube(80)).toBeLessThanOrEqual(perCube(20) * 1.2);
  });
});
