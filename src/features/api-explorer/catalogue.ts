import { noCapabilities, parseDescription } from '#api/description/capabilities.ts';
import type { Operation } from '#api/operation.ts';
import { operations } from '#api/resources/operations.ts';
import { foreignOperation } from './described-operation.ts';
import type { JsonSchema } from '#shell/request-schema.ts';
import { servedRequest } from './served-request.ts';

/**
 * The source of an operation: documented, optional (docs/platform-api.md#capabilities), or only in the server's own description.
 */
export type OperationSource = 'documents' | 'described' | 'server';

/** One operation of the explorer. */
export interface ApiEntry {
  readonly op: Operation;
  /** Identifies it in document URIs: its id, without characters that a URI cannot contain. */
  readonly name: string;
  readonly origin: OperationSource;
  /** False only if the server has a readable description that does not list it, or, for an optional operation, none. */
  readonly offered: boolean;
  /** The schema of its request document. */
  readonly schema: () => JsonSchema;
}

/** All operations of one server, by tag, path and method. */
export interface Catalogue {
  readonly entries: readonly ApiEntry[];
  find(name: string): ApiEntry | undefined;
}

/**
 * Returns all documented operations, and those that only the server's description lists; without a description, only the
 * documented ones.
 */
export function catalogueOf(description?: Readonly<Record<string, unknown>>): Catalogue {
  const served = description ? parseDescription(description) : noCapabilities;
  const known = operations.map((op): ApiEntry => {
    const origin = op.described ? 'described' : 'documents';
    const offered = served.has(op) || (origin === 'documents' && !served.readable);
    return { ...servedRequest(op, description), name: nameOf(op.id), origin, offered };
  });
  const own = served.operations.flatMap((described): readonly ApiEntry[] => {
    const { id, method, path } = described;
    if (!description || isKnown(id, method, path)) return [];
    const { op, schema } = foreignOperation(described, description);
    return [{ op, name: nameOf(op.id), origin: 'server', offered: true, schema }];
  });
  const entries = [...known, ...own].sort(inOrder);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  return { entries, find: (name) => byName.get(name) };
}

const routeOf = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(?<!\/)\/+$/, '')}`;
const knownRoutes = new Set(operations.map(({ method, path }) => routeOf(method, path)));
const knownIds = new Set(operations.map(({ id }) => id));

function isKnown(id: string | undefined, method: string, path: string): boolean {
  return (id !== undefined && knownIds.has(id)) || knownRoutes.has(routeOf(method, path));
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

function inOrder({ op: a }: ApiEntry, { op: b }: ApiEntry): number {
  const rank = (op: Operation): number => methods.indexOf(op.method);
  return a.tag.localeCompare(b.tag) || a.path.localeCompare(b.path) || rank(a) - rank(b);
}

function nameOf(id: string): string {
  return id.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^-+|(?<!-)-+$/g, '');
}
