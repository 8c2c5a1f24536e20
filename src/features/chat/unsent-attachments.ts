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
const schema = v.array(v.strictTuple([v.string(), Unsent]));

/** What is attached to a question that is not sent yet. */
export interface Attached {
  readonly attachments: readonly Attachment[];
  /** The ids of attachments that came with a question from elsewhere. */
  readonly askedAbout: readonly string[];
}

/** Remembers the attachments of each view's unsent question, so that they survive a reload of the window. */
export class UnsentAttachments {
  readonly #state: StateStore;

  constructor(state: StateStore) {
    this.#state = state;
  }

  /** Returns what was attached in the view of this name. */
  get(view: string): Attached | undefined {
    return this.#all().find(([name]) => name === view)?.[1];
  }

  set(view: string, question: Attached): void {
    const others = this.#all().filter(([name]) => name !== view);
    const own = question.attachments.length > 0 ? [[view, question] as const] : [];
    let left = MOST;
    const kept = [...own, ...others].filter(([, { attachments }]) => {
      left -= attachments.reduce((sum, { text }) => sum + text.length, 0);
      return left >= 0;
    });
    if (own.length > 0 || others.length < this.#all().length) void this.#state.set(KEY, kept);
  }

  #all(): v.InferOutput<typeof schema> {
    return parsed(schema, this.#state.get(KEY)) ?? [];
  }
}
