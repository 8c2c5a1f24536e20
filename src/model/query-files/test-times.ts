const units: Readonly<Record<string, number>> = {
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 604_800_000,
};

/** Parses a time span such as `24 hours` to milliseconds; returns undefined for other texts. */
export function durationOf(text: string): number | undefined {
  const [, count, unit = ''] = /^\s*(\d+)\s+(second|minute|hour|day|week)s?\s*$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * (units[unit] ?? NaN);
}

/** Parses a time of an answer to milliseconds since the epoch; without a zone it is UTC. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/.test(value) || /^\d{4}-\d{2}-\d{2}$/.test(value);
  const time = Date.parse(isZoned ? value : `${value.replace(' ', 'T')}Z`);
  return Number.isNaN(time) ? undefined : time;
}

/** Formats an age in the largest unit of which it has at least two. */
export function ageText(milliseconds: number): string {
  const [unit, length] = Object.entries(units).findLast(([, each]) => milliseconds >= 2 * each) ?? ['second', 1_000];
  return `${Math.round(milliseconds / length)} ${unit}s`;
}
