import type { ShapeName, Type } from '#model/language/types.ts';
import type { Value } from './value.ts';

/** Shapes with lists of names, which are read as they are. */
const NAMED = new Set<ShapeName>([
  'memberLevel',
  'memberMasking',
  'viewCube',
  'folder',
  'viewGroup',
  'nestedViewGroup',
]);

/** Shapes whose SQL may be a text. */
const REFRESHED = new Set<ShapeName>(['cubeRefreshKey', 'preAggregationRefreshKey']);

/** Checks for a value that the engine reads only from a function. */
export function mustBeFunction(type: Type, shape: ShapeName, key = ''): boolean {
  if (key === 'extends') return false;
  if (shape === 'rowFilter' && key === 'values') return true;
  if (type.is === 'sql') return !REFRESHED.has(shape);
  return type.is === 'reference' || (isReferences(type) && !NAMED.has(shape));
}

/** The type of what has no other. */
export const ANY: Type = { is: 'any' };

/** Returns which of several types a value is meant to have. */
export function optionFor(value: Value, options: readonly Type[]): Type | undefined {
  if (value.is === 'object') return options.find(({ is }) => is === 'map');
  if (value.is === 'list') return options.find(({ is }) => is === 'list');
  return options.find(({ is }) => is !== 'map' && is !== 'list');
}

/** Checks for items that are read as they are when the script runs; references may be names of the model. */
export function mayBeExpanded(type: Type): boolean {
  if (type.is === 'either') return type.of.every(mayBeExpanded);
  return type.is === 'map' || type.is === 'text' || type.is === 'any';
}

function isReferences(type: Type | undefined): boolean {
  return type?.is === 'list' && type.of.is === 'reference';
}

/** Checks for a value that names something in the model. */
export function isName(type: Type | undefined): boolean {
  return type?.is === 'reference' || (type?.is === 'text' && type.to !== undefined);
}

/** Checks for a value that the engine reads as an expression on the model. */
export function isExpressionType(type: Type | undefined): boolean {
  return type?.is === 'sql' || type?.is === 'reference' || isReferences(type);
}
