/** A prefix of Python's formatted strings without its string, which the engine mistakes for one where it is a whole text. */
const PREFIX = /^(?:f|fr|rf)$/i;

/** Whether the engine refuses a text of a YAML model because it is nothing but such a prefix. */
export function isStringPrefix(text: string): boolean {
  return PREFIX.test(text);
}
