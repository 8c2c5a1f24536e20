import { plural } from '#base/words.ts';
import type { DateRange } from '#shell/date-range.ts';

/** Selects events of the audit log (docs/platform-api.md#exportauditlog). */
export interface AuditQuery extends DateRange {
  readonly search?: string;
  readonly eventName?: string;
  readonly userEmail?: string;
}

type Row = readonly unknown[];

/** Events that were received, and what to say about filters that the platform did not apply. */
export interface FilteredEvents {
  readonly rows: readonly Row[];
  /** Empty if every event matches. */
  readonly note: string;
}

/**
 * Applies the period, the user and the event again, because a server may ignore its filters, and counts what that hides. Events
 * that lack the text, or whose columns are not recognised, are shown and counted: a full-text search may also find data that is not
 * in the answer (docs/platform-api.md#exportauditlog). `columns`: the names in the first row of the answer.
 */
export function matchingEvents(query: AuditQuery, columns: readonly string[], rows: readonly Row[]): FilteredEvents {
  const strict = [inPeriod(query, rows), inColumns(query.userEmail, columns, userColumn), eventOf(query, columns)];
  const shown = rows.filter((row) => strict.every((matches) => matches?.(row) !== false));
  const unsure = [
    ['userEmail', strict[1]],
    ['eventName', strict[2]],
    ['search', undefined],
  ] as const;
  const lacking = unsure.flatMap(([field, judged]) => (judged ? [] : lackingText(query[field], shown)));
  return { rows: shown, note: [hiddenText(rows.length - shown.length), ...lacking].filter(Boolean).join(' ') };
}

const userColumn = /mail|user|actor/i;
const eventColumn = /^(?:event|action)(?:[\s_-]?(?:name|type))?$/i;

const eventOf = ({ eventName }: AuditQuery, columns: readonly string[]): Test | undefined =>
  inColumns(eventName, columns, eventColumn);

type Test = (row: Row) => boolean;

/** Returns a test of the cells of columns with such a name; `undefined` without a filter or without such a column. */
function inColumns(wanted: string | undefined, columns: readonly string[], name: RegExp): Test | undefined {
  const places = columns.flatMap((column, at) => (name.test(column) ? [at] : []));
  if (wanted === undefined || places.length === 0) return undefined;
  return (row) => places.some((at) => contains(row[at], wanted));
}

/** Whether a cell has the text in any letter case; `*` stands for any characters, which servers may allow. */
function contains(cell: unknown, wanted: string): boolean {
  if (typeof cell !== 'string') return false;
  const text = cell.toLowerCase();
  return wanted
    .toLowerCase()
    .split('*')
    .every((each) => text.includes(each));
}

const hour = 3_600_000;

/** The time zone that is furthest behind, and the one that is furthest ahead: servers may read dates in any. */
const [behind, ahead] = [12 * hour, 14 * hour];

/** Returns a test of the first cell with a time; events of a day count in every time zone, and those without a time always. */
function inPeriod({ start, end }: AuditQuery, rows: readonly Row[]): Test | undefined {
  if (start === undefined && end === undefined) return undefined;
  const at = timeColumn(rows);
  if (at < 0) return undefined;
  const from = start === undefined ? Number.NEGATIVE_INFINITY : Date.parse(start) - ahead;
  const to = end === undefined ? Number.POSITIVE_INFINITY : Date.parse(end) + 24 * hour + behind;
  return (row) => {
    const time = Date.parse(String(row[at]));
    return Number.isNaN(time) || Number.isNaN(from) || Number.isNaN(to) || (time >= from && time < to);
  };
}

/** Returns the first column with a time; -1 if there is none. */
export function timeColumn([first]: readonly Row[]): number {
  return first?.findIndex((value) => /^\d{4}-\d{2}-\d{2}/.test(String(value))) ?? -1;
}

function hiddenText(count: number): string {
  if (count === 0) return '';
  return `The platform ignored a filter: ${plural(count, 'event')} that ${count === 1 ? 'does' : 'do'} not match ${count === 1 ? 'is' : 'are'} hidden.`;
}

function lackingText(wanted: string | undefined, rows: readonly Row[]): readonly string[] {
  if (wanted === undefined) return [];
  const words = wanted.split(/\s+/).filter((word) => word !== '');
  const count = rows.filter((row) => !words.every((word) => row.some((cell) => contains(cell, word)))).length;
  if (count === 0) return [];
  return [
    `${plural(count, 'event')} without “${wanted}” ${count === 1 ? 'is' : 'are'} shown too: the platform may have ignored this filter, or have found it in data that it does not send.`,
  ];
}
