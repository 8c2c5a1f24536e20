import { cellText, type Column, isNumberType, type Row } from './cells.ts';

/** The zero-based index of the column that rows are ordered by, and the direction. */
export interface RowOrder {
  readonly column: number;
  readonly descending: boolean;
}

/** Sorts rows: numbers by exact value, other cells as text, NULL last in both directions. The sort is stable. */
export function ordered<R extends Row>(rows: readonly R[], columns: readonly Column[], order: RowOrder): readonly R[] {
  const column = columns[order.column];
  if (!column) return rows;
  const compare = comparisonOf(column.type);
  const sign = order.descending ? -1 : 1;
  return rows
    .map((row) => ({ row, cell: cellText(row[order.column]) }))
    .toSorted(({ cell: x }, { cell: y }) => {
      if (x === null || y === null) return x === y ? 0 : x === null ? 1 : -1;
      return sign * compare(x, y);
    })
    .map(({ row }) => row);
}

/** Returns the comparison for cells of a column of this type, in the form that `sort` takes. */
export function comparisonOf(type: string): (x: string, y: string) => number {
  return isNumberType(type) ? compareNumbers : compareTexts;
}

const collator = new Intl.Collator();
const compareTexts = (x: string, y: string): number => collator.compare(x, y);

/** Orders cells that are not numbers after the numbers. */
function compareNumbers(x: string, y: string): number {
  if (x === y) return 0;
  const [a, b] = [numberOf(x), numberOf(y)];
  if (Number.isNaN(a) || Number.isNaN(b)) {
    if (Number.isNaN(a) && Number.isNaN(b)) return compareTexts(x, y);
    return Number.isNaN(a) ? 1 : -1;
  }
  return a === b ? compareDigits(x, y) : a < b ? -1 : 1;
}

const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text));

/** Compares numbers that differ only in digits beyond the precision of JavaScript numbers. */
function compareDigits(x: string, y: string): number {
  const [a, b] = [digitsOf(x), digitsOf(y)];
  if (!a || !b || Math.abs(a.exponent - b.exponent) > mostDigits) return 0;
  const least = Math.min(a.exponent, b.exponent);
  const scaled = ({ digits, exponent }: Digits): bigint => digits * 10n ** BigInt(exponent - least);
  const difference = scaled(a) - scaled(b);
  return difference === 0n ? 0 : difference < 0n ? -1 : 1;
}

/** The largest difference of exponents that is compared exactly; only text that is not meant as a number exceeds it. */
const mostDigits = 2_000;

/** A number as `digits` · 10 ** `exponent`. */
interface Digits {
  readonly digits: bigint;
  readonly exponent: number;
}

function digitsOf(text: string): Digits | undefined {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^\s*([+-]?)(\d+)(?:\.(\d*))?(?:e([+-]?\d+))?\s*$/i.exec(text) ?? [];
  if (sign === undefined) return undefined;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, exponent: Number(exponent) - fraction.length };
}
