import type { Clock } from '#base/clock.ts';

/** One line of a container's log (payloads, Management). */
export interface LogLine {
  readonly date: string | undefined;
  readonly pod: string | undefined;
  readonly container: string | undefined;
  readonly message: string;
}

/** Asks for the rows from a moment on, oldest first or last: the tail sorts them. */
export type AskLog = (from: string | undefined, signal: AbortSignal) => Promise<readonly LogLine[]>;

/** How often a followed log is asked for, milliseconds. */
const pause = 2000;

/**
 * Follows a log: each look asks from the newest row on and yields only what was not there before. Rows of one moment may
 * come again, so they are told apart by all they say.
 */
export async function* followLog(
  ask: AskLog,
  clock: Clock,
  signal: AbortSignal,
): AsyncGenerator<readonly LogLine[], void, void> {
  let newest: string | undefined;
  let seen = new Set<string>();
  while (!signal.aborted) {
    const rows = [...(await ask(newest, signal))].sort((a, b) => compareDates(a.date, b.date));
    const fresh = rows.filter((row) => !seen.has(keyOf(row)));
    const last = rows.at(-1)?.date ?? newest;
    // Only rows of the newest moment can come again.
    if (last !== newest) seen = new Set();
    for (const row of rows) if (row.date === last) seen.add(keyOf(row));
    newest = last;
    if (fresh.length > 0) yield fresh;
    await clock.sleep(pause, signal);
  }
}

/** As the editor shows it: `time container pod │ message`; further lines of a message are indented. */
export function formatLogLine({ date, pod, container, message }: LogLine): string {
  const head = [date, container, pod].filter((part) => part !== undefined).join(' ');
  return `${head} │ ${message.trimEnd().replaceAll('\n', '\n    ')}`;
}

function keyOf(row: LogLine): string {
  return JSON.stringify([row.date, row.pod, row.container, row.message]);
}

function compareDates(a: string | undefined, b: string | undefined): number {
  const [left, right] = [a ?? '', b ?? ''];
  return left < right ? -1 : Number(left > right);
}
