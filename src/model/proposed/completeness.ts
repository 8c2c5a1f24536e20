import type { MapNode } from '../syntax/tree.ts';
import { foldKey } from './names.ts';

/** What describes or shows a member. An answer that redefines a member and does not repeat these means to keep them. */
const DESCRIBING: ReadonlySet<string> = new Set([
  'title',
  'description',
  'meta',
  'public',
  'shown',
  'format',
  'currency',
  'drillmembers',
  'primarykey',
  'key',
  'links',
  'aiaccess',
]);

/** Keys that say how a member is computed, by section: one without them says only a part of it. */
const DEFINING: Readonly<Record<string, readonly string[]>> = {
  dimensions: ['sql', 'case', 'latitude', 'switch', 'values', 'extends'],
  measures: ['sql', 'case', 'extends'],
  segments: ['sql'],
  joins: ['sql'],
  hierarchies: ['levels'],
  preaggregations: ['measures', 'dimensions', 'rollups', 'sql'],
};

/** The keys of a member that go when another version takes its place: none where that says only a part of it. */
export function outdatedKeys(section: string, before: MapNode, after: MapNode, isElided: boolean): readonly string[] {
  const [had, has] = [keysOf(before), keysOf(after)];
  if (isElided || !isComplete(section, had, has)) return [];
  return [...had].filter((key) => key !== 'name' && !has.has(key) && !DESCRIBING.has(key));
}

function isComplete(section: string, had: ReadonlySet<string>, has: ReadonlySet<string>): boolean {
  const defining = DEFINING[section];
  if (!defining) return false;
  if (['type', 'relationship'].some((key) => had.has(key) && !has.has(key))) return false;
  return defining.some((key) => has.has(key)) || !defining.some((key) => had.has(key));
}

function keysOf({ pairs }: MapNode): ReadonlySet<string> {
  return new Set(pairs.map(({ key }) => foldKey(key.value)));
}
