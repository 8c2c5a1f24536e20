/** Formats a timestamp of the platform for a tooltip: `2026-11-22 08:15 UTC`. Returns text that is not a date unchanged. */
export function readableTime(timestamp: string): string {
  const time = Date.parse(timestamp);
  if (Number.isNaN(time)) return timestamp;
  return `${new Date(time).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
