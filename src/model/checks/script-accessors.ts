import type { Problem } from '../codes.ts';
import { canonicalKey, language } from '../language/language.ts';
import type { Chunk } from '../file.ts';
import type { ShapeName } from '../language/types.ts';
import type { MapNode, Pair } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';

/**
 * Reports keys of a script that are written as `get key() {…}` or `key() {…}` where the engine writes to them itself or takes only
 * `key: () => …`.
 */
export function checkAccessors(site: Site, { pairs }: MapNode, chunk: Chunk): readonly Problem[] {
  if (chunk.kind !== 'script') return NONE;
  return pairs.flatMap((pair): Problem[] => {
    if (pair.written === undefined || !isRefused(site, pair, chunk.text)) return [];
    const { start, end, value } = pair.key;
    const message =
      pair.written === 'getter'
        ? `The engine cannot read a getter here: write \`${value}: …\`.`
        : `The engine cannot read a method here: write \`${value}: () => …\`.`;
    return [{ code: 'wrong-type', start, end, message }];
  });
}

const NONE: readonly Problem[] = [];

/** Groups of views are read as they are. */
const GROUPS = new Set<ShapeName>(['viewGroup', 'nestedViewGroup']);
/** Lists whose names the engine writes to. */
const NESTED = new Set(['granularities', 'indexes']);
/** Members whose own `sql` the engine takes apart. */
const MEMBERS = new Set<ShapeName>(['dimension', 'measure', 'segment']);
/** References that the engine takes apart while it loads the model. */
const FOLLOWED = new Set(['join_path', 'member', 'drill_members', 'group_by', 'reduce_by', 'add_group_by']);

function isRefused(site: Site, pair: Pair, text: string): boolean {
  const { shape, type, key = '' } = site;
  if (type.is === 'members') return pair.written === 'getter' ? NESTED.has(key) : key === 'joins';
  if (shape === undefined || GROUPS.has(shape)) return false;
  const name = canonicalKey(shape, pair.key.value);
  if (name === undefined) return false;
  if (pair.written === 'method') return isTakenApart(shape, name) && !yieldsFunction(pair, text);
  // The keys of a cube or view are not written to, but its SQL must be a function.
  return site.parent !== undefined || name === 'sql' || name === 'sql_table';
}

function isTakenApart(shape: ShapeName, key: string): boolean {
  if (language[shape].keys[key]?.type.is === 'sql') return MEMBERS.has(shape);
  return FOLLOWED.has(key) || (shape === 'timeShift' && key === 'time_dimension');
}

/** Checks for an arrow in a method, which the engine then takes for the function itself. */
function yieldsFunction({ key, end }: Pair, text: string): boolean {
  return text.slice(key.end, end).includes('=>');
}
