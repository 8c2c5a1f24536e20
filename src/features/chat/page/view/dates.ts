import type { Cells } from '#shared/page/grid/columns.ts';

/** A time at the beginning of a day, in the format of data APIs. */
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00:00(?:\.0+)?Z?$/;

/** Returns the columns that contain only days: their time of day means nothing and is hidden. */
export function dayColumns(rows: readonly Cells[], count: number): ReadonlySet<number> {
  const days = new Set<number>();
  for (let column = 0; column < count; column += 1) {
    const values = rows.flatMap((row) => row[column] ?? []);
    if (values.length > 0 && values.every((value) => MIDNIGHT.test(value))) days.add(column);
  }
  return days;
}

/** Returns the day of a time at its beginning. */
export function dayOf(value: string): string {
  return MIDNIGHT.exec(value)?.[1] ?? value;
}

/**
 * Returns the time of a moment today, otherwise the day: one line in a narrow side bar. `time` is in milliseconds since the
 * epoch.
 */
export function shortTime(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { timeStyle: 'short' })
    : date.toLocaleDateString([], { dateStyle: 'medium' });
}

/** Returns a time in ISO format; `undefined` if it is invalid. */
export function isoOf(time: number): string | undefined {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : undefined;
}
