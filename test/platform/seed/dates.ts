const origin = Date.UTC(2026, 2, 2, 9, 0, 0);

/** Milliseconds of a moment so many days after the seed's first day: fixed, so that commits keep their hashes. */
export const seedTime = (day: number): number => origin + Math.round(day * 86_400_000);

/** The same as an ISO 8601 timestamp. */
export const seedDate = (day: number): string => new Date(seedTime(day)).toISOString();
