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

/** Returns the number in a cell, or `null` if it holds none. The data API writes numbers as text where they could lose digits. */
export function numberIn(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** Whether a column holds numbers, judged by the type name of the engine or the database. */
export function isNumberType(type: string): boolean {
  return numberTypes.test(type);
}

/** The lookahead rejects `interval`, which begins like `int`. */
const numberTypes =
  /^u?(?:(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|num(?:ber|eric)?|dec(?:imal)?\d*|float\d*|double|real)(?![a-z])/i;
