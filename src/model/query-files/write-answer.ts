import { stringify } from 'yaml';
import { type Column, cellText, isNumberType, type Row } from '#base/cells.ts';
import { valueText } from './test-rows.ts';

/** An answer with its SQL query and the result of the query. */
export interface AnswerToSave {
  /** The question, in words. */
  readonly question: string;
  /** A title for the result; may be empty. */
  readonly title: string;
  readonly sql: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** The number of rows of the query; `rows` may contain fewer. */
  readonly total: number;
  /** The date of the answer: `2026-11-27`. */
  readonly day: string;
}

/** Maximum number of rows written into a file; for longer answers the test expects only their number. */
const mostRows = 500;

/**
 * Returns an answer as the text of a query file whose test expects the same values again (docs/query-files.md#saved-answers). It
 * does not guess missing rows: the test then expects only their number.
 */
export function answerFileText({ question, title, sql, columns, rows, total, day }: AnswerToSave): string {
  const isWhole = rows.length === total && rows.length <= mostRows;
  const test = isWhole
    ? { name: `The rows are those of ${day}`, rows: rows.map((row) => recordOf(columns, row)) }
    : { name: `There are as many rows as on ${day}`, rowCount: total };
  const file = { ...(title === '' ? {} : { title }), question, sql: `${sql.trim()}\n`, tests: [test] };
  return stringify(file, { lineWidth: 0, blockQuote: 'literal' });
}

function recordOf(columns: readonly Column[], row: Row): Record<string, unknown> {
  return Object.fromEntries(columns.map(({ name, type }, at) => [name, plainValue(row[at], type)]));
}

/** Converts a cell to its most natural YAML value: a number if no digits are lost, else its text. */
function plainValue(cell: unknown, type: string): unknown {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'boolean' || typeof cell === 'number') return cell;
  const text = cellText(cell) ?? '';
  const number = isNumberType(type) && text.trim() !== '' ? Number(text) : NaN;
  return Number.isFinite(number) && valueText(number) === valueText(text) ? number : text;
}
