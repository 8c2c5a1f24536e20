import * as v from 'valibot';
import { plural } from '#base/words.ts';
import { allJoins, cardinality } from '#model/graph.ts';
import { kindOf, nameOf, type Named, named, namesOf } from '#tools/model/definitions.ts';
import { type Graph, graphSchema } from './graph-schema.ts';
import { dependenciesOf, reachableFrom, reversed } from '#model/dependencies.ts';
import { toMermaid } from './mermaid.ts';
import { toSvg } from './svg.ts';
import { oneLine } from '#tools/one-line.ts';
import { type OpenedModel, openModel } from '#tools/model/opened-model.ts';
import { defineTool } from '#tools/tool.ts';

/** Shows the joins between cubes, or the lineage of one name (docs/tools.md#graph). */
export const graph = defineTool({
  name: 'graph',
  title: 'Show Graph',
  description:
    'Shows the joins between the cubes of the data model, or, for one cube, view or member, its lineage: everything that it is made of and everything that uses it.',
  risk: 'read',
  reach: 'folder',
  positional: ['of'],
  examples: [
    { command: 'modelbench graph --format mermaid', does: 'Draws the joins for a Markdown page.' },
    { command: 'modelbench graph --format svg > joins.svg', does: 'Draws the joins as a picture.' },
    { command: 'modelbench graph orders.average', does: 'Lists what the measure needs and what uses it.' },
  ],
  input: v.object({
    of: v.optional(
      v.pipe(v.string(), v.description('The cube, view or member whose lineage is shown; without it: all joins.')),
    ),
  }),
  output: graphSchema,
  run: async (ports, { of }, context) => {
    const opened = await openModel(ports, context);
    return of === undefined ? joins(opened) : lineage(opened, nameOf(named(opened, of)));
  },
  toText: (found) => {
    const lines = found.edges.map(({ from, to, kind }) =>
      oneLine(`${from} → ${to}${kind === 'uses' ? '' : ` (${kind})`}`),
    );
    const alone = found.nodes.filter(({ name }) => !found.edges.some(({ from, to }) => from === name || to === name));
    const rest = found.incomplete ? ['The model computes names when it runs, so there may be more.'] : [];
    const count = found.shows === 'joins' ? plural(found.edges.length, 'join') : plural(found.edges.length, 'step');
    return [
      ...lines,
      ...alone.map(({ name }) => oneLine(name)),
      `${count}, ${plural(found.nodes.length, 'name')}.`,
      ...rest,
    ].join('\n');
  },
  formats: { mermaid: toMermaid, svg: toSvg },
});

function joins({ index }: OpenedModel): Graph {
  const cubes = index.entities().filter(({ kind, dynamic }) => kind === 'cube' && !dynamic);
  return {
    shows: 'joins',
    nodes: cubes.map(({ name }) => ({ name, kind: 'cube' })),
    edges: allJoins(index).map(({ from, to, join }) => ({ from: from.name, to: to.name, kind: cardinality(join) })),
    incomplete: index.dynamic,
  };
}

/** Returns what a name is made of and what uses it, followed in both directions. */
function lineage(opened: OpenedModel, name: string): Graph {
  const needs = dependenciesOf(opened.index);
  const usedBy = reversed(needs);
  const [below, above] = [reachableFrom(name, needs), reachableFrom(name, usedBy)];
  const steps = (inside: ReadonlySet<string>): Graph['edges'] =>
    [...inside].flatMap((from) =>
      [...(needs.get(from) ?? [])].flatMap((to) => (inside.has(to) ? [{ from, to, kind: 'uses' as const }] : [])),
    );
  const edges = new Map([...steps(below), ...steps(above)].map((edge) => [`${edge.from} ${edge.to}`, edge]));
  const byName = new Map<string, Named>([...namesOf(opened)].map((found) => [nameOf(found), found]));
  const nodes = [...new Set([...below, ...above])].flatMap((each) => {
    const found = byName.get(each);
    return found ? [{ name: each, kind: kindOf(found) }] : [];
  });
  return { shows: 'lineage', nodes, edges: [...edges.values()], incomplete: opened.index.dynamic };
}
