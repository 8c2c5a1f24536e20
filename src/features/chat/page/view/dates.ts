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
