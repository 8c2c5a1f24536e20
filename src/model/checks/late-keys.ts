import type { Problem } from '../codes.ts';
import type { Chunk } from '../file.ts';
import { lateKey, language } from '../language/language.ts';
import type { Key, Type } from '../language/types.ts';
import { isDynamic, type MapNode, type Pair, scalarType } from '../syntax/tree.ts';
import { type Site, siteOf } from '../typed.ts';
import { checkMeta } from './meta.ts';
import { nullValue } from './null-value.ts';
import { checkValue } from './values.ts';

/** A key as the engine takes it after the second conversion. */
export interface LateKey {
  readonly name: string;
  readonly info: Key;
}

/** Types of values that the engine does not read before the second conversion, as it does SQL, references and names. */
const READ_LATE: ReadonlySet<Type['is']> = new Set(['text', 'boolean', 'number', 'any', 'map']);

/** Labels, which are texts, and branches, which are not resolved where they are not read as such. */
const LATE_IN_CASE: ReadonlySet<string> = new Set(['case.when', 'caseWhen.label', 'caseElse.label']);

/** Lists of mappings that it does not read before either. */
const LATE_LISTS: ReadonlySet<string> = new Set(['time_shift', 'order_by', 'filters']);

/** Keys of a cube or a view whose contents it has read, or passed over, by then. */
const UNREAD: ReadonlySet<string> = new Set(['access_policy', 'folders', 'cubes']);

/** Returns the key that the engine takes such a key for. It converts scripts and granularities once. */
export function takenLate(pair: Pair, site: Site, { kind }: Chunk): LateKey | undefined {
  if (kind === 'script' || site.shape === 'granularity') return undefined;
  const late = lateOf(pair, site);
  return late && isTaken(late, site) && !needsMember(late, pair) ? late : undefined;
}

/** Checks for a shift that names a time dimension, which the engine would have to read before. */
function needsMember({ name }: LateKey, { value }: Pair): boolean {
  const items = name === 'time_shift' && value?.kind === 'seq' ? value.items : [];
  return items.some(
    (item) => item?.kind === 'map' && item.pairs.some(({ key }) => key.value.replace(/^_+/, '') === 'time_dimension'),
  );
}

function isTaken({ name, info: { type } }: LateKey, { shape }: Site): boolean {
  if (name === 'name') return false;
  if (LATE_IN_CASE.has(`${shape}.${name}`)) return true;
  if (type.is === 'list') return type.of.is === 'text' || type.of.is === 'any' || LATE_LISTS.has(name);
  // The other branches of a case refer to members.
  return name === 'joins' || (READ_LATE.has(type.is) && name !== 'case');
}

/**
 * Checks for a key that the engine accepts, but of whose value it makes nothing: the members of such a group get no names, so that
 * only references to them are errors.
 */
export function isUnreadLate(pair: Pair, site: Site): boolean {
  const late = site.parent === undefined ? lateOf(pair, site) : undefined;
  return late !== undefined && (late.info.type.is === 'members' || UNREAD.has(late.name));
}

function lateOf({ key }: Pair, { shape = 'file' }: Site): LateKey | undefined {
  const name = lateKey(shape, key.value);
  const info = name === undefined ? undefined : language[shape].keys[name];
  return name !== undefined && info ? { name, info } : undefined;
}

/** Returns the problems of the values of all such keys of a map: its texts are read as everywhere, and its kind is checked last. */
export function checkLateValues(site: Site, node: MapNode, chunk: Chunk): Problem[] {
  if (chunk.kind === 'script') return [];
  return node.pairs.flatMap((pair) => {
    if (!pair.key.value.startsWith('_') || isDynamic(pair.key.value)) return [];
    const late = takenLate(pair, site, chunk);
    return late || isUnreadLate(pair, site) ? checkLateValue(pair, site, chunk, late) : [];
  });
}

function checkLateValue(pair: Pair, site: Site, chunk: Chunk, late: LateKey | undefined): Problem[] {
  const { value } = pair;
  if (!value || (value.kind === 'scalar' && scalarType(value) === 'null')) return [nullValue(pair)];
  const texts = checkMeta(value, chunk);
  if (texts.length > 0 || !late || !IS_CHECKED.has(late.info.type.is)) return texts;
  return checkValue(siteOf(value, late.info.type, site, pair, late.name), chunk);
}

/** Types of values that the engine checks whenever it reads them. */
const IS_CHECKED: ReadonlySet<Type['is']> = new Set(['text', 'boolean', 'number', 'map']);
