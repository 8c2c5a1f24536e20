import { mapLimited } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { type Disposable, DisposableStore } from '#base/disposable.ts';
import { isEqual } from '#base/equal.ts';
import { Emitter, type Event } from '#base/event.ts';
import type { Logger } from '#base/log.ts';
import { type Result, err, ok } from '#base/result.ts';
import { type ReadonlyStore, Store } from '#base/store.ts';
import type { ChatFiles, ChatTarget, TargetState } from './ports.ts';
import { type Asked, askedTurn, withAsked } from './asked-turn.ts';
import { mayFollow, nextQueued, queuedOf, withHeldQueue, withQueued, withoutQueued } from './queue.ts';
import { type ThreadSummary, summaryOf } from './records.ts';
import { lastQuestion } from './running-turn.ts';
import { ofAccount } from './scope.ts';
import { type SendRefusal, sendRefusalOf } from './send-refusal.ts';
import {
  type ChatThread,
  type ChatTurn,
  type EndedTurn,
  emptyThread,
  isAhead,
  isRunning,
  titleOf,
  withForeignTurn,
  withTurn,
} from './thread.ts';
import { type FoundThread, foundIn } from './thread-search.ts';
import { TranscriptStore } from './transcript-store.ts';
import { TurnRunner } from './turn-runner.ts';

export interface ChatServiceDeps {
  readonly target: ReadonlyStore<TargetState>;
  readonly files: ChatFiles;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  /** Returns a new unique thread key. */
  readonly newKey: () => string;
  readonly logger: Logger;
}

interface LiveThread {
  readonly store: Store<ChatThread>;
  runner?: TurnRunner | undefined;
  /** Ids of the questions that were queued in this window. */
  readonly queuedHere: Set<string>;
  /** The turn that was stopped in this window: questions that were queued after the stop follow it. */
  stopped?: string | undefined;
}

/**
 * Owns all threads of the window: their state, their streams, their files. Opening or closing views does not affect them: neither
 * closing a view nor closing the window stops an answer.
 */
export class ChatService implements Disposable {
  readonly #deps: ChatServiceDeps;
  readonly #transcripts: TranscriptStore;
  readonly #live = new Map<string, LiveThread>();
  readonly #summaries = new Store<readonly ThreadSummary[]>([], isEqual);
  readonly #changed = new Emitter<ChatThread>();
  readonly #ended = new Emitter<EndedTurn>();
  readonly #removed = new Emitter<string>();
  readonly #store = new DisposableStore();

  constructor(deps: ChatServiceDeps) {
    this.#deps = deps;
    this.#transcripts = new TranscriptStore(deps.files, deps.logger);
    for (const item of [this.#summaries, this.#changed, this.#ended, this.#removed]) this.#store.add(item);
    // Interrupted answers continue as soon as their account is available.
    this.#store.add(deps.target.onDidChange(() => [...this.#live.keys()].forEach((key) => this.resume(key))));
  }

  /** All threads, latest first. */
  readonly threads: ReadonlyStore<readonly ThreadSummary[]> = this.#summaries;
  readonly onDidChangeThread: Event<ChatThread> = this.#changed.event;
  readonly onDidEnd: Event<EndedTurn> = this.#ended.event;
  /** Fires with the key of a thread that this or another window removed. */
  readonly onDidRemove: Event<string> = this.#removed.event;

  get target(): ReadonlyStore<TargetState> {
    return this.#deps.target;
  }

  /** Reads the list of threads, which another window may have changed. */
  async refresh(): Promise<void> {
    for (const key of await this.#transcripts.removedElsewhere()) if (!this.#isAnswering(key)) this.#forget(key);
    const listed = await this.#transcripts.list();
    this.#summaries.update((now) => {
      const mine = now.filter(({ key }) => this.#live.has(key));
      const known = new Set(mine.map(({ key }) => key));
      return [...mine, ...listed.filter(({ key }) => !known.has(key))].sort((a, b) => b.updatedAt - a.updatedAt);
    });
  }

  /** Creates an empty thread for the current target. It is stored once something is sent. */
  create(): ChatThread {
    const { target } = this.#deps;
    const scope = target.value.kind === 'ready' ? target.value.target.scope : '';
    const thread = emptyThread(this.#deps.newKey(), scope, this.#deps.clock.now());
    this.#keep(thread);
    return thread;
  }

  /** Resolves to the key of the current target's thread that the platform knows by this id. */
  async find(chatId: string): Promise<string | undefined> {
    await this.refresh();
    const state = this.#deps.target.value;
    const mine = this.threads.value.filter(({ scope }) => state.kind === 'ready' && scope === state.target.scope);
    for (const { key, chatId: told } of mine) {
      // Indexes of earlier versions do not contain the id.
      const known = told ?? (this.get(key) ?? (await this.#transcripts.read(key)))?.chatId;
      if (known === chatId) return key;
    }
    return undefined;
  }

  /** Fills a new thread with the platform's content; its first question becomes the title. */
  adopt(thread: ChatThread): void {
    const title = titleOf(thread.turns[0]?.prompt ?? '');
    this.#live.get(thread.key)?.store.set({ ...thread, title });
  }

  /** Returns the current thread, if it is loaded. */
  get(key: string): ChatThread | undefined {
    return this.#live.get(key)?.store.value;
  }

  /** Loads a thread, including changes from other windows, and resumes an interrupted answer. */
  async open(key: string): Promise<ChatThread | undefined> {
    await this.#read(key);
    this.resume(key);
    const last = this.get(key)?.turns.at(-1);
    // The user is back, and perhaps the network: after sleep it may return later than the last attempt.
    if (last?.problem?.kind === 'unreachable') this.retry(key, last.id);
    return this.get(key);
  }

  /** Adopts what another window has added to a thread, unless an answer is running in this window. */
  async #read(key: string): Promise<void> {
    if (this.#isAnswering(key)) return;
    await this.#transcripts.load(key, (stored) => {
      if (this.#isAnswering(key)) return false;
      const live = this.#live.get(key);
      if (!live) this.#keep(stored);
      else if (isAhead(stored, live.store.value)) live.store.set(stored);
      else return false;
      return true;
    });
  }

  #isAnswering(key: string): boolean {
    const last = this.get(key)?.turns.at(-1);
    return last !== undefined && isRunning(last);
  }

  /** Resumes an interrupted answer if the thread belongs to the current account and address. */
  resume(key: string): void {
    const turn = this.get(key)?.turns.at(-1);
    if (turn?.phase === 'interrupted') this.#run(key, turn.id, 'reconnecting', false);
  }

  /** Sends a question on a thread, pinned to the active branch. */
  send(key: string, prompt: string, options: { readonly acceptBranch?: boolean } = {}): Result<string, SendRefusal> {
    return this.#send(key, { prompt }, options.acceptBranch ?? false);
  }

  /** Sends a question. One that waited leaves the queue in the same change in which it becomes a turn. */
  #send(key: string, asked: Asked, acceptBranch: boolean): Result<string, SendRefusal> {
    const live = this.#live.get(key);
    const state = this.#deps.target.value;
    if (state.kind === 'missing') return err(state);
    if (!live || asked.prompt.trim() === '') return err({ kind: 'empty' });
    const refusal = sendRefusalOf(live.store.value, state.target, acceptBranch);
    if (refusal) return err(refusal);
    const turn = askedTurn(live.store.value, asked, { branch: state.target.branch, now: this.#deps.clock.now() });
    live.store.update((thread) => withAsked(thread, turn, { waited: asked.waited, scope: state.target.scope }));
    this.#run(key, turn.id, 'sending', true);
    return ok(turn.id);
  }

  /** Queues a question until the running answer of the thread has ended. */
  queue(key: string, prompt: string): void {
    const now = this.#deps.clock.now();
    const live = this.#live.get(key);
    live?.store.update((thread) => withQueued(thread, prompt, now));
    live?.queuedHere.add(live.store.value.queued?.at(-1)?.id ?? '');
  }

  /** Removes a waiting question from the queue and returns it. */
  unqueue(key: string, id: string): string | undefined {
    const question = queuedOf(this.get(key), id);
    this.#live.get(key)?.store.update((thread) => withoutQueued(thread, id));
    return question?.prompt;
  }

  /** Sends a waiting question now; a refused one stays in the queue. */
  sendQueued(key: string, id: string, options: { readonly acceptBranch?: boolean } = {}): Result<string, SendRefusal> {
    const waited = queuedOf(this.get(key), id);
    if (!waited) return err({ kind: 'empty' });
    return this.#send(key, { prompt: waited.prompt, waited }, options.acceptBranch ?? false);
  }

  /** Stops the running answer; the view shows it as stopped when this returns. */
  stop(key: string): Promise<void> {
    const live = this.#live.get(key);
    if (!live) return Promise.resolve();
    live.store.update(withHeldQueue);
    live.stopped = live.store.value.turns.at(-1)?.id;
    return live.runner?.stop() ?? Promise.resolve();
  }

  /**
   * Retries a turn: as the same turn if it never reached the platform or was interrupted, as a new question with the same text if
   * it ended there.
   */
  retry(key: string, turnId: string): Result<string, SendRefusal> {
    const turn = this.get(key)?.turns.find(({ id }) => id === turnId);
    if (!turn) return err({ kind: 'empty' });
    const isLast = this.get(key)?.turns.at(-1) === turn;
    const kind = turn.problem?.kind;
    const open = turn.phase === 'interrupted' || (turn.phase === 'failed' && kind !== 'failed' && kind !== 'gone');
    if (!isLast || !open) return this.send(key, turn.prompt, { acceptBranch: true });
    const unsent = kind === 'refused' || kind === 'credential' || kind === 'busy';
    const started = this.#run(key, turnId, unsent ? 'sending' : 'reconnecting', unsent);
    return started ? ok(turnId) : err({ kind: 'elsewhere' });
  }

  /** Follows the answer that someone else started on the thread (docs/chat.md#errors). */
  async follow(key: string): Promise<Result<void, SendRefusal>> {
    const live = this.#live.get(key);
    const target = this.#targetOf(live?.store.value);
    const chatId = live?.store.value.chatId;
    const question = target && chatId !== undefined ? await lastQuestion(target.transport, chatId) : undefined;
    if (!live || !question) return err({ kind: 'notFollowed' });
    live.store.update((thread) => withForeignTurn(thread, question.id, question.prompt));
    this.#run(key, question.id, 'reconnecting', false);
    return ok(undefined);
  }

  /** Retries answers that wait for the network now, because it may be back. */
  hurry(): void {
    for (const { runner } of this.#live.values()) runner?.hurry();
  }

  async rename(key: string, title: string): Promise<void> {
    await this.open(key);
    this.#live.get(key)?.store.update((thread) => ({ ...thread, title: titleOf(title) }));
  }

  /** Removes a thread here and stops a running answer. The platform keeps its copy. */
  async remove(key: string): Promise<void> {
    void this.stop(key);
    this.#forget(key);
    await this.#transcripts.remove(key);
  }

  /** Removes all threads here, of every account, and stops running answers. */
  async removeAll(): Promise<void> {
    await this.refresh();
    for (const { key } of this.threads.value) await this.remove(key);
  }

  /** Removes threads without activity since a time, in milliseconds since the epoch, except those with running answers. */
  async removeOlder(since: number): Promise<void> {
    await this.refresh();
    const old = this.threads.value.filter(({ key, updatedAt }) => updatedAt < since && !this.#isAnswering(key));
    for (const { key } of old) await this.remove(key);
  }

  /** Resolves to the threads whose questions or answers contain the text, latest first. */
  async search(query: string): Promise<readonly FoundThread[]> {
    const found = await mapLimited(this.threads.value, 4, async ({ key }) => {
      const thread = this.get(key) ?? (await this.#transcripts.read(key));
      return thread && foundIn(thread, query);
    });
    return found.filter((each) => each !== undefined);
  }

  /** Writes all pending changes. */
  async flush(): Promise<void> {
    await Promise.all([...this.#live.values()].map(({ store }) => this.#save(store.value)));
  }

  /** Forgets the threads of an account whose transcripts are deleted, so that they are not written again. */
  forgetAccount(accountId: string): void {
    for (const { key } of this.threads.value.filter(ofAccount(accountId))) {
      this.#live.get(key)?.runner?.detach();
      this.#forget(key);
    }
  }

  /** Disconnects all streams without stopping any answer. */
  dispose(): void {
    for (const { runner } of this.#live.values()) runner?.detach();
    this.#store.dispose();
  }

  #forget(key: string): void {
    const wasLive = this.#live.delete(key);
    this.#summaries.update((list) => list.filter((summary) => summary.key !== key));
    if (wasLive) this.#removed.fire(key);
  }

  #keep(thread: ChatThread): void {
    const store = new Store(thread);
    this.#live.set(thread.key, { store, queuedHere: new Set() });
    let before = thread;
    this.#store.add(
      store.onDidChange((now) => {
        this.#onChange(before, now);
        before = now;
      }),
    );
  }

  #onChange(before: ChatThread, now: ChatThread): void {
    this.#changed.fire(now);
    const [was, is] = [summaryOf(before), summaryOf(now)];
    const milestone = !isEqual(was, { ...is, updatedAt: was.updatedAt });
    // A removed thread still receives the end of its answer.
    if (milestone && now.turns.length > 0 && this.#live.has(now.key)) {
      this.#summaries.update((list) => [is, ...list.filter(({ key }) => key !== now.key)]);
    }
    // The outcome of a stop may arrive after the turn has ended.
    const isNoted = before.turns.at(-1)?.note !== now.turns.at(-1)?.note;
    if (milestone || isNoted || before.queued !== now.queued) void this.#save(now);
  }

  async #save(thread: ChatThread): Promise<void> {
    if (thread.turns.length > 0 && this.#live.has(thread.key)) await this.#transcripts.save(thread);
  }

  #targetOf(thread: ChatThread | undefined): ChatTarget | undefined {
    const state = this.#deps.target.value;
    return state.kind === 'ready' && thread?.scope === state.target.scope ? state.target : undefined;
  }

  #run(key: string, turnId: string, phase: 'sending' | 'reconnecting', fresh: boolean): boolean {
    const live = this.#live.get(key);
    const target = this.#targetOf(live?.store.value);
    if (!live || !target) return false;
    const { clock, random, logger } = this.#deps;
    const again = { phase, problem: undefined, note: undefined, endedAt: undefined };
    live.store.update((thread) => withTurn(thread, turnId, (turn) => ({ ...turn, ...again })));
    const runner = new TurnRunner({ transport: target.transport, clock, random, logger }, live.store, turnId);
    live.runner = runner;
    void runner.run(fresh).then(() => this.#finish(key, turnId));
    return true;
  }

  #finish(key: string, turnId: string): void {
    const thread = this.get(key);
    const turn = thread?.turns.find(({ id }) => id === turnId);
    if (!thread || !turn || isRunning(turn)) return;
    this.#ended.fire({ thread, turn });
    void this.#continue(key, turn);
  }

  /**
   * Sends the question that waited for a turn to end. The file is authoritative: another window with the same thread may have
   * sent or removed the question, or stopped the answer. Questions that cannot follow automatically are held for the user.
   */
  async #continue(key: string, ended: ChatTurn): Promise<void> {
    const live = this.#live.get(key);
    if (!live) return;
    // Stopped in another window.
    if (ended.phase === 'stopped' && live.stopped !== ended.id) live.store.update(withHeldQueue);
    await this.#save(live.store.value);
    const next = live.store.value.turns.at(-1)?.id === ended.id ? nextQueued(live.store.value) : undefined;
    if (!next) {
      if (!this.#isAnswering(key)) live.store.update(withHeldQueue);
      return;
    }
    const found = await this.#transcripts.findQueued(key, next.id);
    if (found === 'gone') {
      live.store.update((thread) => withoutQueued(thread, next.id));
      await this.#read(key);
      this.resume(key);
    } else if (
      found !== 'held' &&
      mayFollow(next, live.store.value, live.queuedHere) &&
      this.sendQueued(key, next.id).ok
    )
      return;
    if (!this.#isAnswering(key)) live.store.update(withHeldQueue);
  }
}
