import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinGraphPage } from '#features/language/join-graph-page.ts';
import { joinPicture, NODE_HEIGHT } from '#features/language/join-graph.ts';
import type { JoinGraphResult } from '#features/language/messages.ts';

function graph(names: readonly string[], joins: readonly (readonly [string, string])[]): JoinGraphResult {
  return {
    nodes: names.map((name, line) => ({
      name,
      kind: 'cube',
      uri: `file:///${name}.yml`,
      line,
      measures: 1,
      dimensions: 2,
    })),
    edges: joins.map(([from, to]) => ({ from, to, relationship: 'many_to_one', uri: `file:///${from}.yml`, line: 3 })),
  };
}

describe('the picture of joins', () => {
  it('places each cube to the right of those that join to it, and cubes without joins last', () => {
    const { nodes } = joinPicture(
      graph(
        ['users', 'orders', 'items', 'notes'],
        [
          ['items', 'orders'],
          ['orders', 'users'],
          ['items', 'users'],
        ],
      ),
    );
    const order = [...nodes].sort((a, b) => a.x - b.x).map(({ name }) => name);
    expect(order).toEqual(['items', 'orders', 'users', 'notes']);
  });

  it('leaves views out, and joins to cubes that are not there', () => {
    const model = graph(['a'], [['a', 'gone']]);
    const view = { name: 'v', kind: 'view', uri: 'file:///v.yml', line: 0, measures: 0, dimensions: 0 } as const;
    const { nodes, edges } = joinPicture({ ...model, nodes: [...model.nodes, view] });
    expect([nodes.map(({ name }) => name), edges]).toEqual([['a'], []]);
  });

  it('never lets two cubes overlap, circles or not', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'long_name_of_a_cube');
    fc.assert(
      fc.property(fc.uniqueArray(name), fc.array(fc.tuple(name, name), { maxLength: 12 }), (names, joins) => {
        const { nodes, width, height } = joinPicture(graph(names, joins));
        expect(nodes.map((node) => node.name).sort()).toEqual([...names].sort());
        for (const [at, a] of nodes.entries()) {
          expect(a.x + a.width <= width && a.y + NODE_HEIGHT <= height).toBe(true);
          for (const b of nodes.slice(at + 1)) {
            const apart = a.x + a.width <= b.x || b.x + b.width <= a.x || Math.abs(a.y - b.y) >= NODE_HEIGHT;
            expect(apart).toBe(true);
          }
        }
      }),
      { numRuns: 300, seed: 2 },
    );
  });
});

describe('the page of joins', () => {
  const page = (model: JoinGraphResult): string =>
    joinGraphPage({ graph: model, link: (uri, line) => `command:x?${uri}&${line}`, nonce: 'n' });

  it('links cubes and joins to where they are written, with words for who cannot see it', () => {
    const html = page(graph(['orders', 'users'], [['orders', 'users']]));
    expect(html).toContain(
      'href="command:x?file:///orders.yml&amp;0"><b>orders</b><span>1 measure, 2 dimensions</span>',
    );
    expect(html).toContain('aria-label="orders joins users, many to one"');
    expect(html).not.toContain('<script');
  });

  it('writes names as text, whatever they are, and says when there is nothing', () => {
    const html = page(graph(['<img src=x onerror=alert(1)>"\''], []));
    expect(html).not.toContain('<img');
    expect(page(graph([], []))).toContain('no cubes yet');
  });
});
