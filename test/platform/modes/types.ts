import { documented, type DocumentedFields, type DocumentedType } from './documented.ts';

/** What the notation of `documented-operations.json` says about a type. */
type Reading =
  | { readonly kind: 'list'; readonly of: DocumentedType }
  | { readonly kind: 'map'; readonly of: DocumentedType }
  | { readonly kind: 'fields'; readonly fields: DocumentedFields; readonly open: boolean }
  | { readonly kind: 'enumeration'; readonly values: readonly string[] }
  | { readonly kind: 'plain'; readonly name: string };

/** Reads one step of a type: what it is, and the type of what it holds. */
export function reading(type: DocumentedType): Reading {
  if (typeof type !== 'string') {
    return isList(type) ? { kind: 'list', of: type[0] } : { kind: 'fields', fields: type, open: false };
  }
  const name = type.replace(/\?null$/, '');
  if (name.startsWith('[')) return { kind: 'list', of: name.slice(1, -1) };
  if (name.startsWith('{')) return { kind: 'map', of: name.slice(1, -1) };
  const shape = documented.shapes[name];
  if (shape !== undefined) return { kind: 'fields', fields: shape.fields, open: shape.open === true };
  const enumeration = documented.enumerations[name];
  return enumeration === undefined ? { kind: 'plain', name } : { kind: 'enumeration', values: enumeration.values };
}

const isList = (type: DocumentedType): type is readonly [DocumentedType] => Array.isArray(type);

export type Json = Readonly<Record<string, unknown>>;

export const isRecord = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The type of a field, whether it may be left out or not; undefined where it is not documented. */
export function fieldType(fields: DocumentedFields, name: string): DocumentedType | undefined {
  // A field may be called like a property that every object has.
  if (Object.hasOwn(fields, name)) return fields[name];
  return Object.hasOwn(fields, `${name}?`) ? fields[`${name}?`] : undefined;
}

interface Visit {
  /** Changes an object of documented fields, after its values. */
  readonly object?: (value: Json, found: { readonly fields: DocumentedFields; readonly open: boolean }) => Json;
  /** Changes a list, after its values. */
  readonly list?: (rows: readonly unknown[], of: DocumentedType) => readonly unknown[];
}

/** Walks a value along its documented type; what is not documented is left as it is. */
export function walk(type: DocumentedType, value: unknown, visit: Visit): unknown {
  const found = reading(type);
  if (found.kind === 'list' && Array.isArray(value)) {
    const rows = value.map((row: unknown) => walk(found.of, row, visit));
    return visit.list?.(rows, found.of) ?? rows;
  }
  if (!isRecord(value)) return value;
  if (found.kind === 'map') return entries(value, (_, each) => walk(found.of, each, visit));
  if (found.kind !== 'fields') return value;
  const inner = entries(value, (name, each) => {
    const of = fieldType(found.fields, name);
    return of === undefined ? each : walk(of, each, visit);
  });
  return visit.object?.(inner, found) ?? inner;
}

/** `Object.fromEntries` keeps a field that is called `__proto__`. */
const entries = (value: Json, change: (name: string, each: unknown) => unknown): Json =>
  Object.fromEntries(Object.entries(value).map(([name, each]) => [name, change(name, each)]));

/** A value with the documented fields only; objects whose fields the documented API does not show keep theirs if `keepOpen`. */
export function onlyDocumented(type: DocumentedType, value: unknown, keepOpen: boolean): unknown {
  return walk(type, value, {
    object: (each, { fields, open }) =>
      open && keepOpen
        ? each
        : Object.fromEntries(Object.entries(each).filter(([name]) => fieldType(fields, name) !== undefined)),
  });
}

/** What is wrong with a value by what is documented, a sentence a problem, with its dotted path. */
export function problemsOf(type: DocumentedType, value: unknown, path = ''): readonly string[] {
  if (value === null && typeof type === 'string' && type.endsWith('?null')) return [];
  const found = reading(type);
  const at = path === '' ? 'the body' : path;
  if (found.kind === 'list') {
    if (!Array.isArray(value)) return [`${at} must be a list`];
    return value.flatMap((row, index) => problemsOf(found.of, row, join(path, index)));
  }
  if (found.kind === 'enumeration' || found.kind === 'plain') return valueProblems(found, value, at);
  if (!isRecord(value)) return [`${at} must be an object`];
  if (found.kind === 'fields') return fieldProblems(found.fields, value, path, found.open);
  return Object.entries(value).flatMap(([name, each]) => problemsOf(found.of, each, join(path, name)));
}

function valueProblems(
  found: Extract<Reading, { kind: 'enumeration' | 'plain' }>,
  value: unknown,
  at: string,
): readonly string[] {
  if (found.kind === 'plain')
    return plainTypes[found.name]?.(value) === true ? [] : [`${at} must be of type ${found.name}`];
  return found.values.includes(value as string) ? [] : [`${at} must be one of ${found.values.join(', ')}`];
}

/** As `problemsOf`, for an object whose fields stand in an operation and not in a shape. */
export function fieldProblems(fields: DocumentedFields, value: Json, path: string, open: boolean): readonly string[] {
  const missing = Object.keys(fields).filter((name) => !name.endsWith('?') && value[name] === undefined);
  return [
    ...missing.map((name) => `${join(path, name)} is required`),
    ...Object.entries(value).flatMap(([name, each]) => {
      const type = fieldType(fields, name);
      if (type !== undefined) return problemsOf(type, each, join(path, name));
      return open ? [] : [`${join(path, name)} is not documented`];
    }),
  ];
}

const join = (path: string, name: string | number): string => (path === '' ? String(name) : `${path}.${name}`);

const plainTypes: Readonly<Record<string, (value: unknown) => boolean>> = {
  string: (value) => typeof value === 'string',
  integer: (value) => Number.isInteger(value),
  number: (value) => typeof value === 'number',
  boolean: (value) => typeof value === 'boolean',
  timestamp: (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value)),
  id: (value) => typeof value === 'string' || typeof value === 'number',
  object: (value) => isRecord(value),
  any: () => true,
};
