import { keepsDigits } from '#base/cells.ts';
import { isMap, type JsonMap, type JsonValue } from './query-file.ts';

/** A row of an answer: values by member. */
export type TestRow = Readonly<Record<string, unknown>>;

/** Returns the columns of a query's answer, in the order of its keys: times, dimensions, measures. */
export function columnsOf(query: JsonMap): readonly string[] {
  const { timeDimensions } = query;
  const times = Array.isArray(timeDimensions) ? (timeDimensions as readonly JsonValue[]).filter(isMap) : [];
  const grouped = times.flatMap(({ dimension, granularity }) =>
    typeof dimension === 'string' && typeof granularity === 'string' ? [`${dimension}.${granularity}`] : [],
  );
  return [...grouped, ...textsIn(query['dimensions']), ...textsIn(query['measures'])];
}

function textsIn(value: JsonValue | undefined): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

/** Formats a row on one line, as in a test file. */
export function shownRow(row: TestRow, columns: readonly string[]): string {
  return columns.map((column) => `${column}: ${valueText(row[column])}`).join(', ');
}

/** Returns a text that is the same for rows whose values are the same, and for no others. */
export function rowKey(row: TestRow, columns: readonly string[]): string {
  return JSON.stringify(columns.map((column) => valueText(row[column])));
}

/**
 * Formats a value as text: numbers without the trailing zeros that databases add, days without a time, and the text `null` in
 * quotes, because `null` stands for no value.
 */
export function valueText(value: unknown): string {
  if (value === null || value === undefined) return 'null';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (text === 'null') return '"null"';
  if (/^-?\d+(?:\.\d*|(?:\.\d*)?e[+-]?\d+)$/i.test(text)) return numberText(text);
  return text.replace(/^(\d{4}-\d{2}-\d{2})[T ]00:00:00(?:\.0+)?Z?$/, '$1');
}

/** Formats a decimal; one with more digits than JavaScript's numbers keep retains all of them. */
function numberText(text: string): string {
  return keepsDigits(text) ? String(Number(text)) : text.replace(/(?<!0)0+$/, '').replace(/\.$/, '');
}

/** Checks whether a value of an answer equals the expected one, however both are written. */
export function isSame(actual: unknown, expected: unknown): boolean {
  return valueText(actual) === valueText(expected);
}
