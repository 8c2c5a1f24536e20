import { err, ok, type Result } from '#base/result.ts';

/** Days as `YYYY-MM-DD`; a missing day leaves the range open at that end. */
export interface DateRange {
  readonly start?: string;
  readonly end?: string;
}

/** Parses `from to` as the user types it; the error is one sentence. An empty text means everything. */
export function parseDateRange(typed: string): Result<DateRange, string> {
  const days = typed.trim().split(/\s+/).filter(Boolean);
  const wrong = days.find((day) => !isDay(day));
  if (wrong !== undefined || days.length > 2) return err('Enter one or two dates as YYYY-MM-DD.');
  const [start, end] = days;
  if (start !== undefined && end !== undefined && end < start) return err('The second date is before the first one.');
  return ok({ ...(start === undefined ? {} : { start }), ...(end === undefined ? {} : { end }) });
}

/** Checks the calendar as well: there is no 30 February. */
function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
