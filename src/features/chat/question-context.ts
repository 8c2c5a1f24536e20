import { asError } from '#base/async.ts';
import { type Result, err, ok } from '#base/result.ts';
import type { Attachment } from '#chat-core/attachments.ts';
import { sentLength, sentText, type SplitQuestion, withAttachments } from '#chat-core/attachments.ts';
import type { SendRefusal } from '#chat-core/send-refusal.ts';
import { taskInstructions } from '#chat-core/tasks.ts';
import { type AskedCell, cellAttachment, cellNames, cellQuestion } from '#chat-core/asked-cell.ts';
import type { MessageHandlers, MessageOf } from './handlers.ts';
import type { QuestionSources } from './host.ts';
import type { Mention } from './mentions.ts';
import type { Attached } from './unsent-attachments.ts';
import type { ContextKind, HostToView, ViewAttachment } from './messages.ts';

type ContextMessage = 'attach' | 'detach' | 'mentions' | 'mention' | 'showContext' | 'showAttachment';

/** The context of the next question of one view: its attachments, and the items that the user has open. */
export class QuestionContext {
  readonly #sources: QuestionSources;
  readonly #post: (message: HostToView) => void;
  readonly #keep: (question: Attached) => void;
  #attachments: readonly Attachment[] = [];
  /** The ids of attachments that came with a question from elsewhere, such as *Ask the Agent* on a problem. */
  #askedAbout: ReadonlySet<string> = new Set();
  /** The mentions offered for `@`, by id. */
  readonly #mentions = new Map<string, Mention>();

  /** `keep` remembers the attachments until the question is sent. */
  constructor(
    sources: QuestionSources,
    post: (message: HostToView) => void,
    keep: (question: Attached) => void = () => undefined,
  ) {
    this.#sources = sources;
    this.#post = post;
    this.#keep = keep;
  }

  /** Attaches what was attached before the window was reloaded, before what was attached meanwhile. */
  restore({ attachments, askedAbout }: Attached): void {
    if (attachments.length === 0) return;
    const known = new Set(this.#attachments.map(({ id }) => id));
    const earlier = attachments.filter(({ id }) => !known.has(id));
    if (this.#askedAbout.size === 0) this.#askedAbout = new Set(askedAbout);
    this.#set([...earlier, ...this.#attachments]);
  }

  /** What is attached at the moment. */
  get attached(): Attached {
    return { attachments: this.#attachments, askedAbout: [...this.#askedAbout] };
  }

  /** Shows other attachments: those of the account that the window shows now. */
  replace({ attachments, askedAbout }: Attached): void {
    this.#askedAbout = new Set(askedAbout);
    this.#set(attachments);
  }

  /** Remembers the attachments again, because their view has another name. */
  keepAgain(): void {
    this.#keep(this.attached);
  }

  get handlers(): Pick<MessageHandlers, ContextMessage> {
    const sources = this.#sources;
    return {
      attach: async ({ what }) => {
        const attachment = await sources.pickAttachment(what);
        if (attachment) this.attach(attachment);
      },
      detach: ({ id }) => this.#set(this.#attachments.filter((attached) => attached.id !== id)),
      mentions: (asked) => this.#sendMentions(asked),
      mention: async ({ id }) => {
        const attachment = await this.#mentions.get(id)?.read();
        if (attachment) this.attach(attachment);
      },
      showContext: async ({ kind }) => this.#show((await this.#read([kind]))[0]),
      showAttachment: ({ id }) => this.#show(this.#attachments.find((attached) => attached.id === id)),
    };
  }

  attach(attachment: Attachment): void {
    const others = this.#attachments.filter(({ id }) => id !== attachment.id);
    this.#set([...others, attachment]);
  }

  /** Attaches the subject of a question that is put into the composer, replacing that of an earlier one. */
  askAbout(about: readonly Attachment[]): void {
    const ids = new Set(about.map(({ id }) => id));
    const own = this.#attachments.filter(({ id }) => !this.#askedAbout.has(id));
    // The user's own attachments stay when the question goes.
    this.#askedAbout = new Set([...ids].filter((id) => own.every((attached) => attached.id !== id)));
    this.#set([...own.filter(({ id }) => !ids.has(id)), ...about]);
  }

  /** Attaches a value with the definitions behind it, and resolves to the question about it. */
  async explainCell(cell: AskedCell): Promise<string> {
    const definitions = await this.#sources.definitions(cellNames(cell));
    this.askAbout([cellAttachment(cell), ...definitions]);
    return cellQuestion(cell);
  }

  /** Returns the attachments as a view shows them. */
  get views(): ViewAttachment[] {
    return this.#attachments.map((attachment) => {
      const { id, label, detail, text } = attachment;
      return { id, label, detail, size: text.length, sent: sentLength(attachment) };
    });
  }

  /** Shows in the view what the user has open. */
  postOffers(): void {
    const attached = new Set(this.#attachments.map(({ id }) => id));
    const offers = this.#sources.context.offers().filter(({ id }) => !attached.has(id));
    const context = offers.map(({ kind, label, detail, isOn }) => ({ kind, label, detail, isOn }));
    this.#post({ type: 'context', context });
  }

  /**
   * Resolves to the question with all its attachments. Call `taken` once it is sent: it removes them, and keeps those added
   * meanwhile for the next question.
   */
  async along(
    prompt: string,
    context: readonly ContextKind[],
  ): Promise<Result<{ readonly question: string; readonly taken: () => void }, SendRefusal>> {
    const attached = this.#attachments;
    const task = taskInstructions(prompt);
    try {
      // Without context there is no read to wait for: questions are sent in the order in which they are asked.
      const read = context.length > 0 ? await this.#read(context) : [];
      const known = new Set(attached.map(({ id }) => id));
      const all = [...(task ? [task] : []), ...attached, ...read.filter(({ id }) => !known.has(id))];
      const taken = (): void => this.#set(this.#attachments.filter((each) => !attached.includes(each)));
      return ok({ question: withAttachments(prompt, all), taken });
    } catch (error) {
      return err({ kind: 'context', message: asError(error).message });
    }
  }

  /** Attaches again what belonged to a returned question, except the instructions of its task: the task adds them itself. */
  attachAgain({ question, attached }: SplitQuestion): void {
    const task = taskInstructions(question);
    for (const { name, from, text } of attached)
      if (name !== task?.label || from !== task.detail) this.attach({ id: name, label: name, detail: from, text });
  }

  /** Resolves to the available context of these kinds. */
  async #read(kinds: readonly ContextKind[]): Promise<readonly Attachment[]> {
    const wanted = this.#sources.context.offers().filter(({ kind }) => kinds.includes(kind));
    const read = await Promise.all(wanted.map((offer) => offer.read()));
    return read.filter((attachment) => attachment !== undefined);
  }

  async #show(attachment: Attachment | undefined): Promise<void> {
    if (attachment) await this.#sources.showText(attachment.label, sentText(attachment));
  }

  async #sendMentions({ version, query }: MessageOf<'mentions'>): Promise<void> {
    const found = await this.#sources.mentions(query);
    for (const mention of found) this.#mentions.set(mention.id, mention);
    const mentions = found.map(({ id, kind, label, detail }) => ({ id, kind, label, detail }));
    this.#post({ type: 'mentions', version, mentions });
  }

  #set(attachments: readonly Attachment[]): void {
    this.#attachments = attachments;
    this.keepAgain();
    this.#post({ type: 'attachments', attachments: this.views });
    this.postOffers();
  }
}
