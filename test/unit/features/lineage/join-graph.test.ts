import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JoinGraphResult } from '#features/language/messages.ts';
import { cubeAt, GraphSession } from '#features/lineage/graph-session.ts';
import { joinPicture, NODE_HEIGHT } from '#features/lineage/join-graph.ts';
import { type GraphState, parseGraphToHost, parseHostToGraph } from '#features/lineage/messages.ts';

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

  it('puts cubes beside those that they join to, so that lines do not cross', () => {
    const { nodes } = joinPicture(
      graph(
        ['a', 'b', 'x', 'y'],
        [
          ['a', 'y'],
          ['b', 'x'],
        ],
      ),
    );
    const y = (name: string): number => nodes.find((node) => node.name === name)?.y ?? Number.NaN;
    expect(y('a') < y('b')).toBe(y('y') < y('x'));
  });

  it('comes to an end where each of many cubes joins to all that follow it', () => {
    const names = Array.from({ length: 60 }, (_, at) => `cube_${String(at).padStart(2, '0')}`);
    const joins = names.flatMap((from, at) => names.slice(at + 1).map((to) => [from, to] as const));
    const { nodes } = joinPicture(graph(names, joins.reverse()));
    expect([...nodes].sort((a, b) => a.x - b.x).map(({ name }) => name)).toEqual(names);
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

describe('the picture of joins on its page', () => {
  const model = graph(
    ['orders', 'users', 'items', 'notes', 'countries'],
    [
      ['orders', 'users'],
      ['items', 'orders'],
      ['users', 'countries'],
    ],
  );

  function opened(around: string) {
    const states: GraphState[] = [];
    const asked: unknown[] = [];
    const session = new GraphSession(model, around, {
      post: (state) => void states.push(state),
      open: (...place) => Promise.resolve(void asked.push(place)),
      save: (...saved) => Promise.resolve(void asked.push(saved)),
    });
    const shown = () =>
      states
        .at(-1)
        ?.nodes.map(({ name }) => name)
        .sort();
    return { session, asked, states, shown };
  }

  it('begins with the cube of the open file and what joins it, and goes further when asked', async () => {
    const { session, shown, states } = opened('orders');
    await session.receive({ type: 'ready' });
    expect(shown()).toEqual(['items', 'orders', 'users']);
    await session.receive({ type: 'depth', depth: '2' });
    expect(shown()).toEqual(['countries', 'items', 'orders', 'users']);
    await session.receive({ type: 'around', name: 'countries' });
    expect(shown()).toEqual(['countries', 'orders', 'users']);
    await session.receive({ type: 'depth', depth: 'all' });
    expect(shown()).toEqual(['countries', 'items', 'orders', 'users']);
    for (const state of states) expect(parseHostToGraph(state)).toEqual(state);
  });

  it('shows the whole model without the cubes that have no joins, until they are asked for', async () => {
    const { session, shown, states } = opened('');
    await session.receive({ type: 'ready' });
    expect([shown(), states.at(-1)?.unjoined]).toEqual([['countries', 'items', 'orders', 'users'], 1]);
    await session.receive({ type: 'showUnjoined', shows: true });
    expect(shown()).toContain('notes');
  });

  // @shows join-graph
  it('leads to where cubes and joins are written, and saves its picture', async () => {
    const { session, asked } = opened('');
    await session.receive({ type: 'openCube', name: 'users' });
    await session.receive({ type: 'openJoin', from: 'orders', to: 'users' });
    await session.receive({ type: 'openCube', name: 'gone' });
    await session.receive({ type: 'save', format: 'svg', data: '<svg/>' });
    expect(asked).toEqual([
      ['file:///users.yml', 1],
      ['file:///orders.yml', 3],
      ['svg', '<svg/>'],
    ]);
    expect(parseGraphToHost({ type: 'save', format: 'exe', data: '' })).toBeUndefined();
  });

  it.each([
    ['file:///users.yml', 9, 'users'],
    ['file:///users.yml', 0, 'users'],
    ['file:///views.yml', 3, ''],
  ])('takes the cube of %s at line %i: “%s”', (uri, line, name) => {
    expect(cubeAt(model, uri, line)).toBe(name);
  });
});
