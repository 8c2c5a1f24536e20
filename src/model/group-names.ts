import type { EntitySymbol } from './symbols.ts';
import { findPair, isDynamic, type MapNode, type ScalarNode } from './syntax/tree.ts';

/** Returns the names that a view group takes: its own and those of its nested groups. All groups of a model share them. */
export function groupNamesOf({ kind, nameNode, entity }: EntitySymbol): readonly ScalarNode[] {
  if (kind !== 'viewGroup') return [];
  const names = [...(nameNode ? [nameNode] : []), ...nestedNames(entity.node)];
  return names.filter(({ value, style }) => style !== 'code' && !isDynamic(value) && !value.includes('${'));
}

function nestedNames(group: MapNode): ScalarNode[] {
  const includes = findPair(group, 'includes')?.value;
  if (includes?.kind !== 'seq') return [];
  return includes.items.flatMap((item): ScalarNode[] => {
    if (item?.kind !== 'map') return [];
    const name = findPair(item, 'name')?.value;
    return [...(name?.kind === 'scalar' ? [name] : []), ...nestedNames(item)];
  });
}
