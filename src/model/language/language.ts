import { camelize } from './camelize.ts';
import { cubeShapes } from './cube-shapes.ts';
import { memberShapes } from './member-shapes.ts';
import { nestedShapes } from './nested-shapes.ts';
import { preAggregationShapes } from './pre-aggregation-shapes.ts';
import { viewShapes } from './view-shapes.ts';
import type { Shape, ShapeName } from './types.ts';

/**
 * The data-model language as one table (docs/model-language.md): which keys a map may have, their types,
 * enums, groups and kinds of string. Completion, hover, shape checks, references and the JSON Schema are made from it.
 */
export const language: Readonly<Record<ShapeName, Shape>> = {
  ...cubeShapes,
  ...memberShapes,
  ...nestedShapes,
  ...preAggregationShapes,
  ...viewShapes,
};

const lookups = new Map<ShapeName, ReadonlyMap<string, string>>();

function lookup(name: ShapeName): ReadonlyMap<string, string> {
  let table = lookups.get(name);
  if (!table) {
    const shape = language[name];
    const entries = Object.keys(shape.keys).flatMap((key) =>
      shape.camel ? [[key, key] as const, [camelize(key), key] as const] : [[key, key] as const],
    );
    table = new Map(entries);
    lookups.set(name, table);
  }
  return table;
}

/** Returns the table's spelling of a key in either spelling; undefined if the shape has no such key. */
export function canonicalKey(shape: ShapeName, written: string): string | undefined {
  const table = lookup(shape);
  const key = table.get(written);
  if (key !== undefined || !/[A-Z_]/.test(written)) return key;
  return table.get(convertKey(shape, written));
}

/**
 * Returns the key that only a second conversion yields: the engine converts YAML twice, so that `_type` becomes `Type` and then
 * `type`, after it has read the members.
 */
export function lateKey(shape: ShapeName, written: string): string | undefined {
  if (!written.startsWith('_') || canonicalKey(shape, written) !== undefined) return undefined;
  return canonicalKey(shape, camelize(written));
}

/** Shapes whose keys the engine does not convert; none of their keys has an underscore. */
const AS_WRITTEN: ReadonlySet<ShapeName> = new Set([
  'segment',
  'cubeRefreshKey',
  'defaultFilter',
  'viewGroup',
  'nestedViewGroup',
]);

/** Returns a key as the engine converts it: to camel case, except in some shapes. */
export function convertKey(shape: ShapeName, written: string): string {
  return language[shape].camel && !AS_WRITTEN.has(shape) ? camelize(written) : written;
}

/** Checks for a key of any shape, in either spelling. */
export function isKnownKey(written: string): boolean {
  return (Object.keys(language) as ShapeName[]).some((shape) => canonicalKey(shape, written) !== undefined);
}
