import * as v from 'valibot';
import type { ViewThread } from '#features/chat/messages.ts';

/** The number of threads whose drafts are stored in the view's state. */
const MOST_DRAFTS = 20;
/** The number of replaced drafts that are stored. */
const MOST_SET_ASIDE = 20;
/** The name of the draft of a thread without questions: its own key does not outlive the window. */
const NEW_THREAD = 'new';

const Saved = v.object({
  thread: v.optional(v.string()),
  drafts: v.record(v.string(), v.string()),
  setAside: v.optional(v.array(v.string()), []),
  handedOver: v.optional(v.string()),
  switched: v.optional(v.record(v.string(), v.boolean()), {}),
});

/**
 * The unsent texts that the user wrote in this view: one draft per thread, and the texts that were replaced by others. All are
 * stored in the view's state, so they survive the page, the extension host and the window. A text is dropped only when the user
 * deletes it, or when the thread shows it as a question.
 */
export class Drafts {
  readonly #save: (state: unknown) => void;
  #thread: string | undefined;
  #drafts: Readonly<Record<string, string>> = {};
  #setAside: readonly string[] = [];
  /** The text that was sent to the host but is not shown on the thread yet. */
  #handedOver: string | undefined;
  #switched: Readonly<Record<string, boolean>> = {};

  constructor(saved: unknown, save: (state: unknown) => void) {
    this.#save = save;
    const read = v.safeParse(Saved, saved);
    if (!read.success) return;
    const { thread, drafts, setAside, handedOver, switched } = read.output;
    this.#thread = thread;
    this.#drafts = drafts;
    this.#setAside = setAside;
    this.#handedOver = handedOver;
    this.#switched = switched;
  }

  /** The key of the thread that was shown last. */
  get thread(): string | undefined {
    return this.#thread;
  }

  /** The replaced texts, oldest first. */
  get setAside(): readonly string[] {
    return this.#setAside;
  }

  /** The kinds of context that the user has switched on or off. */
  get switched(): Readonly<Record<string, boolean>> {
    return this.#switched;
  }

  /** Stores the choice for a kind of context, and returns all of them. */
  switchContext(kind: string, isOn: boolean): Readonly<Record<string, boolean>> {
    this.#switched = { ...this.#switched, [kind]: isOn };
    this.#write();
    return this.#switched;
  }

  of(thread: ViewThread): string {
    return this.#drafts[nameOf(thread)] ?? '';
  }

  /** Stores the draft of a thread; beyond the limit, the oldest draft is set aside. */
  set(thread: ViewThread, text: string): void {
    const name = nameOf(thread);
    const { [name]: _, ...others } = this.#drafts;
    const all = Object.entries(text === '' ? others : { ...others, [name]: text });
    for (const [, old] of all.slice(0, -MOST_DRAFTS)) this.#putAside(old);
    this.#drafts = Object.fromEntries(all.slice(-MOST_DRAFTS));
    this.#write();
  }

  /** Stores a text that another one replaces. */
  keepAside(text: string): void {
    if (text.trim() === '') return;
    this.#putAside(text);
    this.#write();
  }

  /** Records that a text is on its way to the host. */
  handOver(text: string): void {
    // With two on their way, the earlier one can be recalled whatever happens to it.
    if (this.#handedOver !== undefined) this.#putAside(this.#handedOver);
    this.#handedOver = text;
    this.#write();
  }

  /** Records that the host has accepted a text or has returned it. */
  arrived(text: string): void {
    if (this.#handedOver !== text) return;
    this.#handedOver = undefined;
    this.#write();
  }

  /** Follows the shown thread. Returns the text that was on its way and is not on the thread, such as after a crash. */
  show(thread: ViewThread): string | undefined {
    this.#thread = thread.key;
    const sent = this.#handedOver;
    this.#handedOver = undefined;
    this.#write();
    return sent === undefined || isOn(thread, sent) ? undefined : sent;
  }

  /** Records the text on its way as arrived if the shown thread now has it. */
  follow(thread: ViewThread): void {
    if (this.#handedOver !== undefined && isOn(thread, this.#handedOver)) this.arrived(this.#handedOver);
  }

  /** Moves the draft of a new thread to the thread's own key once its first question gives it a place in the list. */
  rename(before: ViewThread, now: ViewThread): void {
    const [from, to] = [nameOf(before), nameOf(now)];
    if (from !== NEW_THREAD || to === NEW_THREAD || before.key !== now.key) return;
    const { [from]: text, ...others } = this.#drafts;
    this.#drafts = text === undefined ? others : { ...others, [to]: text };
    this.#write();
  }

  /** Removes and returns the draft of a thread that no longer exists. */
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
    this.#save({
      thread: this.#thread,
      drafts: this.#drafts,
      setAside: this.#setAside,
      switched: this.#switched,
      ...handedOver,
    });
  }
}

/** Returns the name under which a thread's draft is stored. */
function nameOf(thread: ViewThread): string {
  return thread.turns.length === 0 && thread.earlier === 0 ? NEW_THREAD : thread.key;
}

/** Whether a text is the last question of a thread or is queued on it. */
function isOn({ turns, queued }: ViewThread, text: string): boolean {
  return turns.at(-1)?.head.prompt === text || queued.some((question) => question.text === text);
}
