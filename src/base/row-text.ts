import { cellText, type Table } from './cells.ts';

/** The formats in which rows are copied: for a spreadsheet, a file, a document or a program. */
export const rowFormats = ['tsv', 'csv', 'markdown', 'json'] as const;
export type RowFormat = (typeof rowFormats)[number];

/** Writes a table in one of the formats, beginning with the column names (JSON: as the keys of each object). */
export function rowsAs(format: RowFormat, table: Table): string {
  return writers[format](table);
}

/**
 * Writes CSV by RFC 4180 with a byte order mark; NULL is an empty cell and an empty text is `""`. A cell that a spreadsheet would
 * run as a formula is escaped.
 */
export function csv(table: Table): string {
  const lines = linesOf(table).map((line) => line.map((cell) => (cell === null ? '' : csvCell(cell))).join(','));
  return `\u{feff}${lines.join('\r\n')}\r\n`;
}

/** Writes tab-separated text, which spreadsheets accept from the clipboard. */
export function tsv(table: Table): string {
  const cellOf = (cell: string | null): string => defused(cell ?? '').replaceAll(/[\t\r\n]+/g, ' ');
  return linesOf(table)
    .map((line) => line.map((cell) => cellOf(cell)).join('\t'))
    .join('\n');
}

/** Writes a table in GitHub's Markdown; NULL becomes `NULL` in italics. */
export function markdown(table: Table): string {
  const [head = [], ...body] = linesOf(table).map((line) =>
    line.map((cell) => (cell === null ? '*NULL*' : markdownCell(cell))),
  );
  return [head, head.map(() => '---'), ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Writes a JSON array with an object for each row and the values as received. A repeated column name gets a number. */
export function json({ columns, rows }: Table): string {
  const names = uniqueNames(columns.map(({ name }) => name));
  const objects = rows.map((row) => Object.fromEntries(names.map((name, at) => [name, row[at] ?? null])));
  return `${JSON.stringify(objects, null, 2)}\n`;
}

const writers: Readonly<Record<RowFormat, (table: Table) => string>> = { csv, tsv, markdown, json };

function linesOf({ columns, rows }: Table): readonly (readonly (string | null)[])[] {
  return [columns.map(({ name }) => name), ...rows.map((row) => columns.map((_, at) => cellText(row[at])))];
}

function csvCell(text: string): string {
  const safe = defused(text);
  return safe === '' || /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A leading `=`, `+`, `-`, `@`, tab or carriage return makes a formula; plain numbers are left alone. */
function defused(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? `'${text}` : text;
}

/** Escapes everything that Markdown would read as markup or as the end of a cell. */
function markdownCell(text: string): string {
  return text.replaceAll(/[\\`*_[\]<|]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, '<br>');
}

function uniqueNames(names: readonly string[]): readonly string[] {
  const used = new Set<string>();
  return names.map((name) => {
    let unique = name;
    for (let at = 2; used.has(unique); at += 1) unique = `${name} (${at})`;
    used.add(unique);
    return unique;
  });
}
