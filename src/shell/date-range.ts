import { err, ok, type Result } from '#base/result.ts';

/** Days as `YYYY-MM-DD`; without one the range is open at that end. */
export interface DateRange {
  readonly start?: string;
  readonly end?: string;
}

/** Reads `from to` as a user types it; the error is one sentence. Empty: everything. */
export function parseDateRange(typed: string): Result<DateRange, string> {
  const days = typed.trim().split(/\s+/).filter(Boolean);
  const wrong = days.find((day) => !isDay(day));
  if (wrong !== undefined || days.length > 2) return err('Enter one or two dates as YYYY-MM-DD.');
  const [start, end] = days;
  if (start !== undefined && end !== undefined && end < start) return err('The second date is before the first one.');
  return ok({ ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) });
}

/** A day of the calendar: no 30 February. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
