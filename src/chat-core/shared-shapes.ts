import * as v from 'valibot';
import { TURN_PHASES } from './turn-phase.ts';

/** What is stored of turns and messages and shown of them, too: files, views and the types in `thread.ts` share it. */

const text = v.string();

/**
 * The branch that a turn's queries run on (docs/chat.md#body-of-a-question, `activeBranchName` and `isDefaultBranch`); pinned
 * when the turn is sent.
 */
export const Branch = v.object({ name: text, isDefault: v.boolean() });

/** What files and views both have of a turn. */
export const turnShape = {
  /** The `messageId`, the same for every attempt. */
  id: text,
  branch: v.optional(Branch),
  phase: v.picklist(TURN_PHASES),
  /** A remark for the user, such as why a stop could not be confirmed. */
  note: v.optional(text),
  /** Milliseconds since the epoch. */
  startedAt: v.number(),
  endedAt: v.optional(v.number()),
};

/** What files and views both have of a message. */
export const messageShape = { id: text, text, thinking: text, isInProcess: v.boolean() };
