import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which knows the joins of a model, and the page that draws them. */

const text = v.string();
const number = v.number();
const count = v.pipe(number, v.integer(), v.minValue(0));
const list = <S extends v.GenericSchema>(schema: S) => v.pipe(v.array(schema), v.readonly());

/** How many joins away from the chosen cube others are shown; `all`: everything that joins reach. */
export const depths = ['1', '2', 'all'] as const;
export type Depth = (typeof depths)[number];

/** A cube; lengths are pixels. */
const Node = v.object({ name: text, measures: count, dimensions: count, x: number, y: number, width: number });
export type DrawnNode = v.InferOutput<typeof Node>;

/** A join; `x`, `y`: the middle of its label. */
const Edge = v.object({ from: text, to: text, relationship: text, path: text, x: number, y: number });
export type DrawnEdge = v.InferOutput<typeof Edge>;

const HostToGraph = v.object({
  type: v.literal('state'),
  width: number,
  height: number,
  nodeHeight: number,
  nodes: list(Node),
  edges: list(Edge),
  /** The names of all cubes that can be in the middle. */
  cubes: list(text),
  /** The cube whose neighbours are shown; empty for the whole model. */
  around: text,
  depth: v.picklist(depths),
  /** The number of cubes without joins, and whether they are shown. */
  unjoined: count,
  showsUnjoined: v.boolean(),
});
/** The current picture. */
export type GraphState = v.InferOutput<typeof HostToGraph>;

const GraphToHost = v.variant('type', [
  v.object({ type: v.literal('ready') }),
  v.object({ type: v.literal('openCube'), name: text }),
  v.object({ type: v.literal('openJoin'), from: text, to: text }),
  v.object({ type: v.literal('around'), name: text }),
  v.object({ type: v.literal('depth'), depth: v.picklist(depths) }),
  v.object({ type: v.literal('showUnjoined'), shows: v.boolean() }),
  /** A picture to save: the text of an SVG, or a PNG as base64. */
  v.object({ type: v.literal('save'), format: v.picklist(['svg', 'png']), data: text }),
]);
/** The user's actions in the picture. */
export type GraphToHost = v.InferOutput<typeof GraphToHost>;

/** Parses a message of the host; returns `undefined` if it is invalid. */
export function parseHostToGraph(value: unknown): GraphState | undefined {
  return parsed(HostToGraph, value);
}

/** Parses a message of the page; returns `undefined` if it is invalid. */
export function parseGraphToHost(value: unknown): GraphToHost | undefined {
  return parsed(GraphToHost, value);
}
