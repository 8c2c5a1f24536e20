import type { JoinGraphNode, JoinGraphResult } from '#features/language/messages.ts';
import { joinPicture, NODE_HEIGHT } from './join-graph.ts';
import type { Depth, GraphState, GraphToHost } from './messages.ts';

/** The functions of the host that the picture of joins uses. */
export interface GraphPorts {
  readonly post: (state: GraphState) => void;
  readonly open: (uri: string, line: number) => Promise<void>;
  readonly save: (format: 'svg' | 'png', data: string) => Promise<void>;
}

/** The host’s side of one picture of joins: which cubes it shows, and where they are defined. */
export class GraphSession {
  readonly #graph: JoinGraphResult;
  readonly #ports: GraphPorts;
  #around: string;
  #depth: Depth = '1';
  #showsUnjoined = false;

  /** `around`: the cube of the open file; empty if there is none. */
  constructor(graph: JoinGraphResult, around: string, ports: GraphPorts) {
    this.#graph = graph;
    this.#around = around;
    this.#ports = ports;
  }

  async receive(message: GraphToHost): Promise<void> {
    switch (message.type) {
      case 'openCube':
        return this.#open(this.#graph.nodes.find(({ name }) => name === message.name));
      case 'openJoin':
        return this.#open(this.#graph.edges.find(({ from, to }) => from === message.from && to === message.to));
      case 'save':
        return this.#ports.save(message.format, message.data);
      case 'around':
        this.#around = message.name;
        break;
      case 'depth':
        this.#depth = message.depth;
        break;
      case 'showUnjoined':
        this.#showsUnjoined = message.shows;
        break;
      default:
    }
    this.#ports.post(this.#state());
  }

  async #open(location: { readonly uri: string; readonly line: number } | undefined): Promise<void> {
    if (location) await this.#ports.open(location.uri, location.line);
  }

  #state(): GraphState {
    const { nodes, edges } = this.#graph;
    const cubes = nodes.filter(({ kind }) => kind === 'cube');
    const joined = new Set(edges.flatMap(({ from, to }) => [from, to]));
    const unjoined = cubes.filter(({ name }) => !joined.has(name));
    const shown = shownNames(this.#graph, { around: this.#around, depth: this.#depth });
    const isShown = ({ name }: JoinGraphNode): boolean =>
      shown ? shown.has(name) : this.#showsUnjoined || joined.has(name);
    const picture = joinPicture({ nodes: cubes.filter(isShown), edges });
    return {
      type: 'state',
      width: picture.width,
      height: picture.height,
      nodeHeight: NODE_HEIGHT,
      nodes: picture.nodes.map(({ name, measures, dimensions, x, y, width }) => ({
        name,
        measures,
        dimensions,
        x,
        y,
        width,
      })),
      edges: picture.edges.map(({ from, to, relationship, path, x, y }) => ({ from, to, relationship, path, x, y })),
      cubes: cubes.map(({ name }) => name).sort(),
      around: this.#around,
      depth: this.#depth,
      unjoined: unjoined.length,
      showsUnjoined: this.#showsUnjoined,
    };
  }
}

/** Returns the cubes to show around one; `undefined` if all are shown. */
function shownNames(
  { edges }: JoinGraphResult,
  { around, depth }: { readonly around: string; readonly depth: Depth },
): ReadonlySet<string> | undefined {
  if (around === '') return undefined;
  const most = depth === 'all' ? edges.length : Number(depth);
  const shown = new Set([around]);
  let last = [around];
  for (let step = 0; last.length > 0 && step < most; step += 1) {
    const beside = edges.flatMap(({ from, to }) => [
      ...(last.includes(from) ? [to] : []),
      ...(last.includes(to) ? [from] : []),
    ]);
    last = [...new Set(beside)].filter((name) => !shown.has(name));
    for (const name of last) shown.add(name);
  }
  return shown;
}

/**
 * Returns the cube that contains a line of a document: the last one that begins at or above it, else the first of the document.
 */
export function cubeAt({ nodes }: JoinGraphResult, uri: string, line: number): string {
  const own = nodes
    .filter((node) => node.kind === 'cube' && node.uri === uri)
    .toSorted((one, other) => one.line - other.line);
  return (own.findLast((node) => node.line <= line) ?? own[0])?.name ?? '';
}
