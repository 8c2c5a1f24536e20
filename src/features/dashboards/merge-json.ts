import { isEqual } from '#base/equal.ts';
import { isObject } from '#api/schema.ts';

/** A position that both sides changed to different values; `undefined` on a side that has no value there. */
export interface MergeConflict {
  /** The path for users: `widgets[trend].position`. List items are named by `id`. */
  readonly path: string;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

export interface MergedJson {
  /** The changes of both sides; mine where they conflict. */
  readonly value: unknown;
  readonly conflicts: readonly MergeConflict[];
}

export interface MergeOptions {
  /** Whether an object is only valid as a whole, so that the two sides are never mixed in it. */
  readonly isWhole?: (value: unknown) => boolean;
}

/**
 * Merges JSON values three-way. Objects are merged field by field, and lists whose items all have an `id` item by item, in the
 * order of the side that changed it; every other list is one value.
 */
export function merge3Json(base: unknown, mine: unknown, theirs: unknown, options: MergeOptions = {}): MergedJson {
  const conflicts: MergeConflict[] = [];
  const merge: Merge = (sides, path) => {
    const decided = undisputed(sides);
    if (decided) return decided.value;
    const isWhole = [sides.base, sides.mine, sides.theirs].some((side) => options.isWhole?.(side) === true);
    const together = isWhole ? undefined : (asObjects(sides, path, merge) ?? asItems(sides, path, merge));
    if (together) return together.value;
    conflicts.push({ path, ...sides });
    return sides.mine;
  };
  const value = merge({ base, mine, theirs }, '');
  return { value, conflicts };
}

interface Sides<T = unknown> {
  readonly base: T;
  readonly mine: T;
  readonly theirs: T;
}

type Merge = (sides: Sides, path: string) => unknown;

/** Returns the result if no fields need comparing: at most one side changed the value, or both made the same change. */
function undisputed({ base, mine, theirs }: Sides): { readonly value: unknown } | undefined {
  if (isEqual(mine, theirs) || isEqual(base, theirs)) return { value: mine };
  return isEqual(base, mine) ? { value: theirs } : undefined;
}

function asObjects(
  { base = {}, mine, theirs }: Sides,
  path: string,
  merge: Merge,
): { readonly value: object } | undefined {
  if (!isObject(base) || !isObject(mine) || !isObject(theirs)) return undefined;
  const entries = [...new Set([...Object.keys(mine), ...Object.keys(theirs)])].map((key) => {
    const sides = { base: own(base, key), mine: own(mine, key), theirs: own(theirs, key) };
    return [key, merge(sides, path === '' ? key : `${path}.${key}`)] as const;
  });
  return { value: Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** Reads an own property only: a field named `constructor` must not find the one of the prototype. */
const own = (object: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(object, key) ? object[key] : undefined;

function asItems(
  { base = [], mine, theirs }: Sides,
  path: string,
  merge: Merge,
): { readonly value: readonly unknown[] } | undefined {
  const [before, here, there] = [itemsById(base), itemsById(mine), itemsById(theirs)];
  if (!before || !here || !there) return undefined;
  const order = mergedOrder([...before.keys()], [...here.keys()], [...there.keys()]);
  const items = order.map((id) =>
    merge({ base: before.get(id), mine: here.get(id), theirs: there.get(id) }, `${path}[${id}]`),
  );
  return { value: items.filter((item) => item !== undefined) };
}

function itemsById(list: unknown): ReadonlyMap<string, unknown> | undefined {
  if (!Array.isArray(list)) return undefined;
  const items = new Map<string, unknown>();
  for (const item of list) {
    const id = isObject(item) ? item['id'] : undefined;
    if (typeof id !== 'string' || items.has(id)) return undefined;
    items.set(id, item);
  }
  return items;
}

/**
 * Returns the order of the side that moved items, or mine if both did. An item that only the other side has stays behind its
 * predecessor.
 */
function mergedOrder(base: readonly string[], mine: readonly string[], theirs: readonly string[]): readonly string[] {
  const [leading, other] = isInOrder(mine, base) && !isInOrder(theirs, base) ? [theirs, mine] : [mine, theirs];
  const order = [...leading];
  const there = new Set(order);
  for (const [at, id] of other.entries()) {
    if (there.has(id)) continue;
    const previous = other[at - 1];
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, id);
    there.add(id);
  }
  return order;
}

/** Whether the items that `ids` shares with `base` are in the same order. */
function isInOrder(ids: readonly string[], base: readonly string[]): boolean {
  const shared = new Set(ids);
  const known = new Set(base);
  return isEqual(
    ids.filter((id) => known.has(id)),
    base.filter((id) => shared.has(id)),
  );
}
