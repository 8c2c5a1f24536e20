import { canonicalKey, language } from '#model/language/language.ts';
import type { ShapeName, Type } from '#model/language/types.ts';

/** Returns the type expected at the end of a path of keys; `-` stands for a list item. */
export function typeAt(path: readonly string[]): Type | undefined {
  let type: Type | undefined = { is: 'map', shape: 'file' };
  for (const part of path) {
    type = part === '-' ? itemType(type) : typeOfKey(shapeOf(type), part);
    if (!type) return undefined;
  }
  return type;
}

/** Returns the type of a key's value, in either spelling of the key. */
export function typeOfKey(shape: ShapeName | undefined, written: string): Type | undefined {
  const key = shape && canonicalKey(shape, written);
  return shape && key !== undefined ? language[shape].keys[key]?.type : undefined;
}

/** Returns the shape of a map of this type. */
export function shapeOf(type: Type | undefined): ShapeName | undefined {
  if (type?.is === 'map') return type.shape;
  if (type?.is === 'either') for (const option of type.of) if (option.is === 'map') return option.shape;
  return undefined;
}

/** Returns the type of an item of a list of this type. */
export function itemType(type: Type | undefined): Type | undefined {
  if (type?.is === 'list') return type.of;
  if (type?.is === 'members') return { is: 'map', shape: type.shape };
  if (type?.is === 'either') for (const option of type.of) if (option.is === 'list') return option.of;
  return undefined;
}

/** Checks whether a value of this type cannot be a map of one shape. */
export function isNeverMap(type: Type): boolean {
  return type.is === 'either' ? !type.of.some(({ is }) => is === 'map') : type.is !== 'map';
}
