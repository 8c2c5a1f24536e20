import type { Problem } from '../codes.ts';
import type { Part } from '../file.ts';
import { findPair, isDynamic, type MapNode, type ScalarNode, type SeqNode } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';

/** Lists whose items have names of their own, which must differ. */
const NAMED = new Set(['granularities', 'links']);

/** What items of one list must not have in common. */
export function checkNamedItems({ key = '' }: Site, { items }: SeqNode, part: Part): Problem[] {
  if (!NAMED.has(key) || part.templated) return [];
  const maps = items.flatMap((item) => (item?.kind === 'map' ? [item] : []));
  return [...sameNames(maps, part), ...(key === 'links' ? severalPrimary(maps) : [])];
}

function sameNames(items: readonly MapNode[], part: Part): Problem[] {
  const seen = new Map<string, ScalarNode>();
  return items.flatMap((item): Problem[] => {
    const name = findPair(item, 'name')?.value;
    if (name?.kind !== 'scalar' || name.value === '' || isDynamic(name.value)) return [];
    const first = seen.get(name.value);
    if (!first) {
      seen.set(name.value, name);
      return [];
    }
    const related = [{ part, start: first.start, end: first.end, message: 'The first one.' }];
    const message = `\`${name.value}\` is there twice in this list.`;
    return [{ code: 'duplicate-name', start: name.start, end: name.end, message, related }];
  });
}

function severalPrimary(items: readonly MapNode[]): Problem[] {
  const primary = items.flatMap((item) => {
    const value = findPair(item, 'primary')?.value;
    return value?.kind === 'scalar' && value.value === 'true' ? [value] : [];
  });
  return primary.slice(1).map(({ start, end }) => ({
    code: 'bad-value',
    start,
    end,
    message: 'Only one link can be the primary one.',
  }));
}
