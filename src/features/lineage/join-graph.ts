import { largest } from '#base/long-lists.ts';
import type { JoinGraphEdge, JoinGraphNode, JoinGraphResult } from '#features/language/messages.ts';

/** A cube in the picture; lengths are pixels. */
export interface PlacedNode extends JoinGraphNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** A join in the picture: from the right side of one cube to the left side of another. */
export interface PlacedEdge extends JoinGraphEdge {
  readonly path: string;
  /** The position of its label. */
  readonly x: number;
  readonly y: number;
}

export interface JoinPicture {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

export const NODE_HEIGHT = 44;
const GAP = 18;
const COLUMN_GAP = 72;
const MARGIN = 12;
const CHARACTER = 8;
/** Leaves space for the counts of members. */
const NARROWEST = 180;
/** The number of cubes without joins in a column. */
const UNJOINED_PER_COLUMN = 12;

/**
 * Lays out the cubes of a model: each to the right of those that join to it, in columns from left to right; cubes without joins
 * come last. Views have no joins and are left out.
 */
export function joinPicture({ nodes, edges }: JoinGraphResult): JoinPicture {
  const cubes = nodes.filter(({ kind }) => kind === 'cube').sort((a, b) => (a.name < b.name ? -1 : 1));
  const names = new Set(cubes.map(({ name }) => name));
  const known = edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const joined = new Set(known.flatMap(({ from, to }) => [from, to]));
  const columns = layers(
    cubes.filter(({ name }) => joined.has(name)),
    known,
  );
  const unjoined = cubes.filter(({ name }) => !joined.has(name));
  for (let at = 0; at < unjoined.length; at += UNJOINED_PER_COLUMN)
    columns.push(unjoined.slice(at, at + UNJOINED_PER_COLUMN));
  const placed = layOut(columns);
  const byName = new Map(placed.map((node) => [node.name, node]));
  return {
    width: largest([0, ...placed.map(({ x, width }) => x + width)]) + MARGIN,
    height: largest([0, ...placed.map(({ y }) => y + NODE_HEIGHT)]) + MARGIN,
    nodes: placed,
    edges: known.flatMap((edge) => {
      const from = byName.get(edge.from);
      const to = byName.get(edge.to);
      return from && to ? [line(edge, from, to)] : [];
    }),
  };
}

/**
 * Assigns cubes to columns: each to the one after the furthest cube that joins to it; a cycle is cut at the join that closes it.
 * Within its column, a cube is at the average position of its neighbours, so that few lines cross.
 */
function layers(cubes: readonly JoinGraphNode[], edges: readonly JoinGraphEdge[]): JoinGraphNode[][] {
  const depths = depthsOf(cubes, edges);
  const columns: JoinGraphNode[][] = [];
  for (const cube of cubes) (columns[depths.get(cube.name) ?? 0] ??= []).push(cube);
  return arranged(
    columns.filter((column) => column.length > 0),
    edges,
  );
}

/** Returns the number of joins on the longest path to each cube; a join that closes a cycle does not count. */
function depthsOf(cubes: readonly JoinGraphNode[], edges: readonly JoinGraphEdge[]): ReadonlyMap<string, number> {
  const targets = Map.groupBy(edges, ({ from }) => from);
  const entered = new Set(edges.map(({ to }) => to));
  // Cycles without a join from outside come last.
  const starts = [...cubes.filter(({ name }) => !entered.has(name)), ...cubes];
  const [onWay, order, cut] = [new Set<string>(), new Set<string>(), new Set<JoinGraphEdge>()];
  const visit = (name: string): void => {
    if (order.has(name)) return;
    onWay.add(name);
    for (const edge of targets.get(name) ?? []) {
      if (onWay.has(edge.to)) cut.add(edge);
      else visit(edge.to);
    }
    onWay.delete(name);
    order.add(name);
  };
  for (const { name } of starts) visit(name);
  const depths = new Map<string, number>();
  for (const name of [...order].reverse()) {
    const depth = depths.get(name) ?? 0;
    depths.set(name, depth);
    for (const edge of targets.get(name) ?? []) {
      if (!cut.has(edge)) depths.set(edge.to, Math.max(depths.get(edge.to) ?? 0, depth + 1));
    }
  }
  return depths;
}

/** How often each column is sorted by the positions of its neighbours. */
const SWEEPS = 8;

function arranged(columns: readonly JoinGraphNode[][], edges: readonly JoinGraphEdge[]): JoinGraphNode[][] {
  const neighbours = Map.groupBy(
    edges.flatMap(({ from, to }) => [
      { from, to },
      { from: to, to: from },
    ]),
    ({ from }) => from,
  );
  const rows = new Map<string, number>();
  const note = (column: readonly JoinGraphNode[]): void => {
    for (const [at, { name }] of column.entries()) rows.set(name, at - column.length / 2);
  };
  for (const column of columns) note(column);
  const middle = (name: string): number => {
    const around = (neighbours.get(name) ?? []).map(({ to }) => rows.get(to) ?? 0);
    return around.reduce((sum, at) => sum + at, 0) / around.length;
  };
  let sorted = columns.map((column) => [...column]);
  for (let sweep = 0; sweep < SWEEPS; sweep += 1) {
    sorted = sorted.map((column) => {
      const middles = new Map(column.map(({ name }) => [name, middle(name)]));
      const moved = column.toSorted((a, b) => (middles.get(a.name) ?? 0) - (middles.get(b.name) ?? 0));
      note(moved);
      return moved;
    });
  }
  return sorted;
}

function layOut(columns: readonly (readonly JoinGraphNode[])[]): PlacedNode[] {
  const tallest = largest([0, ...columns.map((column) => column.length)]);
  let x = MARGIN;
  return columns.flatMap((column) => {
    const width = largest([NARROWEST, ...column.map(({ name }) => name.length * CHARACTER + 24)]);
    const top = MARGIN + ((tallest - column.length) * (NODE_HEIGHT + GAP)) / 2;
    const placed = column.map((node, at) => ({ ...node, x, y: top + at * (NODE_HEIGHT + GAP), width }));
    x += width + COLUMN_GAP;
    return placed;
  });
}

function line(edge: JoinGraphEdge, from: PlacedNode, to: PlacedNode): PlacedEdge {
  const isForward = to.x > from.x;
  const [x1, y1] = [isForward ? from.x + from.width : from.x, from.y + NODE_HEIGHT / 2];
  const [x2, y2] = [isForward ? to.x : to.x + to.width, to.y + NODE_HEIGHT / 2];
  // To an earlier column, or to the same one, the line leaves on the left and goes around.
  const bend = isForward ? (x2 - x1) / 2 : -COLUMN_GAP / 2;
  const path = `M ${x1} ${y1} C ${x1 + bend} ${y1}, ${x2 - bend} ${y2}, ${x2} ${y2}`;
  // The label is nearer to the end, so that lines from one cube, or lines that cross half-way, have separate labels.
  return { ...edge, path, x: bezier(x1, x1 + bend, x2 - bend, x2), y: bezier(y1, y1, y2, y2) };
}

/** Returns the value of a cubic curve at seven tenths of its length. */
function bezier(a: number, b: number, c: number, d: number): number {
  const t = 0.7;
  return (1 - t) ** 3 * a + 3 * (1 - t) ** 2 * t * b + 3 * (1 - t) * t ** 2 * c + t ** 3 * d;
}
