/** Matches numbers, including those in texts, with so many digits or such an exponent that JavaScript may round them. */
const longNumber = /[:,[]\s*(-?\d(?:[\d.]{15,}(?:e[+-]?\d+)?|[\d.]*e[+-]?\d{2,}))/gi;

/**
 * Parses JSON as `JSON.parse` does, but returns a number that JavaScript would round as text, as servers send it that want to avoid
 * this loss.
 */
export function exactJson(text: string): unknown {
  // A reviver is called for every value, which takes many times as long as parsing; most long numbers are not rounded.
  for (const [, number = ''] of text.matchAll(longNumber)) {
    if (isRounded(number, Number(number))) return JSON.parse(text, exact as Parameters<typeof JSON.parse>[1]);
  }
  return JSON.parse(text);
}

/** `source` is the text of a number; the types of TypeScript do not have it yet. */
function exact(_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  return typeof value === 'number' && isRounded(source, value) ? source : value;
}

function isRounded(source: string, value: number): boolean {
  if (String(value) === source) return false;
  return source.length > 15 || (/e/i.test(source) && (value === 0 || !Number.isFinite(value)));
}
