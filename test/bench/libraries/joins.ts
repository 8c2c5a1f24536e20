import { joinPicture, NODE_HEIGHT } from '#features/lineage/join-graph.ts';
import type { JoinGraphResult } from '#features/language/messages.ts';
import { type Figure, median } from '../figures.ts';
import { peerModule } from './peer.ts';

interface Point {
  readonly x: number;
  readonly y: number;
}

/** The calls of `@dagrejs/dagre` that are compared. */
interface Dagre {
  readonly graphlib: {
    readonly Graph: new () => {
      setGraph(options: object): void;
      setDefaultEdgeLabel(label: () => object): void;
      setNode(name: string, size: object): void;
      setEdge(from: string, to: string): void;
      node(name: string): Point;
    };
  };
  layout(graph: object): void;
}

/** How long the picture of joins takes, and how many of its lines cross. */
export async function joinFigures(): Promise<readonly Figure[]> {
  const peer = await peerModule<Dagre>('@dagrejs/dagre');
  return [12, 50, 200].flatMap((cubes) => {
    const graph = modelOf(cubes);
    const own = measured(graph, ownPlaces);
    const theirs = peer && measured(graph, (model) => placesOf(peer, model));
    const figure = (what: 'ms' | 'crossings'): Figure => ({
      id: `${what === 'ms' ? 'picture' : 'crossing lines'} of ${cubes} cubes with ${graph.edges.length} joins`,
      value: own[what],
      unit: what,
      ...(theirs ? { peer: '@dagrejs/dagre', peerValue: theirs[what], ratio: own[what] / theirs[what] } : {}),
      ok: true,
    });
    return [figure('ms'), figure('crossings')];
  });
}

function measured(
  graph: JoinGraphResult,
  place: (graph: JoinGraphResult) => ReadonlyMap<string, Point>,
): { readonly ms: number; readonly crossings: number } {
  const times = [1, 2, 3].map(() => {
    const before = performance.now();
    place(graph);
    return performance.now() - before;
  });
  return { ms: median(times), crossings: crossings(place(graph), graph.edges) };
}

function ownPlaces(graph: JoinGraphResult): ReadonlyMap<string, Point> {
  return new Map(joinPicture(graph).nodes.map(({ name, x, y, width }) => [name, { x: x + width / 2, y }]));
}

function placesOf(dagre: Dagre, { nodes, edges }: JoinGraphResult): ReadonlyMap<string, Point> {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 18, ranksep: 72 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of nodes) graph.setNode(name, { width: 180, height: NODE_HEIGHT });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  return new Map(nodes.map(({ name }) => [name, graph.node(name)]));
}

/** Pairs of joins without a cube in common whose straight lines cross. */
function crossings(places: ReadonlyMap<string, Point>, edges: JoinGraphResult['edges']): number {
  const at = (name: string): Point => places.get(name) ?? { x: 0, y: 0 };
  const side = (a: Point, b: Point, point: Point): number =>
    Math.sign((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x));
  const cross = ([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean =>
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
  let found = 0;
  for (const [index, one] of edges.entries()) {
    for (const other of edges.slice(index + 1)) {
      if (new Set([one.from, one.to, other.from, other.to]).size < 4) continue;
      if (cross([at(one.from), at(one.to)], [at(other.from), at(other.to)])) found += 1;
    }
  }
  return found;
}

/** Cubes that join to none to three later ones, nearer ones more often; the same at each run. */
function modelOf(cubes: number): JoinGraphResult {
  let seed = 7;
  const random = (): number => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return seed / 2 ** 32;
  };
  const pairs = Array.from({ length: cubes }, (_, from) =>
    Array.from({ length: Math.floor(random() * 4) }, () => {
      const to = Math.min(cubes - 1, from + 1 + Math.floor(random() * random() * cubes * 0.5));
      return [`cube_${from}`, `cube_${to}`] as const;
    }),
  ).flat();
  const joins = new Map(pairs.filter(([from, to]) => from !== to).map((pair) => [pair.join(' '), pair]));
  const uri = 'file:///model.yml';
  return {
    nodes: Array.from({ length: cubes }, (_, at) => ({
      name: `cube_${at}`,
      kind: 'cube',
      uri,
      line: at,
      measures: 3,
      dimensions: 9,
    })),
    edges: [...joins.values()].map(([from, to]) => ({ from, to, relationship: 'many_to_one', uri, line: 1 })),
  };
}
