import * as v from 'valibot';
import { messageShape, turnShape } from './shared-shapes.ts';

/** The shapes of what is stored, each described once: files are parsed with them, and the types in `thread.ts` derived from them. */

const text = v.string();
const optionalText = v.optional(text);
const optionalNumber = v.optional(v.number());

/** Why a turn failed; the kind determines what the user can do. */
export const Problem = v.object({
  /**
   * `busy`: another answer is running on the thread. `unreachable`: no answer after all attempts; the same turn may continue.
   * `refused`: the platform did not accept the request. `failed`: the agent began and then failed. `gone`: thread not found.
   */
  kind: v.picklist(['busy', 'unreachable', 'refused', 'failed', 'gone', 'credential']),
  message: text,
});

/** What is stored of a turn, without its messages. */
export const Turn = v.object({
  ...turnShape,
  prompt: text,
  problem: v.optional(Problem),
  usage: v.optional(
    v.object({ inputTokens: optionalNumber, outputTokens: optionalNumber, totalTokens: optionalNumber }),
  ),
});

/** What is stored of a message of the agent. */
export const Message = v.object({
  ...messageShape,
  toolCall: v.optional(v.object({ name: text, input: optionalText, result: optionalText })),
  graphPath: v.pipe(v.array(text), v.readonly()),
  /** Counts replacements: while it is unchanged, `text` and `thinking` have only grown. */
  revision: v.number(),
  /** The highest value so far. */
  sort: optionalNumber,
  /** Whether `sort` rises with each event of this message, so that it identifies repeats. */
  sortRises: v.optional(v.boolean()),
});

/** The identity of a thread. Times in milliseconds since the epoch. */
export const Head = v.object({
  /** Our own id of the thread; the platform's is `chatId`, known once it has answered. */
  key: text,
  chatId: optionalText,
  /** The account and chat address that the thread belongs to. */
  scope: text,
  title: text,
  createdAt: v.number(),
  updatedAt: v.number(),
});

/** A question that waits for the running answer to end. */
export const Question = v.object({
  /** The `messageId` of its turn, so that sending it again, after a crash or from another window, does not ask it twice. */
  id: text,
  prompt: text,
  /** Whether it waits until the user sends it. It may no longer follow automatically, for example after a stop. */
  isHeld: v.boolean(),
});
