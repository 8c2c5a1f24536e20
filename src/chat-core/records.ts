import * as v from 'valibot';
import { parsedJson } from '#base/json.ts';
import { turnShape } from './shared-shapes.ts';
import { Head, Message, Question, Turn } from './stored-shapes.ts';
import {
  type ChatMessage,
  type ChatThread,
  type ChatTurn,
  type QueuedQuestion,
  type ThreadHead,
  type TurnBranch,
} from './thread.ts';

/** A line of a thread's file. A later record replaces an earlier one with the same identity. */
export type StoredRecord =
  /** `queued`: the waiting questions when the whole thread was written; each later one has its own record. */
  | ({ readonly kind: 'thread' } & Omit<ChatThread, 'turns'>)
  /** One question per record, because two windows may have questions that wait on one thread. */
  | ({ readonly kind: 'queued' } & QueuedQuestion)
  | { readonly kind: 'unqueued'; readonly id: string }
  /**
   * `order`: the ids of the messages of a turn that has ended; records of messages are in the order in which they were finished.
   */
  | ({ readonly kind: 'turn'; readonly order?: readonly string[] | undefined } & Omit<ChatTurn, 'messages'>)
  | ({ readonly kind: 'message'; readonly turn: string } & ChatMessage);

/** The content of an entry in the list of threads. */
export interface ThreadSummary extends ThreadHead {
  /** The branch of the last turn. */
  readonly branch?: TurnBranch | undefined;
  readonly turns: number;
  readonly phase?: ChatTurn['phase'] | undefined;
}

/** Returns the entry of a thread for the list of threads. */
export function summaryOf(thread: ChatThread): ThreadSummary {
  const { turns, queued: _, ...head } = thread;
  const last = turns.at(-1);
  return {
    ...head,
    branch: last?.branch,
    turns: turns.length,
    phase: last?.phase,
  };
}

/** Parses a line; returns `undefined` if it is torn, empty or from a later version. */
export function parseRecord(line: string): StoredRecord | undefined {
  const parsed = v.safeParse(RecordSchema, parsedJson(line));
  return parsed.success ? parsed.output : undefined;
}

/** Parses the index; skips entries that cannot be parsed. */
export function parseSummaries(text: string | undefined): ThreadSummary[] {
  const list = v.safeParse(v.array(v.unknown()), parsedJson(text));
  if (!list.success) return [];
  return list.output.flatMap((item) => {
    const summary = v.safeParse(SummarySchema, item);
    return summary.success ? [summary.output] : [];
  });
}

const SummarySchema = v.object({
  ...Head.entries,
  branch: turnShape.branch,
  turns: v.number(),
  phase: v.optional(turnShape.phase),
});

/** Adds the ids that questions of earlier versions lack; they differ from those of all turns. */
function named<Q extends { readonly id?: string | undefined }>(queued: readonly Q[]): (Q & { readonly id: string })[] {
  return queued.map((waiting, at) => ({ ...waiting, id: waiting.id ?? `${at}-message` }));
}

const EarlierQuestion = v.object({ ...Question.entries, id: v.optional(v.string()) });

const RecordSchema = v.variant('kind', [
  v.object({
    kind: v.literal('thread'),
    ...Head.entries,
    queued: v.optional(v.pipe(v.array(EarlierQuestion), v.transform(named))),
  }),
  v.object({ kind: v.literal('queued'), ...Question.entries }),
  v.object({ kind: v.literal('unqueued'), id: v.string() }),
  v.object({ kind: v.literal('turn'), ...Turn.entries, order: v.optional(v.array(v.string())) }),
  v.object({ kind: v.literal('message'), turn: v.string(), ...Message.entries }),
]);
