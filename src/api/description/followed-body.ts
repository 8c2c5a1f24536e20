import type { Client } from '#api/client/client.ts';
import { bodyProperties, describedBody } from './described-body.ts';
import { resolved } from './described-values.ts';
import type { Operation } from '#api/operation.ts';
import { isObject } from '#api/schema.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * Returns a client that sends undocumented bodies with the field names of the server’s own description. If that is
 * missing or unreadable, our own names are the best guess.
 */
export function followingClient(client: Client, description: () => Promise<Json | undefined>): Client {
  const followed = async <R>(op: Operation, request: R): Promise<R> => {
    const { body } = request as { readonly body?: unknown };
    if (!op.guessedBody || !isObject(body)) return request;
    const served = await description().catch(() => undefined);
    const schema = served && describedBody(served, op);
    return schema ? { ...request, body: followedBody(body, schema) } : request;
  };
  return {
    call: async (op, request, options) => client.call(op, await followed(op, request), options),
    open: async (op, request, options) => client.open(op, await followed(op, request), options),
  };
}

/**
 * Renames the guessed fields of a body after the server’s own description: a field that the server does not know gets
 * the name of the only field there with a fitting type. Doubtful fields are sent as they are, and the server decides.
 */
export function followedBody(body: Json, schema: Json): Json {
  const { properties, required } = bodyProperties(schema);
  const names = Object.keys(properties);
  if (names.length === 0) return body;
  const unknown = Object.keys(body).filter((name) => body[name] !== undefined && !names.includes(name));
  const free = names.filter((name) => body[name] === undefined);
  const renamed = new Map<string, string>();
  for (const name of unknown) {
    const fitting = free.filter((each) => canHold(properties[each], body[name], schema));
    const needed = fitting.filter((each) => required.includes(each));
    const rivals = unknown.filter((other) => other !== name && sameKind(body[other], body[name]));
    const [only, ...others] = needed.length > 0 ? needed : fitting;
    if (only !== undefined && others.length === 0 && rivals.length === 0) renamed.set(name, only);
  }
  const entries = Object.entries(body).map(([name, value]) => {
    const now = renamed.get(name) ?? name;
    return [now, now in properties ? asItems(properties[now], value, schema) : value] as const;
  });
  return Object.fromEntries(entries);
}

const typesOf = ({ type }: Json): readonly unknown[] => (Array.isArray(type) ? type : [type]);

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return value === null ? 'null' : typeof value;
}

const sameKind = (a: unknown, b: unknown): boolean => kindOf(a) === kindOf(b);

function canHold(property: unknown, value: unknown, root: Json): boolean {
  const own = resolved(property, root);
  if (Array.isArray(own['enum'])) return own['enum'].includes(value);
  const types = typesOf(own);
  return types.includes(kindOf(value)) || (typeof value === 'number' && types.includes('integer'));
}

/** Converts ids to the form that the server describes: bare, as numbers, or as objects with one required field. */
function asItems(property: unknown, value: unknown, root: Json): unknown {
  if (!Array.isArray(value)) return value;
  const items = resolved(resolved(property, root)['items'], root);
  const types = typesOf(items);
  const asNumber = (item: unknown): unknown => {
    const isOnlyNumber = (types.includes('integer') || types.includes('number')) && !types.includes('string');
    return isOnlyNumber && typeof item === 'string' && /^\d{1,15}$/.test(item) ? Number(item) : item;
  };
  if (!types.includes('object')) return value.map(asNumber);
  const { properties, required } = bodyProperties({ ...items, components: root['components'] });
  const names = required.length === 1 ? required : Object.keys(properties);
  const [field, ...others] = names;
  if (field === undefined || others.length > 0) return value;
  return value.map((item: unknown) => (isObject(item) ? item : { [field]: item }));
}
