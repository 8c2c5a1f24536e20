/** A column of a table. `type` is the name that the engine or the database gives it, such as `number` or `Decimal(10, 2)`. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The cells of a row, in the order of the columns, as received. */
export type Row = readonly unknown[];

/** Columns and their rows. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** Formats a cell for display; `null` stands for SQL's NULL. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/**
 * Shortens the text of a cell for reading: a time loses its `T` and milliseconds of zero, and of a time that is grouped by days or
 * more (`orders.created_at.month`) only the day remains. Its time zone stays that of the query.
 */
export function readableCell(text: string, { name, type }: Column): string {
  if (!/^(?:time|date)/i.test(type)) return text;
  const [, day, time, rest = ''] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.0+(?!\d))?(\D.*)?$/.exec(text) ?? [];
  if (day === undefined) return text;
  return time === '00:00:00' && dayGrouped.test(name) ? day : `${day} ${time}${rest}`;
}

const dayGrouped = /\.(?:day|week|month|quarter|year)$/;

/** Returns the number in a cell, or `null` if it holds none. The data API writes numbers as text where they could lose digits. */
export function numberIn(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** Whether a number of JavaScript keeps all digits of a decimal text; other texts are taken to be short. */
export function keepsDigits(text: string): boolean {
  const [, digits = ''] = /^[+-]?([\d.]+)(?:e[+-]?\d+)?$/i.exec(text) ?? [];
  const significant = digits.replace('.', '').replaceAll(/^0+|(?<!0)0+$/g, '');
  return significant.length <= 15 || Number.isSafeInteger(Number(text));
}

/** Whether a column holds numbers, judged by the type name of the engine or the database. */
export function isNumberType(type: string): boolean {
  return numberTypes.test(type);
}

/** The lookahead rejects `interval`, which begins like `int`. */
const numberTypes =
  /^u?(?:(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|num(?:ber|eric)?|dec(?:imal)?\d*|float\d*|double|real)(?![a-z])/i;
