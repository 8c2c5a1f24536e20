import * as v from 'valibot';
import type { ViewOwner, ViewThread } from '#features/chat/messages.ts';

/** The number of threads whose drafts are stored in the view's state. */
const MOST_DRAFTS = 20;
/** The number of replaced drafts that are stored. */
const MOST_SET_ASIDE = 20;
/** The name of the draft of a thread without questions: its own key does not outlive the window. */
const NEW_THREAD = 'new';

/** The owner of texts that no account has written: those of a user who is not signed in, and those of earlier versions. */
const NO_ACCOUNT = '0 ';

const Texts = v.object({
  /** One draft per thread. */
  drafts: v.optional(v.record(v.string(), v.string()), {}),
  /** The texts that were replaced by others, oldest first. */
  setAside: v.optional(v.array(v.string()), []),
  /** The text that was sent to the host but is not shown on the thread yet. */
  handedOver: v.optional(v.string()),
});
type Texts = v.InferOutput<typeof Texts>;

const Saved = v.object({
  ...Texts.entries,
  thread: v.optional(v.string()),
  switched: v.optional(v.record(v.string(), v.boolean()), {}),
  /** Whose texts these are: when the account was erased last, a space, and its id. */
  owner: v.optional(v.string(), NO_ACCOUNT),
  /** The texts of other owners. */
  others: v.optional(v.record(v.string(), Texts), {}),
});
type Saved = v.InferOutput<typeof Saved>;

const NOTHING: Texts = { drafts: {}, setAside: [], handedOver: undefined };

/**
 * The unsent texts that the user wrote in this view: one draft per thread, and the texts that were replaced by others. All are
 * stored in the view's state, so they survive the page, the extension host and the window. Each account has its own. A text is
 * dropped only when the user deletes it or erases the account, or when the thread shows it as a question.
 */
export class Drafts {
  readonly #save: (state: unknown) => void;
  #saved: Saved = { ...NOTHING, thread: undefined, switched: {}, owner: NO_ACCOUNT, others: {} };

  constructor(saved: unknown, save: (state: unknown) => void) {
    this.#save = save;
    const read = v.safeParse(Saved, saved);
    if (read.success) this.#saved = read.output;
  }

  /** The key of the thread that was shown last. */
  get thread(): string | undefined {
    return this.#saved.thread;
  }

  /** The replaced texts, oldest first. */
  get setAside(): readonly string[] {
    return this.#saved.setAside;
  }

  /** The kinds of context that the user has switched on or off. */
  get switched(): Readonly<Record<string, boolean>> {
    return this.#saved.switched;
  }

  /** Stores the choice for a kind of context, and returns all of them. */
  switchContext(kind: string, isOn: boolean): Readonly<Record<string, boolean>> {
    this.#write({ switched: { ...this.switched, [kind]: isOn } });
    return this.switched;
  }

  of(thread: ViewThread): string {
    return this.#saved.drafts[nameOf(thread)] ?? '';
  }

  /**
   * Shows the texts of an account only, and forgets those of erased ones. What was written without an account becomes the account's. Returns whether
   * the owner is another one now.
   */
  own({ account, erased }: ViewOwner): boolean {
    const isErased = (key: string): boolean =>
      Number.parseInt(key, 10) < (erased[key.slice(key.indexOf(' ') + 1)] ?? 0);
    const { owner: before, others, drafts, setAside, handedOver } = this.#saved;
    const owner = `${erased[account] ?? 0} ${account}`;
    const all = Object.entries({ ...others, [before]: { drafts, setAside, handedOver } });
    const { [owner]: own = NOTHING, ...rest } = Object.fromEntries(all.filter(([key]) => !isErased(key)));
    this.#write({ ...own, owner, others: rest });
    if (owner === before) return false;
    if (account !== '') this.#adopt();
    return true;
  }

  /** Stores the draft of a thread; beyond the limit, the oldest draft is set aside. */
  set(thread: ViewThread, text: string): void {
    const name = nameOf(thread);
    const { [name]: _, ...others } = this.#saved.drafts;
    const all = Object.entries(text === '' ? others : { ...others, [name]: text });
    const setAside = added(this.setAside, ...all.slice(0, -MOST_DRAFTS).map(([, old]) => old));
    this.#write({ drafts: Object.fromEntries(all.slice(-MOST_DRAFTS)), setAside });
  }

  /** Stores a text that another one replaces. */
  keepAside(text: string): void {
    this.#write({ setAside: added(this.setAside, text) });
  }

  /** Records that a text is on its way to the host. */
  handOver(text: string): void {
    if (text === '') return;
    // With two on their way, the earlier one can be recalled whatever happens to it.
    this.#write({ setAside: added(this.setAside, this.#saved.handedOver), handedOver: text });
  }

  /** Records that the host has accepted a text or has returned it. */
  arrived(text: string): void {
    if (this.#saved.handedOver === text) this.#write({ handedOver: undefined });
  }

  /** Follows the shown thread. Returns the text that was on its way and is not on the thread, such as after a crash. */
  show(thread: ViewThread): string | undefined {
    const sent = this.#saved.handedOver;
    this.#write({ thread: thread.key, handedOver: undefined });
    return sent === undefined || isOn(thread, sent) ? undefined : sent;
  }

  /** Records the text on its way as arrived if the shown thread now has it. */
  follow(thread: ViewThread): void {
    const { handedOver } = this.#saved;
    if (handedOver !== undefined && isOn(thread, handedOver)) this.arrived(handedOver);
  }

  /** Moves the draft of a new thread to the thread's own key once its first question gives it a place in the list. */
  rename(before: ViewThread, now: ViewThread): void {
    const [from, to] = [nameOf(before), nameOf(now)];
    if (from !== NEW_THREAD || to === NEW_THREAD || before.key !== now.key) return;
    const { [from]: text, ...drafts } = this.#saved.drafts;
    if (text !== undefined) this.#write({ drafts: { ...drafts, [to]: text } });
  }

  /** Removes and returns the draft of a thread that no longer exists. Those of other accounts are put aside. */
  takeFrom(key: string): string {
    const { [key]: text = '', ...drafts } = this.#saved.drafts;
    const others = { ...this.#saved.others };
    for (const [owner, texts] of Object.entries(others)) others[owner] = withoutThread(texts, key);
    this.#write({ drafts, others });
    return text;
  }

  /** Adds what was written without an account to the owner's texts. A thread shows what was written last, before the sign-in. */
  #adopt(): void {
    const { drafts, handedOver, others } = this.#saved;
    const { [NO_ACCOUNT]: unowned = NOTHING, ...rest } = others;
    const replaced = Object.keys(unowned.drafts).map((name) => drafts[name]);
    this.#write({
      drafts: { ...drafts, ...unowned.drafts },
      setAside: added(this.setAside, ...replaced, ...unowned.setAside, unowned.handedOver && handedOver),
      // Earlier versions stored an empty text here.
      handedOver: unowned.handedOver || handedOver,
      others: rest,
    });
  }

  #write(change: Partial<Saved>): void {
    this.#saved = { ...this.#saved, ...change };
    this.#save(this.#saved);
  }
}

/** Returns the name under which a thread's draft is stored. */
function nameOf(thread: ViewThread): string {
  return thread.turns.length === 0 && thread.earlier === 0 ? NEW_THREAD : thread.key;
}

/** Returns the replaced texts with more of them; each is there once. */
function added(setAside: readonly string[], ...texts: readonly (string | undefined)[]): string[] {
  const more = texts.filter((text) => text !== undefined && text.trim() !== '') as string[];
  return [...new Set([...setAside, ...more].toReversed())].slice(0, MOST_SET_ASIDE).toReversed();
}

function withoutThread(texts: Texts, key: string): Texts {
  const { [key]: text, ...drafts } = texts.drafts;
  return text === undefined ? texts : { ...texts, drafts, setAside: added(texts.setAside, text) };
}

/** Whether a text is the last question of a thread or is queued on it. */
function isOn({ turns, queued }: ViewThread, text: string): boolean {
  return turns.at(-1)?.head.prompt === text || queued.some((question) => question.text === text);
}
