import type { Client } from '#api/client/client.ts';
import { isPlatformError } from '#api/errors.ts';
import type { HttpMethod, Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';
import { getApiDescription } from '#api/resources/tenant.ts';

/** One operation of a served description. */
export interface DescribedOperation {
  readonly id: string | undefined;
  readonly method: HttpMethod;
  /** The path as written in the description. */
  readonly path: string;
  readonly tags: readonly string[];
  readonly summary: string | undefined;
  readonly deprecated: boolean;
}

export interface CapabilityFilter {
  /** A tag, case-insensitive. */
  readonly tag?: string | undefined;
  /** A substring of the path, case-insensitive. */
  readonly path?: string | undefined;
}

/**
 * The capabilities that a server describes. One with an unreadable description offers no optional operation:
 * docs/platform-api.md#capabilities.
 */
export interface Capabilities {
  /** Whether a description could be read at all. */
  readonly readable: boolean;
  /** The version in the description. */
  readonly version: string | undefined;
  readonly operations: readonly DescribedOperation[];
  readonly tags: readonly string[];
  /**
   * Checks for an operation, by the operation itself, its id, or method and path; parameter names and a trailing slash do not
   * matter.
   */
  has(
    wanted: Pick<Operation, 'id' | 'method' | 'path'> | string | { readonly method: string; readonly path: string },
  ): boolean;
  /** Returns an operation as described; undefined if the description does not list it. */
  find(wanted: Pick<Operation, 'id' | 'method' | 'path'>): DescribedOperation | undefined;
  filter(filter: CapabilityFilter): readonly DescribedOperation[];
  /** The served description; undefined where it cannot be read. */
  readonly description: Readonly<Record<string, unknown>> | undefined;
}

const methods: readonly HttpMethod[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Parses a served OpenAPI description tolerantly: anything that is not understood is left out. */
export function parseDescription(description: unknown): Capabilities {
  const paths = isObject(description) ? description['paths'] : undefined;
  const info = isObject(description) ? description['info'] : undefined;
  const operations = isObject(paths) ? Object.entries(paths).flatMap(([path, item]) => operationsAt(path, item)) : [];
  const version = isObject(info) && typeof info['version'] === 'string' ? info['version'] : undefined;
  return capabilitiesOf(operations, {
    description: isObject(paths) && isObject(description) ? description : undefined,
    version,
  });
}

/** Returns a description with only the operations that pass the filter, and the components that those refer to. */
export function filterDescription(
  description: Readonly<Record<string, unknown>>,
  filter: CapabilityFilter,
): Record<string, unknown> {
  const kept = new Set(
    parseDescription(description)
      .filter(filter)
      .map(({ method, path }) => `${method} ${path}`),
  );
  // A list of entries, because a path may be called like a property that every object has.
  const entries: (readonly [string, unknown])[] = [];
  for (const [path, item] of Object.entries(isObject(description['paths']) ? description['paths'] : {})) {
    if (!isObject(item)) continue;
    const isKept = (key: string): boolean => kept.has(`${key.toUpperCase()} ${path}`);
    const isMethod = (key: string): boolean => methods.some((method) => method.toLowerCase() === key);
    if (!Object.keys(item).some((key) => isKept(key))) continue;
    entries.push([path, Object.fromEntries(Object.entries(item).filter(([key]) => !isMethod(key) || isKept(key)))]);
  }
  const paths = Object.fromEntries(entries);
  const components = isObject(description['components']) ? description['components'] : undefined;
  return { ...description, paths, ...(components ? { components: referredComponents(paths, components) } : {}) };
}

type Components = Readonly<Record<string, unknown>>;

/** Returns the components that a section of a description refers to, directly or indirectly, and all security schemes. */
export function referredComponents(from: unknown, components: Components): Record<string, unknown> {
  const found = new Set<string>();
  const visit = (value: unknown): void => {
    const references = JSON.stringify(value)?.matchAll(/"#\/components\/([^/"]+)\/([^"]+)"/g) ?? [];
    for (const [reference, kind = '', name = ''] of references) {
      if (found.has(reference)) continue;
      found.add(reference);
      const group = components[kind];
      if (isObject(group)) visit(group[name]);
    }
  };
  visit(from);
  const groups = Object.entries(components).map(([kind, group]) => {
    if (!isObject(group) || kind === 'securitySchemes') return [kind, group] as const;
    const own = Object.entries(group).filter(([name]) => found.has(`"#/components/${kind}/${name}"`));
    return [kind, Object.fromEntries(own)] as const;
  });
  return Object.fromEntries(groups);
}

/** The capabilities of a server whose description cannot be read. */
export const noCapabilities: Capabilities = capabilitiesOf([], { description: undefined, version: undefined });

function capabilitiesOf(
  operations: readonly DescribedOperation[],
  { description, version }: Pick<Capabilities, 'description' | 'version'>,
): Capabilities {
  const ids = new Set(operations.flatMap(({ id }) => id ?? []));
  const routes = new Set(operations.map(({ method, path }) => routeKey(method, path)));
  return {
    readable: description !== undefined,
    version,
    operations,
    description,
    find: ({ id, method, path }) =>
      operations.find((each) => each.id === id && each.method === method) ??
      operations.find((each) => routeKey(each.method, each.path) === routeKey(method, path)),
    tags: [...new Set(operations.flatMap(({ tags }) => tags))].sort(),
    has: (wanted) => {
      if (typeof wanted === 'string') return ids.has(wanted);
      return ('id' in wanted && ids.has(wanted.id)) || routes.has(routeKey(wanted.method, wanted.path));
    },
    filter: ({ tag, path }) =>
      operations.filter(
        (each) =>
          (tag === undefined || each.tags.some((own) => own.toLowerCase() === tag.toLowerCase())) &&
          (path === undefined || each.path.toLowerCase().includes(path.toLowerCase())),
      ),
  };
}

function routeKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^{}]*\}/g, '{}').replace(/(?<!\/)\/+$/, '')}`;
}

function operationsAt(path: string, item: unknown): readonly DescribedOperation[] {
  if (!isObject(item)) return [];
  return methods.flatMap((method) => {
    const operation = item[method.toLowerCase()];
    if (!isObject(operation)) return [];
    const { operationId, tags, summary, deprecated } = operation;
    return {
      id: typeof operationId === 'string' ? operationId : undefined,
      method,
      path,
      tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
      summary: typeof summary === 'string' ? summary : undefined,
      deprecated: deprecated === true,
    };
  });
}

/** Requests the operations of the server's description. A server without a description has no optional operations. */
export async function readCapabilities(client: Client, signal?: AbortSignal): Promise<Capabilities> {
  const description = await readDescription(client, signal);
  return description ? parseDescription(description) : noCapabilities;
}

/** Requests the server's description; `undefined` if it has none, or an unreadable one. */
export async function readDescription(
  client: Client,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  try {
    return await client.call(getApiDescription, {}, { signal });
  } catch (error) {
    const none = ['notFound', 'invalidResponse', 'forbidden', 'invalidRequest', 'unsupported'] as const;
    if (none.some((kind) => isPlatformError(error, kind))) return undefined;
    throw error;
  }
}
