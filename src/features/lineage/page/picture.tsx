import { own } from '#base/own.ts';
import { plural } from '#base/words.ts';
import type { DrawnEdge, DrawnNode, GraphState } from '#features/lineage/messages.ts';
import { modelNameMenu } from '#shared/page/model-name-menu.ts';
import { visible } from '#shared/page/visible.ts';
import type { GraphModel } from './model.ts';

/** The id of a cube in the page. */
export const idOf = (name: string): string => `cube-${name}`;

/** Draws cubes as boxes and joins as lines; each opens its definition. */
export function Picture({ model, state }: { readonly model: GraphModel; readonly state: GraphState }) {
  const { width, height, nodes, edges } = state;
  const zoom = model.zoom.value;
  const found = new Set(model.found.value);
  return (
    <svg
      role="group"
      aria-label="Joins of the model"
      width={width * zoom}
      height={height * zoom}
      viewBox={`0 0 ${width} ${height}`}
    >
      {edges.map(({ from, to, path }) => (
        <path key={`${from} ${to}`} class="line" d={path} />
      ))}
      {nodes.map((node) => (
        <Cube
          key={node.name}
          node={node}
          height={state.nodeHeight}
          look={node.name === state.around ? 'around' : found.has(node.name) ? 'found' : ''}
          open={() => model.post({ type: 'openCube', name: node.name })}
        />
      ))}
      {edges.map((edge) => (
        <Join
          key={`${edge.from} ${edge.to}`}
          edge={edge}
          open={() => model.post({ type: 'openJoin', from: edge.from, to: edge.to })}
        />
      ))}
    </svg>
  );
}

/** Returns attributes that make a group of the picture a link, because links in SVG cannot run code. */
const link = (label: string, open: () => void) => ({
  role: 'link' as const,
  // Attributes of SVG are case-sensitive: `tabIndex` would have no effect, and the link could not be focused.
  tabindex: 0,
  'aria-label': visible(label),
  onClick: open,
  // Browsers do not scroll to every part of a drawing that gets the focus.
  onFocus: ({ currentTarget }: { readonly currentTarget: Element }) => {
    currentTarget.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  },
  onKeyDown: ({ key }: { readonly key: string }) => {
    if (key === 'Enter') open();
  },
});

interface CubeProps {
  readonly node: DrawnNode;
  readonly height: number;
  readonly look: '' | 'around' | 'found';
  readonly open: () => void;
}

function Cube({ node: { name, measures, dimensions, x, y, width }, height, look, open }: CubeProps) {
  const counts = `${plural(measures, 'measure')}, ${plural(dimensions, 'dimension')}`;
  return (
    <g
      id={idOf(name)}
      class={`cube ${look}`}
      transform={`translate(${x} ${y})`}
      {...link(`${name}, ${counts}`, open)}
      {...modelNameMenu(name)}
    >
      <rect width={width} height={height} rx={6} />
      <text class="name" x={10} y={18}>
        {visible(name)}
      </text>{' '}
      <text class="counts" x={10} y={35}>
        {counts}
      </text>
    </g>
  );
}

const signs: Readonly<Record<string, string>> = {
  many_to_one: 'n : 1',
  one_to_many: '1 : n',
  one_to_one: '1 : 1',
};

function Join({
  edge: { from, to, relationship, x, y },
  open,
}: {
  readonly edge: DrawnEdge;
  readonly open: () => void;
}) {
  const sign = own(signs, relationship) ?? relationship;
  const width = sign.length * 6 + 10;
  return (
    <g
      class="join"
      transform={`translate(${x} ${y})`}
      {...link(`${from} joins ${to}, ${relationship.replaceAll('_', ' ')}, ${sign}`, open)}
    >
      <rect x={-width / 2} y={-9} width={width} height={18} rx={3} />
      <text y={4} text-anchor="middle">
        {visible(sign)}
      </text>
    </g>
  );
}
