interface ReadableTimeOptions {
  /** The locale and the time zone of the user, unless others are named. */
  readonly locale?: string;
  readonly timeZone?: string;
  /** Whether seconds are shown: where several moments of one minute are told apart. */
  readonly seconds?: boolean;
}

/**
 * Formats a moment as local time in the user's locale: `Nov 22, 2026, 9:15 AM`. `moment` is a timestamp or milliseconds since the
 * epoch; any other text is returned unchanged, also a day, which is the same everywhere.
 */
export function readableTime(
  moment: string | number,
  { locale, timeZone, seconds = false }: ReadableTimeOptions = {},
): string {
  const timeStyle = seconds ? 'medium' : 'short';
  return dateOf(moment)?.toLocaleString(locale, { dateStyle: 'medium', timeStyle, timeZone }) ?? String(moment);
}

/**
 * Formats a moment as local time whose text sorts and filters like the time: `2026-11-22 09:15`, for tables and logs. `length`:
 * how many characters of it to show, 23 with milliseconds; any other text is returned unchanged.
 */
export function sortableTime(moment: string | number, length = 16): string {
  const date = dateOf(moment);
  if (!date) return String(moment);
  const local = new Date(date.getTime() - date.getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, length).replace('T', ' ');
}

function dateOf(moment: string | number): Date | undefined {
  if (typeof moment === 'string' && !/^\d{4}-\d\d-\d\d[T ]\d\d:/.test(moment)) return undefined;
  const date = new Date(moment);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
