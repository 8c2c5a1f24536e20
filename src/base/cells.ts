/** A column of a table: `type` is the engine's or the database's name of it, for example `number` or `Decimal(10, 2)`. */
export interface Column {
  readonly name: string;
  readonly type: string;
}

/** The cells of a row, in the order of the columns, as they came. */
export type Row = readonly unknown[];

/** Columns and the rows below them. */
export interface Table {
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
}

/** A cell as people read it; `null` is SQL's NULL. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** The number in a cell: the data API writes numbers as text where they could lose digits. `null` where it is not a number. */
export function numberIn(value: unknown): number | null {
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return null;
  const read = Number(value);
  return Number.isFinite(read) ? read : null;
}

/** Whether a column's values are numbers, by the engine's or the database's name of its type. */
export function isNumberType(type: string): boolean {
  return numberTypes.test(type);
}

/** An interval is none, although its name begins like that of an integer. */
const numberTypes =
  /^u?(?:(?:tiny|small|medium|big|huge)?int(?:eger)?\d*|num(?:ber|eric)?|dec(?:imal)?\d*|float\d*|double|real)(?![a-z])/i;
