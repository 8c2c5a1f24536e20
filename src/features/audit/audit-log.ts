import { append } from '#base/long-lists.ts';
import { auditLogCsv } from '#api/streams/byte-stream.ts';
import type { AccountClients, Client } from '#api/client/client.ts';
import type { DataClient } from '#api/data/data.ts';
import { sortableTime } from '#base/timestamps.ts';
import type { DateRange } from '#shell/date-range.ts';
import type { ShownChoice, ShownQuery } from '#shell/shown-query.ts';
import { type AuditQuery, matchingEvents, timeColumn } from './audit-filter.ts';
import { csvRows } from './csv-rows.ts';

/** The number of days of the audit log that are shown at first. */
const firstDays = 7;

/** Returns the range of the last days, which is shown until the user chooses another. `now`: milliseconds since the epoch. */
export function recentEvents(now: number, days: number = firstDays): DateRange {
  return { start: new Date(now - days * 86_400_000).toISOString().slice(0, 10) };
}

/** Returns the current filters of the shown events as texts. */
export function auditChoices({ start, end, userEmail, eventName, search }: AuditQuery): readonly ShownChoice[] {
  const days = end === undefined ? `since ${start}` : start === end ? start : `${start ?? ''} to ${end}`;
  return [
    { id: 'period', label: 'Period', value: start === undefined && end === undefined ? 'all' : (days ?? '') },
    { id: 'userEmail', label: 'User', value: userEmail ?? 'all' },
    { id: 'eventName', label: 'Event', value: eventName ?? 'all' },
    { id: 'search', label: 'Text', value: search ?? 'any' },
  ];
}

/**
 * Returns a client that reads the events again with each query of the table. `note` gets what to say about filters that the platform
 * did not apply.
 */
export function shownEvents(
  { data }: { readonly data: AccountClients },
  accountId: string,
  query: () => AuditQuery,
  note: (text: string) => void,
): ShownQuery['client'] {
  return {
    cubeSql: (_, options = {}) => {
      const asked = query();
      note('');
      return inLocalTime(filtered(newestEvents(data.client(accountId), asked, options.signal), asked, note));
    },
  };
}

async function* filtered(
  batches: ReturnType<DataClient['cubeSql']>,
  query: AuditQuery,
  note: (text: string) => void,
): ReturnType<DataClient['cubeSql']> {
  let names: readonly string[] = [];
  for await (const batch of batches) {
    if (batch.kind === 'schema') {
      names = batch.columns.map(({ name }) => name);
      yield batch;
    } else {
      const events = matchingEvents(query, names, batch.rows);
      note(events.note);
      yield { kind: 'rows', rows: events.rows };
    }
  }
}

/** Writes timestamps as local time; the exported file has them as the platform writes them. */
async function* inLocalTime(batches: ReturnType<DataClient['cubeSql']>): ReturnType<DataClient['cubeSql']> {
  const shown = (cell: unknown): unknown =>
    typeof cell === 'string' && cell.endsWith('Z') ? sortableTime(cell, 19) : cell;
  for await (const batch of batches) {
    yield batch.kind === 'rows' ? { ...batch, rows: batch.rows.map((row) => row.map((cell) => shown(cell))) } : batch;
  }
}

/**
 * Reads the audit log as rows of a table, the newest event first; the first CSV row has the column names
 * (docs/platform-api.md#exportauditlog).
 */
export async function* newestEvents(
  client: Client,
  query: AuditQuery,
  signal: AbortSignal | undefined,
): ReturnType<DataClient['cubeSql']> {
  const rows: (readonly unknown[])[] = [];
  for await (const batch of auditBatches(client, query, signal)) {
    if (batch.kind === 'rows') append(rows, batch.rows);
    else yield batch;
  }
  yield { kind: 'rows', rows: newestFirst(rows) };
}

type Rows = readonly (readonly unknown[])[];

/**
 * Sorts rows by the first column with times, because the platform documents no order; rows of one moment keep theirs, turned
 * round where the whole begins with the oldest, and those without a time come last. Without such a column, all stay as they came.
 */
function newestFirst(rows: Rows): Rows {
  const column = timeColumn(rows);
  if (column < 0) return rows;
  const timed = rows.map((row) => ({ row, time: timeOf(row[column]) }));
  const given = timeOf(rows[0]?.[column]) < timeOf(rows.at(-1)?.[column]) ? timed.toReversed() : timed;
  return given.toSorted((one, other) => (one.time === other.time ? 0 : other.time - one.time)).map(({ row }) => row);
}

function timeOf(cell: unknown): number {
  const time = Date.parse(String(cell));
  return Number.isNaN(time) ? Number.NEGATIVE_INFINITY : time;
}

/** Streams the audit log as rows of a table; the first CSV row has the column names. */
async function* auditBatches(
  client: Client,
  query: AuditQuery,
  signal: AbortSignal | undefined,
): ReturnType<DataClient['cubeSql']> {
  let isFirst = true;
  for await (const rows of csvRows(auditLogCsv(client, query, { signal }))) {
    const [names = [], ...others] = rows;
    if (isFirst) yield { kind: 'schema', columns: names.map((name) => ({ name, type: 'string' })) };
    yield { kind: 'rows', rows: isFirst ? others : rows };
    isFirst = false;
  }
}

/**
 * Reads the audit log as the bytes of a CSV file: the events that the table shows for the same query, in the platform's order. The
 * bytes are the platform's own where it left out what does not match, or where nothing is left out. `note` gets what to say about
 * filters that the platform did not apply. Throws `PlatformError` if the answer is cut off.
 */
export async function* exportedEvents(
  { data }: { readonly data: AccountClients },
  accountId: string,
  { signal, note, ...query }: AuditQuery & ExportWatch,
): AsyncGenerator<Uint8Array, void> {
  const bytes = auditLogCsv(data.client(accountId), query, { signal });
  if (Object.values(query).every((value) => value === undefined)) {
    yield* bytes;
    return;
  }
  const chunks: Uint8Array[] = [];
  const read: (readonly string[])[] = [];
  for await (const batch of csvRows(noting(bytes, chunks))) append(read, batch);
  const [names = [], ...rows] = read;
  const events = matchingEvents(query, names, newestFirst(rows));
  note(events.note);
  if (events.rows.length === rows.length) {
    yield* chunks;
    return;
  }
  const shown = new Set(events.rows);
  for (const row of [names, ...rows.filter((each) => shown.has(each))]) {
    yield new TextEncoder().encode(`${row.map(csvField).join(',')}\r\n`);
  }
}

interface ExportWatch {
  readonly signal: AbortSignal;
  readonly note: (text: string) => void;
}

/** Passes chunks through, and keeps them. */
async function* noting(bytes: AsyncIterable<Uint8Array>, kept: Uint8Array[]): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of bytes) {
    kept.push(chunk);
    yield chunk;
  }
}

/** Writes a field by RFC 4180, with the platform's text. */
function csvField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
