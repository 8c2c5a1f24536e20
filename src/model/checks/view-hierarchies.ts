import type { Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { EntitySymbol } from '../symbols.ts';
import type { ViewCubeSymbol } from '../view-cube.ts';

/**
 * Where a view includes a hierarchy of one cube, the engine searches all of its cubes for hierarchies of that name, and
 * fails at one that is not included as well.
 */
export function checkHierarchies(view: EntitySymbol, index: ModelIndex): Problem[] {
  const included = [...index.membersOf(view).byName.values()];
  const hierarchies = included.filter(({ kind, via }) => kind === 'hierarchy' && via !== undefined);
  if (hierarchies.length === 0 || view.part.templated) return [];
  const names = new Set(hierarchies.map(({ member }) => member.name));
  const cubes = new Map<EntitySymbol, ViewCubeSymbol>();
  for (const { owner, via } of included) if (via && owner.kind === 'cube') cubes.set(owner, via.cube);
  return [...cubes].flatMap(([cube, { path }]): Problem[] => {
    const missing = [...index.membersOf(cube).byName.values()].find(
      ({ kind, name }) =>
        kind === 'hierarchy' &&
        names.has(name) &&
        !hierarchies.some(({ owner, member }) => owner === cube && member.name === name),
    );
    if (!path || !missing) return [];
    const { nameNode, owner } = missing.member;
    const related = [{ part: owner.part, start: nameNode.start, end: nameNode.end, message: 'The other hierarchy.' }];
    const message = `\`${cube.name}\` also has a hierarchy \`${missing.name}\`, which the view does not include: include it under another name, or rename one of them.`;
    return [{ code: 'view-clash', start: path.start, end: path.end, message, related }];
  });
}
