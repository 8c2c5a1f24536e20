import { readFileSync } from 'node:fs';

/**
 * What is documented of each operation (`test/fixtures/documented-operations.json`, whose first lines explain the
 * notation). It is transcribed from the platform's own documents and imports nothing of `src/api`, so that it can contradict the client.
 */
export const documented = JSON.parse(
  readFileSync(new URL('../../fixtures/documented-operations.json', import.meta.url), 'utf8'),
) as Documented;

export interface Documented {
  readonly enumerations: Readonly<Record<string, { readonly section: string; readonly values: readonly string[] }>>;
  readonly shapes: Readonly<Record<string, DocumentedShape>>;
  readonly operations: Readonly<Record<string, DocumentedOperation>>;
}

/** The name of a type or shape, a list of one type, or an object of fields. */
export type DocumentedType = string | readonly [DocumentedType] | DocumentedFields;

/** Type by field name; a name that ends in `?` may be left out. */
export interface DocumentedFields {
  readonly [field: string]: DocumentedType;
}

export interface DocumentedShape {
  readonly section: string;
  /** Not all fields are documented. */
  readonly open?: true;
  readonly fields: DocumentedFields;
}

export interface DocumentedOperation {
  readonly method: string;
  /** As in `test/fixtures/operations.tsv`. */
  readonly path: string;
  readonly section: string;
  /** Optional: docs/platform-api.md#capabilities. */
  readonly diamond?: true;
  /** The section of the page that lists the parameters and fields. */
  readonly where: string;
  readonly params?: DocumentedFields;
  readonly query?: DocumentedFields;
  readonly body?: DocumentedBody;
  readonly answer: DocumentedAnswer;
  /** What is documented about refusals: a sentence, or the shape of the error, by status. */
  readonly refuses?: Readonly<Record<string, string>>;
}

export interface DocumentedBody {
  readonly contentType?: string;
  /** The whole body may be left out. */
  readonly optional?: true;
  readonly open?: true;
  /** Exactly one of these fields is required. */
  readonly oneOf?: readonly string[];
  /** The fields, or the name of their shape. */
  readonly fields: DocumentedFields | string;
}

export interface DocumentedAnswer {
  readonly form: 'shown' | 'not shown' | '2xx';
  readonly status?: string;
  readonly contentType?: string;
  /** Of NDJSON: the type of one line. */
  readonly json?: DocumentedType;
}

/** A documented operation with its id. */
export interface NamedOperation extends DocumentedOperation {
  readonly id: string;
}

const named: readonly NamedOperation[] = Object.entries(documented.operations).map(([id, op]) => ({ id, ...op }));
const patterns = named
  // `users/bulk` is nearer than `users/{id}`.
  .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)
  .map((op) => ({ op, pattern: new RegExp(`^${plainPath(op).replaceAll(/\{\w+\}/g, '[^/]+')}$`) }));

/** The operation that is documented under a method and path. */
export function operationAt(method: string, pathname: string): NamedOperation | undefined {
  return patterns.find(({ op, pattern }) => op.method === method && pattern.test(pathname))?.op;
}

/** The path below the base address of its API. */
function plainPath({ path }: Pick<DocumentedOperation, 'path'>): string {
  return path.replace(/^\{chat\}/, '');
}
