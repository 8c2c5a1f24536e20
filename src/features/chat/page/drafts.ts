import * as v from 'valibot';
import type { ViewThread } from '#features/chat/messages.ts';

/** How many threads' unsent words are kept in the view's state. */
const MOST_DRAFTS = 20;
/** How many drafts that made way for other texts are kept. */
const MOST_SET_ASIDE = 20;
/** The name of the draft of a thread that nothing was asked on yet: its own key is forgotten with the window. */
const NEW_THREAD = 'new';

const Saved = v.object({
  thread: v.optional(v.string()),
  drafts: v.record(v.string(), v.string()),
  setAside: v.optional(v.array(v.string()), []),
  handedOver: v.optional(v.string()),
});

/**
 * What the user has written in this view and not sent: one text for each thread, and those that made way for others. All of it is
 * in the view's state, so that it survives the page, the extension host and the window. A text leaves only when the user deletes
 * it, or when the thread shows it as a question.
 */
export class Drafts {
  readonly #save: (state: unknown) => void;
  #thread: string | undefined;
  #drafts: Readonly<Record<string, string>> = {};
  #setAside: readonly string[] = [];
  /** Was sent to the host, which has not shown it on the thread yet. */
  #handedOver: string | undefined;

  constructor(saved: unknown, save: (state: unknown) => void) {
    this.#save = save;
    const read = v.safeParse(Saved, saved);
    if (!read.success) return;
    const { thread, drafts, setAside, handedOver } = read.output;
    this.#thread = thread;
    this.#drafts = drafts;
    this.#setAside = setAside;
    this.#handedOver = handedOver;
  }

  /** The key of the thread that was shown last. */
  get thread(): string | undefined {
    return this.#thread;
  }

  /** The texts that made way for others, the oldest first. */
  get setAside(): readonly string[] {
    return this.#setAside;
  }

  of(thread: ViewThread): string {
    return this.#drafts[nameOf(thread)] ?? '';
  }

  /** Keeps what is written on a thread; the oldest of too many drafts is set aside. */
  set(thread: ViewThread, text: string): void {
    const name = nameOf(thread);
    const { [name]: _, ...others } = this.#drafts;
    const all = Object.entries(text === '' ? others : { ...others, [name]: text });
    for (const [, old] of all.slice(0, -MOST_DRAFTS)) this.#putAside(old);
    this.#drafts = Object.fromEntries(all.slice(-MOST_DRAFTS));
    this.#write();
  }

  /** Keeps a text that makes way for another one. */
  keepAside(text: string): void {
    if (text.trim() === '') return;
    this.#putAside(text);
    this.#write();
  }

  /** A text is on its way to the host. */
  handOver(text: string): void {
    // Two on their way: the earlier one can be recalled, whatever becomes of it.
    if (this.#handedOver !== undefined) this.#putAside(this.#handedOver);
    this.#handedOver = text;
    this.#write();
  }

  /** The host has taken a text, or has given it back. */
  arrived(text: string): void {
    if (this.#handedOver !== text) return;
    this.#handedOver = undefined;
    this.#write();
  }

  /** Follows the thread that is shown. Answers with words that were on their way and are not on it, such as after a crash. */
  show(thread: ViewThread): string | undefined {
    this.#thread = thread.key;
    const sent = this.#handedOver;
    this.#handedOver = undefined;
    this.#write();
    return sent === undefined || isOn(thread, sent) ? undefined : sent;
  }

  /** What arrived with a change of the shown thread. */
  follow(thread: ViewThread): void {
    if (this.#handedOver !== undefined && isOn(thread, this.#handedOver)) this.arrived(this.#handedOver);
  }

  /** The first question gives a thread its place among the others, and what is written meanwhile belongs to it. */
  rename(before: ViewThread, now: ViewThread): void {
    const [from, to] = [nameOf(before), nameOf(now)];
    if (from !== NEW_THREAD || to === NEW_THREAD || before.key !== now.key) return;
    const { [from]: text, ...others } = this.#drafts;
    this.#drafts = text === undefined ? others : { ...others, [to]: text };
    this.#write();
  }

  /** The draft of a thread that is no longer there; it belongs to no thread any more. */
  takeFrom(key: string): string {
    const { [key]: text = '', ...others } = this.#drafts;
    this.#drafts = others;
    this.#write();
    return text;
  }

  #putAside(text: string): void {
    this.#setAside = [...this.#setAside.filter((kept) => kept !== text), text].slice(-MOST_SET_ASIDE);
  }

  #write(): void {
    const handedOver = this.#handedOver === undefined ? {} : { handedOver: this.#handedOver };
    this.#save({ thread: this.#thread, drafts: this.#drafts, setAside: this.#setAside, ...handedOver });
  }
}

/** Under which name the draft of a thread is kept. */
function nameOf(thread: ViewThread): string {
  return thread.turns.length === 0 && thread.earlier === 0 ? NEW_THREAD : thread.key;
}

/** Whether a text is the last question of a thread or waits on it. */
function isOn({ turns, queued }: ViewThread, text: string): boolean {
  return turns.at(-1)?.head.prompt === text || queued.some((question) => question.text === text);
}
