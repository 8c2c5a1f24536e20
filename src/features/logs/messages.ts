import * as v from 'valibot';
import { count, text } from '#base/message-shapes.ts';
import { parsed } from '#base/parsed.ts';

/** The messages between the extension host, which stores the lines of a log, and the view that shows some of them. */

/** The severities of lines, lowest first. */
export const logLevels = ['debug', 'info', 'warning', 'error'] as const;
export type LogLevel = (typeof logLevels)[number];
const level = v.picklist(logLevels);

const State = v.object({
  type: v.literal('state'),
  title: text,
  /** `failed`: the log is not read any more until *Retry*. */
  phase: v.picklist(['loading', 'following', 'failed']),
  message: text,
  /** The index of the first shown line and the one after the last. Indexes only grow, so a line keeps its index. */
  from: count,
  to: count,
  /** Changes with each filter: lines of another version are stale. */
  version: count,
  isPaused: v.boolean(),
  /** The number of lines that arrived since the pause. */
  held: count,
  isFiltered: v.boolean(),
  /** The problem with the filter; empty if there is none. */
  problem: text,
});
/** The state of a log view apart from its lines. */
export type LogState = v.InferOutput<typeof State>;

const Line = v.tuple([text, level]);
/** A line of a log with its severity. */
export type ShownLine = v.InferOutput<typeof Line>;

const Address = v.object({
  accountId: text,
  deploymentId: text,
  title: text,
  source: text,
  container: text,
  /** All pods if missing. */
  pod: v.exactOptional(text),
  branchName: v.exactOptional(text),
  /** The time of the first line; if missing, the newest lines are shown. */
  from: v.exactOptional(text),
});
/** The log that a view shows: ids and names. */
export type LogAddress = v.InferOutput<typeof Address>;

const HostToLog = v.variant('type', [
  State,
  v.object({ type: v.literal('opened'), log: Address }),
  /** `marks`: the matches of the search text in each line, start and end offsets in turn. */
  v.object({
    type: v.literal('lines'),
    version: count,
    offset: count,
    lines: v.array(Line),
    marks: v.array(v.array(count)),
  }),
  /** The line in which the search text was found, if any. `problem`: the problem with the search text, or empty. */
  v.object({ type: v.literal('found'), version: count, index: v.optional(count), problem: text }),
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

/** The state that a log view stores, so that the next window can restore it. */
const Kept = v.object({
  log: v.exactOptional(Address),
  filter: v.exactOptional(text),
  level: v.exactOptional(level),
});
export type KeptLog = v.InferOutput<typeof Kept>;

/** Parses the stored state of a log view; empty for one of an older version or none. */
export function parseKeptLog(value: unknown): KeptLog {
  return parsed(Kept, value) ?? {};
}

/** Parses a message of the host; `undefined` if it is not one. */
export function parseHostToLog(value: unknown): HostToLog | undefined {
  return parsed(HostToLog, value);
}

/** Parses a message of a log view; `undefined` if it is not one. */
export function parseLogToHost(value: unknown): LogToHost | undefined {
  return parsed(LogToHost, value);
}
