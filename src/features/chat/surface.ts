import { type Attachment, splitAttachments } from '#chat-core/attachments.ts';
import type { SendRefusal } from '#chat-core/send-refusal.ts';
import type { ChatService } from '#chat-core/service.ts';
import { cellText } from '#base/cells.ts';
import { chartRows } from '#chat-core/table.ts';
import { type ChatThread, isRunning } from '#chat-core/thread.ts';
import { type QueryResult, readTool } from '#chat-core/tool-result.ts';
import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import type { Logger } from '#base/log.ts';
import { type HostToView, type ViewHeader, type ViewThreadItem, parseViewToHost } from '#features/chat/messages.ts';
import type { ChatHost, KnownFailures } from '#features/chat/host.ts';
import { sqlAttachment } from '#features/chat/asked-about.ts';
import { ArrangedResults } from '#features/chat/arranged-results.ts';
import { type MessageHandlers, type MessageOf, handle, hostHandlers } from '#features/chat/handlers.ts';
import { ProposalDesk } from '#features/chat/proposal-desk.ts';
import { refusalText } from '#features/chat/refusal-text.ts';
import { QuestionContext } from './question-context.ts';
import { QueuedQuestions } from './queued-questions.ts';
import { UnsentQuestion, type ViewMemory } from './unsent-question.ts';
import { Replica } from '#features/chat/replica.ts';
import { threadHandlers, threadItems } from './thread-list.ts';
import { headerView, threadView } from '#features/chat/view-model.ts';

/** The number of turns that a view shows at first, and by which it grows on request. */
const SHOWN_TURNS = 30;

export interface SurfaceDeps {
  readonly service: ChatService;
  readonly host: ChatHost;
  readonly chartFailures: KnownFailures;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Posts a message to the webview; never awaited, because VS Code may not resolve it. */
  readonly post: (message: HostToView) => void;
  readonly settings: () => Pick<ViewHeader, 'sendWith' | 'fontSize'>;
  readonly memory: ViewMemory;
}

/** One view or editor of the chat: follows one thread of the service and carries out the user's requests. */
export class ChatSurface implements Disposable {
  readonly #deps: SurfaceDeps;
  readonly #store = new DisposableStore();
  readonly #replica: Replica;
  readonly #handlers: MessageHandlers;
  readonly #proposals: ProposalDesk;
  readonly #arranged = new ArrangedResults();
  readonly #context: QuestionContext;
  readonly #queued: QueuedQuestions;
  readonly #unsent: UnsentQuestion;
  #shown = SHOWN_TURNS;
  #listens = false;

  constructor(deps: SurfaceDeps) {
    this.#deps = deps;
    const { service } = deps;
    const postNow = (message: HostToView): void => this.#post(message);
    const desk = { host: deps.host.proposals, thread: () => this.thread, post: postNow };
    this.#proposals = this.#store.add(new ProposalDesk(desk));
    this.#unsent = new UnsentQuestion(deps.memory, () => this.threadKey);
    this.#context = new QuestionContext(deps.host.sources, postNow, (question) => this.#unsent.keep(question));
    this.#queued = new QueuedQuestions({
      service,
      threadKey: () => this.threadKey,
      giveBack: (question) => {
        this.#context.attachAgain(question);
        this.compose(question.question, false);
      },
      refuse: (refusal) => this.#refuse('', refusal),
    });
    this.#handlers = this.#handlersFor(deps);
    const port = {
      post: deps.post,
      snapshot: (thread: ChatThread, epoch: number, seq: number) => this.#snapshot(thread, epoch, seq),
      shownTurns: () => this.#shown,
    };
    this.#replica = this.#store.add(new Replica(port, deps.clock, service.create()));
    this.#store.add(
      service.onDidChangeThread((thread) => {
        if (thread.key !== this.threadKey) return;
        deps.memory.lastThread?.set(thread.key);
        this.#replica.set(thread);
      }),
    );
    this.#store.add(
      service.onDidRemove((key) => {
        if (key === this.threadKey) this.newThread();
      }),
    );
    this.#store.add(service.threads.onDidChange(() => this.#post({ type: 'threads', threads: this.#threads() })));
    this.#store.add(service.target.onDidChange(() => this.refreshHeader()));
    this.#store.add(deps.memory.owner.onDidChange(() => this.#followOwner()));
    this.#store.add(deps.host.sources.context.onDidChange(() => this.#context.postOffers()));
  }

  get threadKey(): string {
    return this.#replica.thread.key;
  }

  get thread(): ChatThread {
    return this.#replica.thread;
  }

  /** Whether the user can see the thread here. */
  get isListening(): boolean {
    return this.#listens;
  }

  /** Handles a message of the webview, which may be invalid. */
  async receive(value: unknown): Promise<void> {
    const message = parseViewToHost(value);
    if (message) await handle(this.#handlers, message);
    else this.#deps.logger.warn('A message of the chat view was not understood');
  }

  /** Stops posting to a hidden webview: VS Code discards its content, and it reports again when it is back. */
  hide(): void {
    this.#listens = false;
    this.#replica.hide();
  }

  /** Picks up changes that another window has made meanwhile. */
  async catchUp(): Promise<void> {
    if (this.#listens && this.thread.turns.length > 0) await this.#deps.service.open(this.threadKey);
  }

  refreshHeader(): void {
    this.#post({ type: 'header', header: this.#header() });
  }

  newThread(): void {
    this.#show(this.#deps.service.create());
  }

  async openThread(key: string): Promise<void> {
    const thread = await this.#deps.service.open(key);
    if (thread) this.#show(thread);
  }

  attach(attachment: Attachment): void {
    this.#context.attach(attachment);
  }

  /** Puts a question with its context into the composer; the user sends it. */
  ask(question: string, about: readonly Attachment[]): void {
    this.#context.askAbout(about);
    this.compose(question, true);
  }

  /** Puts a text into the composer. */
  compose(text: string, replace: boolean): void {
    this.#post({ type: 'compose', text, replace });
  }

  focus(): void {
    this.#post({ type: 'focus' });
  }

  copyLink(): Promise<void> {
    const { scope, chatId, turns } = this.thread;
    return this.#deps.host.threads.copyLink(this.#isElsewhere(scope, turns.length) ? undefined : chatId);
  }

  stop(): void {
    void this.#deps.service.stop(this.threadKey);
  }

  dispose(): void {
    this.#listens = false;
    this.#store.dispose();
  }

  #handlersFor({ service, host, logger }: SurfaceDeps): MessageHandlers {
    return {
      ...hostHandlers(host, logger),
      ...this.#context.handlers,
      ...threadHandlers(service, host.threads, (message) => this.#post(message)),
      ready: ({ thread }) => this.#onReady(thread),
      resync: ({ reason }) => {
        logger.info('The chat view asks for a snapshot', { reason });
        this.#replica.show();
      },
      send: (message) => this.#send(message),
      switchBranch: () => host.switchBranch(),
      explainCell: (asked) => this.#explainCell(asked),
      makeMeasure: ({ turn, id }) => {
        const result = this.#result(turn, id);
        if (result) this.ask('/measure ', [sqlAttachment(id, result)]);
      },
      saveAnswer: ({ turn, id }) => this.#saveAnswer(turn, id),
      stop: () => this.stop(),
      retry: ({ turn }) => {
        const retried = service.retry(this.threadKey, turn);
        if (!retried.ok) this.#refuse('', retried.error);
      },
      queued: (message) => this.#queued.handle(message),
      follow: () => this.#follow(),
      online: () => service.hurry(),
      newThread: () => this.newThread(),
      openThread: ({ key }) => this.openThread(key),
      showEarlier: () => {
        this.#shown += SHOWN_TURNS;
        this.#replica.show();
      },
      rows: (asked) => this.#sendRows(asked),
      chart: ({ turn, id }) => this.#sendChart(turn, id),
      chartFailed: ({ turn, id, reason }) => this.#keepFailure(turn, id, reason),
      tool: (message) => this.#onTool(message),
      proposal: (message) => this.#proposals.handle(message),
      export: () => host.threads.export(this.thread),
      copyLink: () => this.copyLink(),
    };
  }

  /** Shows the unsent question of the account that the window shows now, and has the page forget those of erased ones. */
  #followOwner(): void {
    const attached = this.#unsent.follow(this.#context.attached);
    this.refreshHeader();
    if (attached) this.#context.replace(attached);
  }

  async #onReady(key: string | undefined): Promise<void> {
    const { service, memory } = this.#deps;
    void service.refresh();
    const wanted = this.thread.turns.length > 0 ? this.threadKey : (memory.lastThread?.get() ?? key);
    const found = wanted === undefined ? undefined : await service.open(wanted);
    this.#listens = true;
    if (found) this.#replica.set(found);
    this.#context.restore(this.#unsent.restored(key));
    this.#replica.show();
    this.#context.postOffers();
  }

  async #send({ prompt, branch, context = [] }: MessageOf<'send'>): Promise<void> {
    if (branch === 'newThread') this.newThread();
    const { service } = this.#deps;
    const key = this.threadKey;
    const along = await this.#context.along(prompt, context);
    if (!along.ok) return this.#refuse(prompt, along.error);
    const { question, taken } = along.value;
    const last = service.get(key)?.turns.at(-1);
    if (last && isRunning(last)) {
      service.queue(key, question);
      taken();
      return;
    }
    const sent = service.send(key, question, { acceptBranch: branch === 'switch' });
    if (sent.ok) taken();
    else this.#refuse(prompt, sent.error);
  }

  async #follow(): Promise<void> {
    const followed = await this.#deps.service.follow(this.threadKey);
    if (!followed.ok) this.#refuse('', followed.error);
  }

  #refuse(prompt: string, refusal: SendRefusal): void {
    this.#post({ type: 'refused', prompt, reason: refusal.kind, message: refusalText(refusal) });
  }

  #sendRows({ turn, id, version, offset, count, order, filter }: MessageOf<'rows'>): void {
    const result = this.#result(turn, id);
    if (!result) return;
    const all = this.#arranged.rowsOf(result, { order, filter });
    const rows = all
      .slice(offset, offset + Math.min(count, 1_000))
      .map((row) => result.columns.map((_, at) => cellText(row[at])));
    this.#post({ type: 'rows', turn, id, version, count: all.length, offset, rows });
  }

  #sendChart(turn: string, id: string): void {
    const result = this.#result(turn, id);
    if (result?.vegaSpec !== undefined) {
      const failure = this.#deps.chartFailures.reasonOf(result.vegaSpec);
      this.#post({ type: 'chart', turn, id, spec: result.vegaSpec, rows: chartRows(result), failure });
    }
  }

  async #explainCell({ turn, id, column, cells }: MessageOf<'explainCell'>): Promise<void> {
    const result = this.#result(turn, id);
    if (!result || column >= result.columns.length) return;
    this.compose(await this.#context.explainCell({ result, column, cells }), true);
  }

  async #saveAnswer(turn: string, id: string): Promise<void> {
    const result = this.#result(turn, id);
    const asked = this.thread.turns.find((known) => known.id === turn);
    if (result && asked) await this.#deps.host.results.saveAnswer(splitAttachments(asked.prompt).question, result);
  }

  async #keepFailure(turn: string, id: string, reason: string): Promise<void> {
    const spec = this.#result(turn, id)?.vegaSpec;
    if (spec !== undefined) await this.#deps.chartFailures.set(spec, reason);
  }

  async #onTool({ turn, id, action, format, order, filter }: MessageOf<'tool'>): Promise<void> {
    const result = this.#result(turn, id);
    const { branch } = this.thread.turns.find((known) => known.id === turn) ?? {};
    if (!result) return;
    const rows = this.#arranged.rowsOf(result, { order, filter });
    await this.#deps.host.results.use(action, { ...result, rows }, { branch, format });
  }

  #result(turn: string, id: string): QueryResult | undefined {
    const messages = this.thread.turns.find((known) => known.id === turn)?.messages;
    const call = messages?.get(id)?.toolCall;
    const reading = call && readTool(call);
    return reading?.kind === 'sql' ? reading.result : undefined;
  }

  #show(thread: ChatThread): void {
    this.#shown = SHOWN_TURNS;
    this.#deps.memory.lastThread?.set(thread.key);
    this.#replica.set(thread);
    this.#context.keepAgain();
  }

  #post(message: HostToView): void {
    if (this.#listens) this.#deps.post(message);
  }

  #snapshot(thread: ChatThread, epoch: number, seq: number): HostToView {
    return {
      type: 'snapshot',
      epoch,
      seq,
      thread: threadView(thread, this.#shown, this.#isElsewhere(thread.scope, thread.turns.length)),
      threads: this.#threads(),
      header: this.#header(),
      attachments: this.#context.views,
    };
  }

  #threads(): ViewThreadItem[] {
    return threadItems(this.#deps.service.threads.value, (scope, turns) => this.#isElsewhere(scope, turns));
  }

  /** Whether a thread belongs to another account or address; false while the thread is empty or no target is known. */
  #isElsewhere(scope: string, turns: number): boolean {
    const state = this.#deps.service.target.value;
    return turns > 0 && state.kind === 'ready' && state.target.scope !== scope;
  }

  #header(): ViewHeader {
    const { memory, service, settings } = this.#deps;
    return { ...headerView(service.target.value, settings()), owner: memory.owner.value };
  }
}
