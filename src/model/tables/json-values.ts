/** A JSON object, as far as is known of what a program wrote. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** The object that a value is; an empty one where it is something else. */
export function objectIn(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {};
}

/** Whether a value is an object, and not a list. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The items of a list that are objects, in their order. */
export function objectsIn(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}

/** A text that is not empty, cut after `most` characters. */
export function textIn(value: unknown, most = 2_000): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.slice(0, most) : undefined;
}

/**
 * The name of a table, schema or column; undefined for what is none, and for one that cannot stand in the SQL of a model, where
 * braces and backslashes have a meaning of their own.
 */
export function nameIn(value: unknown): string | undefined {
  const isName = typeof value === 'string' && /^[^\p{Cc}{}\\]{1,300}$/u.test(value) && value.trim() !== '';
  return isName ? value : undefined;
}
