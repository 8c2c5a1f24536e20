import type { QueryResult } from './tool-result.ts';

/** The most rows a chart is drawn from: more cannot be told apart and holds up the view. */
const MOST_CHART_ROWS = 5_000;

/** A cell as people read it; `null` is SQL's NULL. */
export function cellText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string') return value;
  return JSON.stringify(value);
}

/** CSV by RFC 4180 with a byte-order mark; a cell that a spreadsheet would run as a formula is defused. */
export function csv({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map((_, at) => cellText(row[at]) ?? '')),
  ];
  return `\u{feff}${lines.map((line) => line.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** Tab-separated text, as spreadsheets take it from the clipboard. */
export function tsv({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ name }) => name),
    ...rows.map((row) => columns.map((_, at) => cellText(row[at]) ?? '')),
  ];
  return lines.map((line) => line.map((cell) => defused(cell).replaceAll(/[\t\r\n]+/g, ' ')).join('\t')).join('\n');
}

/**
 * Rows as a chart needs them: numbers are numbers, and a column with a dot in its name is there under the flat name and as
 * a path, since a specification may mean either.
 */
export function chartRows({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): Record<string, unknown>[] {
  return rows.slice(0, MOST_CHART_ROWS).map((row) => {
    const record: Record<string, unknown> = {};
    for (const [at, { name, type }] of columns.entries()) place(record, name, coerced(row[at], type));
    return record;
  });
}

function place(record: Record<string, unknown>, name: string, value: unknown): void {
  record[name] = value;
  const path = name.split('.');
  if (path.length < 2 || path.some((part) => part === '__proto__')) return;
  let inner = record;
  for (const part of path.slice(0, -1)) {
    const next = inner[part];
    const holder = typeof next === 'object' && next !== null ? (next as Record<string, unknown>) : {};
    inner[part] = holder;
    inner = holder;
  }
  inner[path.at(-1) ?? ''] = value;
}

function coerced(value: unknown, type: string): unknown {
  if (typeof value !== 'string') return value ?? null;
  if (/int|num|dec|float|double|real/i.test(type)) {
    const number = Number(value);
    return value.trim() === '' || Number.isNaN(number) ? null : number;
  }
  if (/bool/i.test(type)) return value === 'true' || value === 't';
  return value;
}

function csvCell(text: string): string {
  const safe = defused(text);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A leading `=`, `+`, `-`, `@`, tab or return makes a formula; plain numbers are left alone. */
function defused(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text) ? `'${text}` : text;
}
