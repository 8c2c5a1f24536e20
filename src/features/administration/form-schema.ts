import { isObject } from '#api/schema.ts';
import type { JsonPath } from '#shell/json-text.ts';
import type { JsonSchema } from '#shell/request-schema.ts';

/** Returns the value at a path of a document; `undefined` if there is none. */
export function valueAt(document: unknown, path: JsonPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      Array.isArray(value)
        ? value[Number(step)]
        : isObject(value) && Object.hasOwn(value, step)
          ? value[String(step)]
          : undefined,
    document,
  );
}

/** Returns the schema at a path; an empty one if the schema does not describe it. */
export function schemaAt(root: JsonSchema, path: JsonPath): JsonSchema {
  return path.reduce<JsonSchema>(
    (schema, step) => {
      const own = properties(schema);
      const next = typeof step === 'number' ? schema['items'] : Object.hasOwn(own, step) ? own[step] : undefined;
      return resolved(root, next ?? (typeof step === 'string' ? schema['additionalProperties'] : undefined));
    },
    resolved(root, root),
  );
}

/** Returns the fields that a schema defines. */
export function properties({ properties: fields }: JsonSchema): Readonly<Record<string, unknown>> {
  return isObject(fields) ? fields : {};
}

/** Returns the fields that a schema requires. */
export function requiredOf({ required }: JsonSchema): readonly unknown[] {
  return Array.isArray(required) ? required : [];
}

/** Returns the types that a field accepts, without null; if the schema names none, the type of its value. */
export function typesOf(schema: JsonSchema, value: unknown): ReadonlySet<string> {
  const named = alternatives(schema)
    .flatMap((each) => [each['type']].flat())
    .filter((type): type is string => typeof type === 'string' && type !== 'null')
    .map((type) => (type === 'integer' ? 'number' : type));
  if (named.length > 0) return new Set(named.includes('string') && named.length > 1 ? ['string', 'number'] : named);
  return new Set([Array.isArray(value) ? 'array' : isObject(value) ? 'object' : typeof value]);
}

/** Whether a field accepts null. */
export function nullable(schema: JsonSchema): boolean {
  return alternatives(schema).some((each) => [each['type']].flat().includes('null') || each['const'] === null);
}

/** Whether the value is a secret: by the field’s name, or because its entry is marked as one. */
export function isSecretAt(document: unknown, path: JsonPath): boolean {
  const name = String(path.at(-1) ?? '');
  const owner = valueAt(document, path.slice(0, -1));
  const isMarked = name === 'value' && isObject(owner) && owner['isSecret'] === true;
  return name !== 'isSecret' && (isMarked || namesSecret(name));
}

/** Whether a name suggests that its value is a secret. */
export function namesSecret(name: string): boolean {
  return /secret|passw|pwd|token$|_token_|private_?key|api_?key|credential/i.test(name);
}

/** Only recursive schemas nest deeper than this. */
const deepest = 8;

/** Resolves the references of a schema. Keywords next to alternatives apply to the chosen one. */
function resolved(root: JsonSchema, schema: unknown, depth = 0): JsonSchema {
  if (!isObject(schema) || depth > deepest) return {};
  const { $ref, ...own } = schema as { readonly $ref?: unknown };
  if (typeof $ref === 'string' && $ref.startsWith('#/')) {
    return { ...resolved(root, valueAt(root, $ref.slice(2).split('/')), depth + 1), ...own };
  }
  const choices = alternatives(schema);
  const meant = choices.filter((each) => each['type'] !== 'null' && !('const' in each));
  const [only] = meant;
  if (choices.length === 1 || meant.length !== 1 || only === undefined) return schema;
  const { anyOf: _, oneOf: __, ...beside } = schema;
  const one = resolved(root, only, depth + 1);
  const type = nullable(schema) ? { type: [...[one['type']].flat(), 'null'] } : {};
  return { ...one, ...beside, ...type };
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  const listed = schema['anyOf'] ?? schema['oneOf'];
  return Array.isArray(listed) ? listed.filter((each) => isObject(each)) : [schema];
}
