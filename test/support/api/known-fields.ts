import type { DocumentedType } from '#platform/modes/documented.ts';
import { fieldType, reading } from '#platform/modes/types.ts';

/** The members of a valibot schema that contain other schemas. */
interface SchemaParts {
  readonly entries?: Readonly<Record<string, unknown>>;
  readonly items?: readonly unknown[];
  readonly item?: unknown;
  readonly wrapped?: unknown;
  readonly options?: readonly unknown[];
  readonly pipe?: readonly unknown[];
  readonly value?: unknown;
}

/** Path of a field in a response: `[]` stands for the rows of a list, `{}` for the values of a map. */
type FieldPath = string;

/** Returns fields of a response schema that its documented type does not list. */
export function undocumentedFields(schema: unknown, type: DocumentedType | undefined): readonly FieldPath[] {
  return [...new Set(compare(schema, type, ''))];
}

function compare(schema: unknown, type: DocumentedType | undefined, path: string): readonly FieldPath[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const same = sameValue(schema);
  if (same) return same.flatMap((part) => compare(part, type, path));
  const { entries, items = [], item, value } = schema as SchemaParts;
  const found = type === undefined ? undefined : reading(type);
  if (entries) return isFree(found) ? [] : compareEntries(entries, found, path);
  const inner = found?.kind === 'list' || found?.kind === 'map' ? found.of : undefined;
  const rows = [...items, item].flatMap((each) => compare(each, inner, `${path}[]`));
  return [...rows, ...compare(value, inner, `${path}{}`)];
}

/** Returns the schemas of the same value: steps of a pipe, choices of a union, or the schema inside an option. */
function sameValue(schema: object): readonly unknown[] | undefined {
  const { pipe, wrapped, options } = schema as SchemaParts;
  // The last schema of a pipe is the documented shape; earlier ones convert other responses into it.
  if (pipe) return pipe.map((part) => ({ ...(part as object), pipe: undefined }));
  return wrapped === undefined ? options : [wrapped];
}

type Found = ReturnType<typeof reading> | undefined;

function compareEntries(
  entries: NonNullable<SchemaParts['entries']>,
  found: Found,
  path: string,
): readonly FieldPath[] {
  return Object.entries(entries).flatMap(([name, field]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const documentedType = found?.kind === 'fields' ? fieldType(found.fields, name) : undefined;
    return documentedType === undefined ? [at] : compare(field, documentedType, at);
  });
}

function isFree(found: Found): boolean {
  return found?.kind === 'plain' && (found.name === 'any' || found.name === 'object');
}

/** Lists deeper than this stay empty, because folders can contain folders without end. */
const deepest = 6;

/** Returns a response with the required documented fields only. */
export function leastAnswer(type: DocumentedType | undefined, depth = 0): unknown {
  if (type === undefined || (typeof type === 'string' && type.endsWith('?null'))) return type && null;
  const found = reading(type);
  if (found.kind === 'list') return depth > deepest ? [] : [leastAnswer(found.of, depth + 1)];
  if (found.kind === 'map') return { a: leastAnswer(found.of, depth + 1) };
  if (found.kind === 'enumeration') return found.values[0];
  if (found.kind === 'plain') return plainValues[found.name] ?? {};
  const needed = Object.entries(found.fields).filter(([name]) => !name.endsWith('?'));
  return Object.fromEntries(needed.map(([name, of]) => [name, leastAnswer(of, depth + 1)]));
}

const plainValues: Readonly<Record<string, unknown>> = {
  string: 'text',
  integer: 1,
  number: 1,
  boolean: true,
  timestamp: '2026-01-01T00:00:00Z',
  id: 7,
};
