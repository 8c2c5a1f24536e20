import { GROUP_SHAPES } from '#model/language/group-shapes.ts';
import type { Problem } from '../codes.ts';
import { isTrue } from '#model/expressions/boolean-expression.ts';
import { canonicalKey, language } from '../language/language.ts';
import type { Chunk } from '../file.ts';
import type { ShapeName } from '../language/types.ts';
import { type MapNode, type Pair, type ScalarNode, textOf } from '../syntax/tree.ts';
import type { Site } from '../typed.ts';

/**
 * Reports keys of a script that are written as `get key() {…}` or `key() {…}`, or hold a `function () {…}` from outside of the
 * definition, where the engine writes to them itself or takes only `key: () => …`.
 */
export function checkAccessors(site: Site, { pairs }: MapNode, chunk: Chunk): readonly Problem[] {
  if (chunk.kind !== 'script') return NONE;
  return pairs.flatMap((pair): Problem[] => {
    if (pair.written === undefined || !isRefused(site, pair, chunk.text)) return [];
    return [unreadableForm(pair.key, pair.written)];
  });
}

const NONE: readonly Problem[] = [];

const FORMS: Readonly<Record<NonNullable<Pair['written']>, readonly [form: string, instead: string]>> = {
  getter: ['a getter', '…'],
  method: ['a method', '() => …'],
  function: ['`function (…) {…}` without a name', '() => …'],
};

/** Returns the problem of a key that is written as a getter, a method or a function which the engine cannot read. */
export function unreadableForm({ start, end, value }: ScalarNode, written: NonNullable<Pair['written']>): Problem {
  const [form, instead] = FORMS[written];
  const message = `The engine cannot read ${form} here: write \`${value}: ${instead}\`.`;
  return { code: 'wrong-type', start, end, message };
}

/** Lists whose names the engine writes to. */
const NESTED = new Set(['granularities', 'indexes']);
/** Members whose own `sql` the engine takes apart. */
const MEMBERS = new Set<ShapeName>(['dimension', 'measure', 'segment']);
/** References that the engine takes apart while it loads the model. */
const FOLLOWED = new Set(['join_path', 'member', 'drill_members', 'group_by', 'reduce_by', 'add_group_by', 'levels']);

function isRefused(site: Site, pair: Pair, text: string): boolean {
  const { shape, type, key = '' } = site;
  if (type.is === 'members') {
    if (pair.written === 'function') return false;
    return pair.written === 'getter' ? NESTED.has(key) : key === 'joins';
  }
  // Groups of views are read as they are.
  if (shape === undefined || GROUP_SHAPES.has(shape)) return false;
  const name = canonicalKey(shape, pair.key.value);
  if (name === undefined) return false;
  if (pair.written !== 'getter') return isTakenApart(site, shape, name) && !yieldsFunction(pair, text);
  // The keys of a cube or view are not written to, but its SQL must be a function.
  return site.parent !== undefined || name === 'sql' || name === 'sql_table';
}

function isTakenApart({ node }: Site, shape: ShapeName, key: string): boolean {
  // The SQL of a subquery is read when a query needs it.
  if (language[shape].keys[key]?.type.is === 'sql')
    return MEMBERS.has(shape) && !(node.kind === 'map' && isTrue(textOf(node, 'sub_query', 'subQuery')));
  return FOLLOWED.has(key) || (shape === 'timeShift' && key === 'time_dimension');
}

/** Checks for an arrow in a method or a function, which the engine then takes for the function itself. */
function yieldsFunction({ key, value, end, written }: Pair, text: string): boolean {
  return text.slice(written === 'function' ? value?.start : key.end, end).includes('=>');
}
