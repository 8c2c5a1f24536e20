import { stringify } from 'yaml';
import { type Column, cellText, isNumberType, type Row } from '#base/cells.ts';
import { valueText } from './test-rows.ts';

/** An answer with its query in SQL and what the query returned. */
export interface AnswerToSave {
  /** What was asked, in words. */
  readonly question: string;
  /** What the query shows; may be empty. */
  readonly title: string;
  readonly sql: string;
  readonly columns: readonly Column[];
  readonly rows: readonly Row[];
  /** How many rows the query has; `rows` may hold fewer. */
  readonly total: number;
  /** The day of the answer: `2026-11-27`. */
  readonly day: string;
}

/** The most rows that are written into a file; of longer answers their number is expected. */
const mostRows = 500;

/**
 * An answer as the text of a query file whose test expects the same numbers again (docs/query-files.md#saved-answers). Rows that
 * are not here are not guessed: then the test expects their number.
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

/** A cell as YAML says it best: a number where none of its digits are lost, else its text. */
function plainValue(cell: unknown, type: string): unknown {
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'boolean' || typeof cell === 'number') return cell;
  const text = cellText(cell) ?? '';
  const number = isNumberType(type) && text.trim() !== '' ? Number(text) : NaN;
  return Number.isFinite(number) && valueText(number) === valueText(text) ? number : text;
}
