import { camelize, language } from './language/language.ts';
import type { ShapeName, Type } from './language/types.ts';

/** A key whose value can contain references, with the details needed to read it. */
interface RelevantKey {
  readonly name: string;
  readonly type: Type;
}

const relevant = new Map<ShapeName, ReadonlyMap<string, RelevantKey>>();

/** Returns the keys of a shape, in either spelling, that can contain references: all others are skipped. */
export function relevantKeys(shape: ShapeName): ReadonlyMap<string, RelevantKey> {
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
