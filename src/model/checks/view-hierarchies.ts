import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair, type TreeNode, type ValueKind } from '../syntax/tree.ts';
import type { ViewCubeSymbol } from '../view-cube.ts';
import { kindOfComputed } from './script-values.ts';

/**
 * Checks the hierarchies of a view: for each one that it includes from a cube, the engine searches all of the view's cubes for
 * hierarchies of that name, and fails at one that is not included.
 */
export function checkHierarchies(view: EntitySymbol, index: ModelIndex): Problem[] {
  const included = [...index.membersOf(view).byName.values()];
  const hierarchies = included.filter(({ kind, via }) => kind === 'hierarchy' && via !== undefined);
  if (hierarchies.length === 0 || view.chunk.templated) return [];
  return [...hierarchies.flatMap(withoutList), ...sameNames(index, included)];
}

/** Reports included hierarchies without a list of levels: the engine reads them as a list. */
function withoutList({ name, member, owner, via }: Effective): Problem[] {
  const levels = findPair(member.node, 'levels')?.value;
  const at = via?.include?.nameNode ?? via?.cube.path;
  if (!at || !levels || owner.chunk.templated || mayBeList(levels)) return [];
  const { start, end } = levels;
  const related = [{ chunk: owner.chunk, start, end, message: 'The levels.' }];
  const message = `The levels of the hierarchy \`${name}\` must be a list where a view includes it.`;
  return [{ code: 'wrong-type', start: at.start, end: at.end, message, related }];
}

function mayBeList(levels: TreeNode): boolean {
  if (levels.kind !== 'opaque') return levels.kind === 'seq';
  return !NO_LISTS.has(kindOfComputed(levels) ?? 'object');
}

const NO_LISTS: ReadonlySet<ValueKind> = new Set(['number', 'boolean', 'bigint', 'instance', 'map', 'regexp']);

function sameNames(index: ModelIndex, included: readonly Effective[]): Problem[] {
  const hierarchies = included.filter(({ kind, via }) => kind === 'hierarchy' && via !== undefined);
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
    const related = [{ chunk: owner.chunk, start: nameNode.start, end: nameNode.end, message: 'The other hierarchy.' }];
    const message = `\`${cube.name}\` also has a hierarchy \`${missing.name}\`, which the view does not include: include it under another name, or rename one of them.`;
    return [{ code: 'view-clash', start: path.start, end: path.end, message, related }];
  });
}
