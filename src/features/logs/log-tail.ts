import type { Clock } from '#base/clock.ts';
import { nextTurn } from '#base/async.ts';

/** One line of a container's log (docs/platform-api.md#getlogs). */
export interface LogLine {
  readonly date: string | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly message: string;
}

/** What is asked for: at most the `limit` newest rows, from a moment on. */
export interface LogQuestion {
  readonly from: string | undefined;
  readonly limit: number;
}

/** The rows of an answer, oldest first or last, in batches. */
export type AskLog = (question: LogQuestion, signal: AbortSignal) => AsyncIterable<readonly LogLine[]>;

/** What a follower hears: new rows, or that some were too many to be got. */
export type LogNews =
  | { readonly kind: 'rows'; readonly rows: readonly LogLine[] }
  | { readonly kind: 'gap'; readonly after: string };

/** How often a followed log is asked for, in milliseconds; sooner while there is much. */
const pause = 2000;
const shortPause = 250;
/** Rows of the first request, and the most that a later one asks for before rows are skipped. */
const firstRows = 500;
const usualRows = 20_000;
const mostRows = 320_000;
/** Rows that are handed on at once: the host does something else between. */
const batchRows = 2000;

/**
 * Follows a log: each request asks from the newest row on and yields only new rows, in order. The platform answers the
 * newest rows when there are more than asked for, so a full answer that does not reach back is asked for again with a larger
 * limit. Rows of one moment may come again and are told apart by all they say.
 */
export async function* followLog(
  ask: AskLog,
  clock: Clock,
  signal: AbortSignal,
  position: LogPosition = {},
): AsyncGenerator<LogNews, void, void> {
  while (!signal.aborted) {
    const { newest: before, seen = new Set() } = position;
    const { rows, isWhole } = await readBefore(ask, before, signal);
    if (!isWhole && before !== undefined) yield { kind: 'gap', after: before };
    const fresh = rows.filter((row) => row.date !== before || !seen.has(keyOf(row)));
    const newest = rows.at(-1)?.date ?? before;
    // Only rows of the newest moment can come again.
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

/** How far a log was read: following continues from here after it had stopped. */
export interface LogPosition {
  newest?: string | undefined;
  /** Rows of the newest moment. */
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

/** As the editor shows it: `time container pod │ message`; further lines of a message are indented. */
export function formatLogLine({ date, pod, container, message }: LogLine): string {
  const head = [date, container, pod].filter((part) => part !== undefined).join(' ');
  return `${head} │ ${message.trimEnd().replaceAll('\n', '\n    ')}`;
}

function keyOf(row: LogLine | undefined): string {
  return JSON.stringify(row && [row.date, row.pod, row.container, row.message]);
}

function compareDates(a: string | undefined, b: string | undefined): number {
  const [left, right] = [a ?? '', b ?? ''];
  return left < right ? -1 : Number(left > right);
}
