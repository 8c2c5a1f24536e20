import { isNumberType } from '#base/cells.ts';
import type { QueryResult } from './tool-result.ts';

/** The maximum number of rows in a chart: more cannot be distinguished and slow the view down. */
const MOST_CHART_ROWS = 5_000;

/**
 * Converts rows for a chart: numbers become numbers, and a column with a dot in its name is available under the flat name and as
 * a path, since a specification may mean either.
 */
export function chartRows({ columns, rows }: Pick<QueryResult, 'columns' | 'rows'>): Record<string, unknown>[] {
  return rows.slice(0, MOST_CHART_ROWS).map((row) => {
    const record: Record<string, unknown> = {};
    for (const [at, { name, type }] of columns.entries()) define(record, name, coerced(row[at], type));
    return record;
  });
}

function define(record: Record<string, unknown>, name: string, value: unknown): void {
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
  if (isNumberType(type)) {
    const number = Number(value);
    return value.trim() === '' || !Number.isFinite(number) ? null : number;
  }
  return /bool/i.test(type) ? truth(value) : value;
}

/** Databases write truth values in several ways; anything else counts as missing. */
function truth(value: string): boolean | null {
  if (/^(?:true|t|1)$/i.test(value)) return true;
  return /^(?:false|f|0)$/i.test(value) ? false : null;
}
