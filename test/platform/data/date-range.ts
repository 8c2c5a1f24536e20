/** A time span as local timestamps `YYYY-MM-DDTHH:mm:ss.SSS`, both ends included. */
export type DateRange = readonly [from: string, to: string];

export const units = ['second', 'minute', 'hour', 'day', 'week', 'month', 'quarter', 'year'] as const;
export type Unit = (typeof units)[number];

/**
 * Reads a date range of the data API: two dates, one date, or words (`today`, `last month`, `last 30 days`, `this year`,
 * `from 2025-01-01 to 2025-03-31`, `from 7 days ago to now`). Undefined when the words mean nothing.
 * @param now milliseconds since the epoch: what relative words count from
 * @param timezone IANA name: whose day `today` is
 */
export function readDateRange(value: unknown, now: number, timezone: string): DateRange | undefined {
  if (Array.isArray(value)) {
    const [from, to = from] = value.filter((part): part is string => typeof part === 'string');
    return from === undefined || to === undefined ? undefined : dates(from, to);
  }
  if (typeof value !== 'string') return undefined;
  const words = value.trim().toLowerCase();
  const [, from, to] = /^from\s+(.+)\s+to\s+(.+)$/.exec(words) ?? [];
  if (from !== undefined && to !== undefined) return fromTo(from, to, localNow(now, timezone));
  return relative(words, localNow(now, timezone)) ?? dates(words, words);
}

/** The first and last moment of the unit that holds a date, moved by whole units. Dates are UTC numbers of local time. */
export function unitRange(unit: Unit, local: Date, offset = 0, length = 1): DateRange {
  const start = add(startOf(unit, local), unit, offset);
  return [stamp(start), stamp(new Date(add(start, unit, length).getTime() - 1))];
}

function relative(words: string, local: Date): DateRange | undefined {
  if (words === 'today') return unitRange('day', local);
  if (words === 'yesterday') return unitRange('day', local, -1);
  if (words === 'tomorrow') return unitRange('day', local, 1);
  const [, direction, count, name] =
    /^(this|last|next|past)\s+(?:(\d+)\s+)?(second|minute|hour|day|week|month|quarter|year)s?$/.exec(words) ?? [];
  const unit = units.find((candidate) => candidate === name);
  if (direction === undefined || unit === undefined) return undefined;
  const length = Number(count ?? 1);
  if (direction === 'this') return unitRange(unit, local, 0, length);
  return direction === 'next' ? unitRange(unit, local, 1, length) : unitRange(unit, local, -length, length);
}

/** Two dates, or moments that are counted from now: `7 days ago`, `now`, `2 hours from now`. */
function fromTo(from: string, to: string, local: Date): DateRange | undefined {
  // Where both count in nothing finer than days, whole days are meant.
  const fine = (['second', 'minute', 'hour'] as const).find((unit) => `${from} ${to}`.includes(unit)) ?? 'day';
  const start = counted(from, local);
  const end = counted(to, local);
  const first = start === undefined ? part(from, 'first') : unitRange(fine, start)[0];
  const last = end === undefined ? part(to, 'last') : unitRange(fine, end)[1];
  return first !== undefined && last !== undefined ? [first, last] : undefined;
}

/** The moment that words name, counted from now. */
function counted(words: string, local: Date): Date | undefined {
  const days = ['yesterday', 'today', 'tomorrow'].indexOf(words);
  if (days >= 0) return add(local, 'day', days - 1);
  if (words === 'now') return local;
  const [, count, name, direction] =
    /^(\d+|an?|one)\s+(second|minute|hour|day|week|month|quarter|year)s?\s+(ago|from\s+now)$/.exec(words) ?? [];
  const unit = units.find((candidate) => candidate === name);
  if (unit === undefined) return undefined;
  const length = /^\d+$/.test(count ?? '') ? Number(count) : 1;
  return add(local, unit, direction === 'ago' ? -length : length);
}

function dates(from: string, to: string): DateRange | undefined {
  const start = part(from, 'first');
  const end = part(to, 'last');
  return start !== undefined && end !== undefined ? [start, end] : undefined;
}

/** A date, month, year or timestamp as its first or last moment. */
function part(text: string, side: 'first' | 'last'): string | undefined {
  const [, year, month, day, time] =
    /^(\d{4})(?:-(\d\d)(?:-(\d\d)(?:[t ](\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?)z?)?)?)?$/i.exec(text.trim()) ?? [];
  if (year === undefined) return undefined;
  const date = new Date(`${year}-${month ?? '01'}-${day ?? '01'}T00:00:00Z`);
  if (Number.isNaN(date.getTime())) return undefined;
  if (time !== undefined) {
    const [clock = '', fraction = ''] = time.split('.');
    return `${stamp(date).slice(0, 10)}T${clock.padEnd(8, ':00')}.${fraction.padEnd(3, '0').slice(0, 3)}`;
  }
  return unitRange(day === undefined ? (month === undefined ? 'year' : 'month') : 'day', date)[
    side === 'first' ? 0 : 1
  ];
}

/** The wall clock of a time zone, held in a `Date` as if it were UTC. */
function localNow(now: number, timezone: string): Date {
  const parts = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' });
  return new Date(`${parts.format(now).replace(' ', 'T')}Z`);
}

function startOf(unit: Unit, date: Date): Date {
  const at = new Date(date);
  const monthOf: Partial<Record<Unit, number>> = {
    month: at.getUTCMonth(),
    quarter: Math.floor(at.getUTCMonth() / 3) * 3,
    year: 0,
  };
  const month = monthOf[unit];
  if (month !== undefined) return new Date(Date.UTC(at.getUTCFullYear(), month, 1));
  if (unit === 'week') at.setUTCDate(at.getUTCDate() - ((at.getUTCDay() + 6) % 7));
  const lengths: Partial<Record<Unit, number>> = { second: 1000, minute: 60_000, hour: 3_600_000 };
  const length = lengths[unit] ?? 86_400_000;
  return new Date(Math.floor(at.getTime() / length) * length);
}

function add(date: Date, unit: Unit, count: number): Date {
  const months: Partial<Record<Unit, number>> = { month: 1, quarter: 3, year: 12 };
  const step = months[unit];
  const at = new Date(date);
  if (step !== undefined) {
    at.setUTCMonth(at.getUTCMonth() + step * count);
    // A month before 31 March is the end of February, not 3 March.
    if (at.getUTCDate() !== date.getUTCDate()) at.setUTCDate(0);
    return at;
  }
  const seconds: Partial<Record<Unit, number>> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };
  return new Date(at.getTime() + (seconds[unit] ?? 0) * 1000 * count);
}

/** A UTC moment as `YYYY-MM-DDTHH:mm:ss.SSS`. */
export function stamp(date: Date): string {
  return date.toISOString().slice(0, 23);
}
