import type { Cells } from '#shared/page/grid/columns.ts';

/** A time at the beginning of a day, as data APIs write it. */
const MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00:00(?:\.0+)?Z?$/;

/** Which columns hold nothing but days: their time of day says nothing, and is not shown. */
export function dayColumns(rows: readonly Cells[], count: number): ReadonlySet<number> {
  const days = new Set<number>();
  for (let column = 0; column < count; column += 1) {
    const values = rows.flatMap((row) => row[column] ?? []);
    if (values.length > 0 && values.every((value) => MIDNIGHT.test(value))) days.add(column);
  }
  return days;
}

/** The day of a time at its beginning. */
export function dayOf(value: string): string {
  return MIDNIGHT.exec(value)?.[1] ?? value;
}

/** Today the time, else the day: one line in a narrow side bar; `time` in milliseconds since the epoch. */
export function shortTime(time: number): string {
  const date = new Date(time);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString([], { timeStyle: 'short' })
    : date.toLocaleDateString([], { dateStyle: 'medium' });
}

/** A time as programs read it; nothing for one that is none. */
export function isoOf(time: number): string | undefined {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : undefined;
}
