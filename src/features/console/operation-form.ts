import type * as v from 'valibot';
import type { Operation } from '#api/operation.ts';

/** A request as a document: only the parts that the operation has. */
export interface RequestDocument {
  readonly operation: string;
  readonly params?: unknown;
  readonly query?: unknown;
  readonly body?: unknown;
}

interface AnySchema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, AnySchema>>;
  readonly options?: readonly unknown[];
  readonly wrapped?: AnySchema;
  readonly item?: AnySchema;
  readonly pipe?: readonly AnySchema[];
  readonly literal?: unknown;
}

/** A request to fill in: every needed field is there, of the right type, and known values are filled in. */
export function requestTemplate(op: Operation, known: Readonly<Record<string, string>>): RequestDocument {
  const part = (schema: v.GenericSchema | undefined, all: boolean): unknown => schema && example(schema, known, all);
  const params = part(op.params, true);
  const query = part(op.query, false);
  const body = part(op.body, false);
  return {
    operation: op.id,
    ...(params === undefined ? {} : { params }),
    ...(query === undefined ? {} : { query }),
    ...(body === undefined ? {} : { body }),
  };
}

/** What a body can hold beyond the template, for the comment above it: `name?: string`. */
export function optionalFields(schema: v.GenericSchema | undefined): readonly string[] {
  const inner = schema && bare(schema);
  return Object.entries(inner?.entries ?? {})
    .filter(([, field]) => isOptional(field))
    .map(([name, field]) => `${name}: ${words(bare(field))}`);
}

function example(schema: AnySchema, known: Readonly<Record<string, string>>, all: boolean): unknown {
  const inner = bare(schema);
  if (inner.entries) {
    const fields = Object.entries(inner.entries).filter(([, field]) => all || !isOptional(field));
    return Object.fromEntries(fields.map(([name, field]) => [name, known[name] ?? example(field, known, all)]));
  }
  if (inner.type === 'array') return inner.item ? [example(inner.item, known, all)] : [];
  if (inner.type === 'union') return example((inner.options?.[0] ?? { type: 'string' }) as AnySchema, known, all);
  if (inner.type === 'picklist') return inner.options?.[0] ?? '';
  return inner.type === 'literal' ? inner.literal : (empty[inner.type] ?? '');
}

const empty: Readonly<Record<string, unknown>> = { boolean: false, number: 0, record: {}, unknown: {} };

/** The schema inside pipes and "may be missing" wrappers. */
function bare(schema: AnySchema): AnySchema {
  if (schema.wrapped) return bare(schema.wrapped);
  const [first] = schema.pipe ?? [];
  return first && first !== schema && first.type !== schema.type ? bare(first) : schema;
}

function isOptional(schema: AnySchema): boolean {
  return schema.type === 'optional' || schema.type === 'nullish';
}

function words(schema: AnySchema): string {
  if (schema.type === 'picklist') return (schema.options ?? []).map((option) => JSON.stringify(option)).join(' | ');
  return schema.type.replace(/^(strict|loose)_/, '');
}

/** The request as a shell command; the key is a variable, never the key itself. */
export function asCurl(op: Operation, request: RequestDocument, baseUrl: string): string {
  const params = (request.params ?? {}) as Readonly<Record<string, unknown>>;
  const path = op.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(text(params[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries((request.query ?? {}) as Readonly<Record<string, unknown>>)) {
    if (value !== undefined && value !== '') query.set(name, text(value));
  }
  const url = `${baseUrl}${path}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const lines = [`curl -X ${op.method} ${quoted(url)}`, `-H "Authorization: Bearer $MODELBENCH_API_KEY"`];
  if (request.body !== undefined) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(request.body))}`);
  }
  return lines.join(' \\\n  ');
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
}

function quoted(argument: string): string {
  return `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
