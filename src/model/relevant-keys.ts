import { camelize } from './language/camelize.ts';
import { canonicalKey, language } from './language/language.ts';
import type { ShapeName, Type } from './language/types.ts';

/** A key whose value can contain references, with the details needed to read it. */
interface RelevantKey {
  readonly name: string;
  readonly type: Type;
}

const relevant = new Map<ShapeName, ReadonlyMap<string, RelevantKey>>();

/** Returns what a key means whose value can contain references, in any spelling; undefined for all others. */
export function relevantKey(shape: ShapeName, written: string): RelevantKey | undefined {
  const keys = relevantKeys(shape);
  const known = keys.get(written);
  if (known || !/[A-Z]|_(?:_|$)/.test(written)) return known;
  return keys.get(canonicalKey(shape, written) ?? '');
}

function relevantKeys(shape: ShapeName): ReadonlyMap<string, RelevantKey> {
  let keys = relevant.get(shape);
  if (!keys) {
    const { camel, keys: all } = language[shape];
    const entries = Object.entries(all).flatMap(([name, { type }]): [string, RelevantKey][] => {
      const key = { name, type };
      return holdsReferences(type)
        ? [[name, key], ...(camel ? [[camelize(name), key] satisfies [string, RelevantKey]] : [])]
        : [];
    });
    keys = new Map(entries);
    relevant.set(shape, keys);
  }
  return keys;
}

function holdsReferences(type: Type): boolean {
  if (type.is === 'list') return holdsReferences(type.of);
  if (type.is === 'either') return type.of.some(holdsReferences);
  return type.is === 'text'
    ? type.to !== undefined
    : type.is === 'sql' || type.is === 'reference' || type.is === 'map' || type.is === 'members';
}
