/** A JSON object of unverified content. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Returns a value if it is an object, else an empty object. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Checks whether a value is an object and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the items of a list that are objects, in their order. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** Returns a non-empty text, cut after `most` characters. */
export function textIn(value: unknown, most = 2_000): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined;
}

/**
 * Returns the name of a table, schema or column; undefined if it is not a name, or one that cannot be used in the SQL of a model,
 * where braces and backslashes have a meaning of their own.
 */
export function nameIn(value: unknown): string | undefined {
  const isName = typeof value === 'string' && /^[^\p{Cc}{}\\]{1,300}$/u.test(value) && value.trim() !== '';
  return isName ? value : undefined;
}
