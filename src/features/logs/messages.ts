import * as v from 'valibot';
import { parsed } from '#base/parsed.ts';

/** Messages between the extension host, which holds the lines of a log, and the view that shows a part of them. */

const text = v.string();
const count = v.pipe(v.number(), v.integer(), v.minValue(0));

/** How severe a line is, lowest first. */
export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
const level = v.picklist(logLevels);

const State = v.object({
  type: v.literal('state'),
  title: text,
  /** `failed`: nothing is read any more until *Retry*. */
  phase: v.picklist(['loading', 'following', 'failed']),
  message: text,
  /** Places of the first line shown and behind the last one; they grow, so that a line keeps its place. */
  from: count,
  to: count,
  /** Changes with each filter: lines of another version are stale. */
  version: count,
  isPaused: v.boolean(),
  /** Lines that came since the pause. */
  held: count,
  isFiltered: v.boolean(),
  /** What is wrong with the filter; empty when nothing is. */
  problem: text,
});
/** What a log view shows around the lines. */
export type LogState = v.InferOutput<typeof State>;

const Line = v.tuple([text, level]);
/** A line of a log and how severe it is. */
export type ShownLine = v.InferOutput<typeof Line>;

const Address = v.object({
  accountId: text,
  deploymentId: text,
  title: text,
  source: text,
  container: text,
  /** Without one: all. */
  pod: v.exactOptional(text),
  branchName: v.exactOptional(text),
  /** The moment of the first line; without one, the newest lines are shown. */
  from: v.exactOptional(text),
});
/** Which log a view shows: ids and names. */
export type LogAddress = v.InferOutput<typeof Address>;

const HostToLog = v.variant('type', [
  State,
  v.object({ type: v.literal('opened'), log: Address }),
  /** `marks`: the offsets of the search text in each line, beginning and end in turn. */
  v.object({
    type: v.literal('lines'),
    version: count,
    offset: count,
    lines: v.array(Line),
    marks: v.array(v.array(count)),
  }),
  /** The line in which the search text was found, if any. `problem`: what is wrong with the search text, else empty. */
  v.object({ type: v.literal('found'), version: count, place: v.optional(count), problem: text }),
]);
export type HostToLog = v.InferOutput<typeof HostToLog>;

const LogToHost = v.variant('type', [
  v.object({ type: v.picklist(['ready', 'pause', 'resume', 'clear', 'save', 'copy', 'retry']) }),
  v.object({ type: v.literal('lines'), offset: count, count }),
  /** Asks for another source, container, pod, branch or start of the log. */
  v.object({ type: v.literal('choose'), what: v.picklist(['source', 'container', 'pod', 'branchName', 'from']) }),
  v.object({ type: v.literal('filter'), text, level }),
  v.object({ type: v.literal('find'), text, from: count, backwards: v.boolean() }),
  v.object({ type: v.literal('open'), path: text, line: v.optional(count), column: v.optional(count) }),
]);
export type LogToHost = v.InferOutput<typeof LogToHost>;

/** What a log view keeps, so that it comes back in the next window as it was. */
const Kept = v.object({
  log: v.exactOptional(Address),
  filter: v.exactOptional(text),
  level: v.exactOptional(level),
});
export type KeptLog = v.InferOutput<typeof Kept>;

/** What a log view kept; nothing of one that is older than this, or of none. */
export function parseKeptLog(value: unknown): KeptLog {
  return parsed(Kept, value) ?? {};
}

/** A message of the host, or `undefined` when it is none. */
export function parseHostToLog(value: unknown): HostToLog | undefined {
  return parsed(HostToLog, value);
}

/** A message of a log view, or `undefined` when it is none. */
export function parseLogToHost(value: unknown): LogToHost | undefined {
  return parsed(LogToHost, value);
}
