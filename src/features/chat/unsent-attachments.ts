import * as v from 'valibot';
import type { Attachment } from '#chat-core/attachments.ts';
import { parsed } from '#base/parsed.ts';
import type { StateStore } from '#shell/ports.ts';

const KEY = 'modelbench.chat.unsentAttachments';
/** The most characters that are remembered, over all views; the views that were used last come first. */
const MOST = 1_000_000;

const Unsent = v.object({
  attachments: v.array(v.object({ id: v.string(), label: v.string(), detail: v.string(), text: v.string() })),
  askedAbout: v.array(v.string()),
});
const Entry = v.object({ view: v.string(), accountId: v.string(), question: Unsent });
/** Until accounts had attachments of their own, they were stored without one: those have no owner. */
const Unowned = v.pipe(
  v.strictTuple([v.string(), Unsent]),
  v.transform(([view, question]) => ({ view, accountId: '', question })),
);
const schema = v.array(v.union([Entry, Unowned]));

/** What is attached to a question that is not sent yet. */
export interface Attached {
  readonly attachments: readonly Attachment[];
  /** The ids of attachments that came with a question from elsewhere. */
  readonly askedAbout: readonly string[];
}

/**
 * Remembers the attachments of each view's unsent question, so that they survive a reload of the window. Each account has its own,
 * and an empty id stands for a user who is not signed in.
 */
export class UnsentAttachments {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns what was attached in the view of this name. */
  get(view: string, accountId: string): Attached | undefined {
    return this.#all().find((entry) => entry.view === view && entry.accountId === accountId)?.question;
  }

  set(view: string, accountId: string, question: Attached): void {
    const all = this.#all();
    const others = all.filter((entry) => entry.view !== view || entry.accountId !== accountId);
    const own = question.attachments.length > 0 ? [{ view, accountId, question }] : [];
    let left = MOST;
    const kept = [...own, ...others].filter((entry) => {
      left -= entry.question.attachments.reduce((sum, { text }) => sum + text.length, 0);
      return left >= 0;
    });
    if (own.length > 0 || others.length < all.length) void this.#state.set(KEY, kept);
  }

  #all(): v.InferOutput<typeof schema> {
    return parsed(schema, this.#state.get(KEY)) ?? [];
  }
}
