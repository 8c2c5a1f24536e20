/** A number outside of texts with so many digits, or such an exponent, that a JavaScript number may not hold it. */
const longNumber = /[:,[]\s*-?\d(?:[\d.]{15}|[\d.]*e[+-]?\d{2})/i;

/**
 * Parses JSON as `JSON.parse` does, but returns a number that JavaScript would round as its text, as servers write it that avoid
 * this loss.
 */
export function exactJson(text: string): unknown {
  // A reviver is called for every value, which takes several times as long as parsing.
  if (!longNumber.test(text)) return JSON.parse(text);
  return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
}

/** `source` is the text of a number; the types of TypeScript do not have it yet. */
function exact(_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || String(value) === source) return value;
  const isRounded = source.length > 15 || (/e/i.test(source) && (value === 0 || !Number.isFinite(value)));
  return isRounded ? source : value;
}
