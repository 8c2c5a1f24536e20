import { own } from '#base/own.ts';
import type { MapNode } from '../syntax/tree.ts';
import { foldKey } from './names.ts';

/** Keys that describe or show a member. An answer that redefines a member without repeating them means to keep them. */
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

/** Keys that define how a member is computed, by section: a version without them is incomplete. */
const DEFINING: Readonly<Record<string, readonly string[]>> = {
  dimensions: ['sql', 'case', 'latitude', 'switch', 'values', 'extends'],
  measures: ['sql', 'case', 'extends'],
  segments: ['sql'],
  joins: ['sql'],
  hierarchies: ['levels'],
  preaggregations: ['measures', 'dimensions', 'rollups', 'sql'],
};

/** Returns the keys of a member to remove when another version replaces it: none if that version is incomplete. */
export function outdatedKeys(section: string, before: MapNode, after: MapNode, isElided: boolean): readonly string[] {
  const [had, has] = [keysOf(before), keysOf(after)];
  if (isElided || !isComplete(section, had, has)) return [];
  return [...had].filter((key) => key !== 'name' && !has.has(key) && !DESCRIBING.has(key));
}

function isComplete(section: string, had: ReadonlySet<string>, has: ReadonlySet<string>): boolean {
  const defining = own(DEFINING, section);
  if (!defining) return false;
  if (['type', 'relationship'].some((key) => had.has(key) && !has.has(key))) return false;
  return defining.some((key) => has.has(key)) || !defining.some((key) => had.has(key));
}

function keysOf({ pairs }: MapNode): ReadonlySet<string> {
  return new Set(pairs.map(({ key }) => foldKey(key.value)));
}
