/** Parses JSON; returns `undefined` if the text is not valid. */
export function parsedJson(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

const LONG_NUMBER = /\d[\d.]{15}/;

/**
 * As {@link parsedJson}, but a number of more digits than a `number` holds stays the text that was written, so that no digit of it
 * is changed without notice.
 */
export function exactJson(text: string | undefined): unknown {
  if (text === undefined || !LONG_NUMBER.test(text)) return parsedJson(text);
  try {
    return JSON.parse(text, keepDigits as (key: string, value: unknown) => unknown) as unknown;
  } catch {
    return undefined;
  }
}

/** `source` is the text of a value that is neither an object nor a list. */
function keepDigits(_key: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || String(value) === source) return value;
  const digits = source.replace(/e.*$/i, '').replaceAll(/[-.]/g, '').replace(/^0+/, '');
  return digits.length > 15 ? source : value;
}
