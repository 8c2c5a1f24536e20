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

/** Parses a time of an answer, as databases write it, to milliseconds since the epoch; without a zone it is UTC. */
export function parseTime(value: unknown): number | undefined {
  if (typeof value !== 'string') return undefined;
  const [, day, time, zone] = timeShape.exec(value) ?? [];
  const [, hours, minutes = '00'] = /^([+-]\d{2}):?(\d{2})?$/.exec(zone ?? '') ?? [];
  const at = time === undefined ? day : `${day}T${time}${hours === undefined ? 'Z' : `${hours}:${minutes}`}`;
  const parsed = Date.parse(at ?? value);
  return Number.isNaN(parsed) ? undefined : parsed;
}

/** A day, and perhaps a time of it with a zone: `Z`, `UTC`, `+01`, `+0100` or `+01:00`. */
const timeShape = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?) ?(Z|UTC|[+-]\d{2}(?::?\d{2})?)?)?$/;

/** Formats an age in the largest unit of which it has at least two. */
export function ageText(milliseconds: number): string {
  const [unit, length] = Object.entries(units).findLast(([, each]) => milliseconds >= 2 * each) ?? ['second', 1_000];
  return `${Math.round(milliseconds / length)} ${unit}s`;
}
