import { allJoins, cardinality } from '#model/graph.ts';
import type { JoinGraphResult } from '#features/language/messages.ts';
import type { ModelRoot, Workspace } from '#language-server/workspace/workspace.ts';
import { locationOf } from '#language-server/ide/locations.ts';

/** Returns the cubes and views of a model with the joins between them, each with its location. */
export function joinGraphOf({ index }: ModelRoot, workspace: Workspace): JoinGraphResult {
  const nodes = index.entities().flatMap((entity) => {
    const { kind, nameNode, chunk, name } = entity;
    const at =
      nameNode && kind !== 'viewGroup' ? locationOf(workspace, index, chunk, nameNode.start, nameNode.end) : undefined;
    if (!at || kind === 'viewGroup') return [];
    const members = [...index.membersOf(entity).byName.values()];
    const count = (wanted: 'measure' | 'dimension'): number =>
      members.filter((member) => member.kind === wanted).length;
    return [
      {
        name,
        kind,
        uri: at.uri,
        line: at.range.start.line,
        measures: count('measure'),
        dimensions: count('dimension'),
      },
    ];
  });
  const edges = allJoins(index).flatMap(({ from, to, join, declaredBy }) => {
    const at = locationOf(workspace, index, declaredBy.chunk, join.nameNode.start, join.nameNode.end);
    return at
      ? [{ from: from.name, to: to.name, relationship: cardinality(join), uri: at.uri, line: at.range.start.line }]
      : [];
  });
  return { nodes, edges };
}
