import type { Clock } from '#base/clock.ts';
import { nextTurn } from '#base/async.ts';
import { sortableTime } from '#base/timestamps.ts';

/** One line of a container's log (docs/platform-api.md#getlogs). */
export interface LogLine {
  readonly date: string | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly message: string;
}

/** A request for at most the `limit` newest rows since a time. */
export interface LogQuestion {
  readonly from: string | undefined;
  readonly limit: number;
}

/** Returns the rows of a response in batches, in ascending or descending order. */
export type AskLog = (question: LogQuestion, signal: AbortSignal) => AsyncIterable<readonly LogLine[]>;

/** New rows, or a note that some rows could not be read. */
export type LogUpdate =
  | { readonly kind: 'rows'; readonly rows: readonly LogLine[] }
  | { readonly kind: 'gap'; readonly after: string };

/** The interval between two requests for a followed log, in milliseconds; shorter while there are many rows. */
const pause = 2000;
const shortPause = 250;
/** The number of rows of the first request, and the limit up to which later requests grow before rows are skipped. */
const firstRows = 500;
const usualRows = 20_000;
const mostRows = 320_000;
/** The number of rows in a batch, before yielding to the host. */
const batchRows = 2000;

/**
 * Follows a log: each request starts at the newest row and yields only new rows, in order. The platform returns the newest rows
 * if there are more than the limit, so a full response that does not reach back far enough is requested again with a larger
 * limit. Rows with the same time may be returned again; they are compared by their full content.
 */
export async function* followLog(
  ask: AskLog,
  clock: Clock,
  signal: AbortSignal,
  position: LogPosition = {},
): AsyncGenerator<LogUpdate, void, void> {
  while (!signal.aborted) {
    const { newest: before, seen = new Set() } = position;
    const { rows, isWhole } = await readBefore(ask, before, signal);
    if (!isWhole && before !== undefined) yield { kind: 'gap', after: before };
    const fresh = rows.filter((row) => row.date !== before || !seen.has(keyOf(row)));
    const newest = rows.at(-1)?.date ?? before;
    // Only rows with the newest time can be returned again.
    const known = newest === before ? seen : new Set<string>();
    for (let at = rows.length - 1; at >= 0 && rows[at]?.date === newest; at -= 1) known.add(keyOf(rows[at]));
    Object.assign(position, { newest, seen: known });
    for (let at = 0; at < fresh.length; at += batchRows) {
      yield { kind: 'rows', rows: fresh.slice(at, at + batchRows) };
      await nextTurn();
    }
    await clock.sleep(fresh.length > batchRows ? shortPause : pause, signal);
  }
}

/** How far a log was read, so that following can continue from there. */
export interface LogPosition {
  newest?: string | undefined;
  /** The rows with the newest time. */
  seen?: Set<string>;
}

interface Reading {
  /** Oldest first. */
  readonly rows: readonly LogLine[];
  /** Whether no row is missing between the last request and these rows. */
  readonly isWhole: boolean;
}

async function readBefore(ask: AskLog, from: string | undefined, signal: AbortSignal): Promise<Reading> {
  let limit = from === undefined ? firstRows : usualRows;
  for (;;) {
    const rows = await collected(ask({ from, limit }, signal));
    const isWhole = from === undefined || rows.length < limit || rows[0]?.date === from;
    if (isWhole || limit >= mostRows) return { rows, isWhole };
    limit *= 4;
  }
}

async function collected(batches: AsyncIterable<readonly LogLine[]>): Promise<readonly LogLine[]> {
  const rows: LogLine[] = [];
  for await (const batch of batches) for (const row of batch) rows.push(row);
  if (isOrdered(rows)) return rows;
  rows.reverse();
  return isOrdered(rows) ? rows : rows.sort((a, b) => compareDates(a.date, b.date));
}

function isOrdered(rows: readonly LogLine[]): boolean {
  return rows.every((row, at) => at === 0 || compareDates(rows[at - 1]?.date, row.date) <= 0);
}

/** Formats a line for the view: `time container pod │ message`; further lines of a message are indented. */
export function formatLogLine({ date, pod, container, message }: LogLine): string {
  const head = [date && sortableTime(date, 23), container, pod].filter((part) => part !== undefined).join(' ');
  return `${head} │ ${message.trimEnd().replaceAll('\n', '\n    ')}`;
}

function keyOf(row: LogLine | undefined): string {
  return JSON.stringify(row && [row.date, row.pod, row.container, row.message]);
}

function compareDates(a: string | undefined, b: string | undefined): number {
  const [left, right] = [a ?? '', b ?? ''];
  return left < right ? -1 : Number(left > right);
}
