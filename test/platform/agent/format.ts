import type { Entry } from './catalogue.ts';

export type Cell = string | boolean | null;

/** A value as a user reads it: numbers grouped, money with cents, rates in percent, times cut to their granularity. */
export function formatCell(value: Cell, entry: Entry, granularity?: string): string {
  if (value === null) return '–';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (entry.type === 'time') return formatTime(value, granularity);
  const number = Number(value);
  if (entry.type !== 'number' || value === '' || Number.isNaN(number)) return value;
  return formatNumber(number, entry);
}

export function formatNumber(number: number, entry: Entry): string {
  if (isFormat(entry.format, 'percent')) return `${group(number * 100, 1)} %`;
  if (isFormat(entry.format, 'currency')) return group(number, 2);
  return group(number, Number.isInteger(number) ? 0 : 2);
}

/** A time dimension's value cut to its granularity: `2026`, `Q1 2026`, `March 2026`, `2026-03-14`. */
export function formatTime(value: string, granularity: string | undefined): string {
  const date = new Date(`${value.slice(0, 10)}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return value;
  const year = String(date.getUTCFullYear());
  switch (granularity) {
    case 'year':
      return year;
    case 'quarter':
      return `Q${String(Math.floor(date.getUTCMonth() / 3) + 1)} ${year}`;
    case 'month':
      return `${date.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' })} ${year}`;
    case undefined:
    default:
      return value.slice(0, 10);
  }
}

function isFormat(format: unknown, name: string): boolean {
  return (
    format === name || (typeof format === 'object' && format !== null && 'alias' in format && format.alias === name)
  );
}

function group(number: number, digits: number): string {
  return number.toLocaleString('en-GB', { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

/** A cell of a Markdown table: a bar in the data must not open a column. */
export function tableCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}
