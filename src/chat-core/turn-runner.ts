import type { ChatEvent } from '#api/streams/chat-messages.ts';
import { CancelledError } from '#base/async.ts';
import type { Clock } from '#base/clock.ts';
import { interruptible } from '#base/interruptible.ts';
import type { Logger } from '#base/log.ts';
import type { Store } from '#base/store.ts';
import { type RetryPolicy, backoff, defaultRetry, whileOffline } from './backoff.ts';
import { type Fold, endReplay, fold, mayFollowEnd, openFold } from './fold.ts';
import { Pauses, sleep } from './pauses.ts';
import type { ChatTransport } from './ports.ts';
import { abortNote, retryDecision, problemOfLine, lostUnnamedNote, unexpectedProblem, unnamedNote } from './problem.ts';
import { type ChatThread, finalMessage, isFinal } from './thread.ts';
import type { TurnPhase } from './turn-phase.ts';
import { TurnRecord } from './turn-record.ts';
import { Watchdog } from './watchdog.ts';

export interface TurnPorts {
  readonly transport: ChatTransport;
  readonly clock: Clock;
  /** In [0, 1). */
  readonly random: () => number;
  readonly logger: Logger;
  readonly retry?: RetryPolicy | undefined;
}

/** How a connection ended: with the end of the turn, or such that another connection is needed. */
type Ending = 'ended' | 'dropped' | 'suspended' | 'unanswered';

/** The outcome of an attempt; `isOffline`: the platform was not reached at all. */
interface Attempt {
  readonly ending: Ending;
  readonly message: string;
  readonly waitMs?: number | undefined;
  readonly isOffline?: boolean | undefined;
}

/** After a stop: how long to wait for the thread's id, for the response to the abort, and for the rest of the stream. */
const CHAT_ID_WAIT_MS = 10_000;
const ABORT_WAIT_MS = 10_000;
const READ_ON_MS = 3_000;

/**
 * Runs one turn from sending to its end: follows the stream, attaches again when a connection breaks (same `messageId`), and
 * stops. All results go into the thread's store. A runner is used for one turn once.
 */
export class TurnRunner {
  readonly #ports: TurnPorts;
  readonly #thread: Store<ChatThread>;
  readonly #turnId: string;
  readonly #record: TurnRecord;
  /** Ends every wait and request of this runner. */
  readonly #end = new AbortController();
  /** The pauses between attempts; a stop ends them. */
  readonly #pauses: Pauses;
  readonly #chatIdKnown = Promise.withResolvers<string>();
  /** Resolves when the turn is over for the user, while its connection stays open to learn which thread to stop. */
  readonly #closedUnnamed = Promise.withResolvers<void>();
  readonly #finished = Promise.withResolvers<void>();
  #stopped = false;
  #stopping: Promise<void> | undefined;
  /** Whether the last attempt was sent and its outcome is unknown. */
  #isLost = false;
  /** Whether the platform responded to the current attempt, with whatever result. */
  #isReached = false;
  /** Whether a part of the chat arrived in the current attempt. */
  #isHeard = false;

  constructor(ports: TurnPorts, thread: Store<ChatThread>, turnId: string) {
    this.#ports = ports;
    this.#pauses = new Pauses(ports.clock);
    this.#thread = thread;
    this.#turnId = turnId;
    this.#record = new TurnRecord(thread, turnId, ports.clock);
  }

  /** Sends the turn (`fresh`), or resumes it: then it first asks the platform for the state of the turn. */
  async run(fresh: boolean): Promise<void> {
    await Promise.race([this.#untilEnded(fresh), this.#closedUnnamed.promise]);
    await this.#stopping;
  }

  async #untilEnded(fresh: boolean): Promise<void> {
    try {
      await this.#tryUntilEnded(fresh);
    } catch (error) {
      if (!this.#end.signal.aborted && !this.#stopped) this.#record.fail(unexpectedProblem(error));
    } finally {
      this.#finished.resolve();
    }
  }

  /**
   * Stops the answer (docs/chat.md#stopping). The phase is `stopping` when this returns its promise, which resolves when the
   * platform has responded or the waits are over.
   */
  stop(): Promise<void> {
    if (!this.#stopping && this.#record.isRunning) {
      this.#stopped = true;
      this.#record.patch({ phase: 'stopping', quiet: false });
      this.#pauses.end();
      this.#stopping = this.#stopOnPlatform();
    }
    return this.#stopping ?? Promise.resolve();
  }

  /** Starts the next attempt now, because the network may be back. */
  hurry(): void {
    this.#pauses.cutShort();
  }

  /** Disconnects without stopping: the answer continues on the platform and can be resumed. */
  detach(): void {
    this.#end.abort(new CancelledError());
    this.#pauses.end();
  }

  async #tryUntilEnded(fresh: boolean): Promise<void> {
    const policy = this.#ports.retry ?? defaultRetry;
    let ask = !fresh;
    for (let attempt = 1; ; attempt += 1) {
      const heard = this.#record.heard;
      const outcome = await this.#attempt(ask);
      if (outcome.ending === 'ended' || this.#stopped || this.#end.signal.aborted) return;
      // The platform does not have the turn: send it at once, there is nothing to wait for.
      ask = outcome.ending === 'dropped';
      if (outcome.ending === 'unanswered') {
        attempt -= 1;
        continue;
      }
      if (this.#record.heard > heard) attempt = 1;
      const bounds = outcome.isOffline === true ? whileOffline(policy) : policy;
      if (attempt >= bounds.tries) {
        this.#record.fail({ kind: 'unreachable', message: outcome.message });
        return;
      }
      const note = outcome.isOffline === true ? outcome.message : undefined;
      this.#record.patch({ phase: 'reconnecting', quiet: false, note });
      this.#ports.logger.info('Retrying a chat turn', { attempt, ending: outcome.ending });
      await this.#pauses.pause(backoff(bounds, attempt, this.#ports.random(), outcome.waitMs));
      if (this.#stopped || this.#end.signal.aborted) return;
    }
  }

  async #attempt(ask: boolean): Promise<Attempt> {
    this.#isReached = false;
    this.#isHeard = false;
    const message = 'The connection to the platform broke and could not be restored.';
    try {
      const { chatId } = this.#thread.value;
      const ending = ask && chatId !== undefined ? await this.#ask(chatId) : await this.#follow();
      this.#isLost = ending === 'dropped';
      return { ending, message };
    } catch (error) {
      const verdict = retryDecision(error, this.#record.heard > 0 && !this.#isHeard);
      this.#isLost = verdict.kind === 'again';
      if (this.#stopped || this.#end.signal.aborted) return { ending: 'ended', message };
      if (verdict.kind === 'again') {
        const isOffline = verdict.isOffline && !this.#isReached;
        return { ending: 'dropped', message: verdict.message, waitMs: verdict.waitMs, isOffline };
      }
      this.#record.fail(verdict.problem);
      return { ending: 'ended', message };
    }
  }

  /** Sends the turn or attaches to it, and follows the stream to its end. */
  async #follow(): Promise<Ending> {
    const turn = this.#record.turn;
    const connection = this.#connect();
    try {
      const { chatId } = this.#thread.value;
      const request = { input: turn.prompt, messageId: turn.id, chatId, branch: turn.branch };
      const batches = await this.#ports.transport.send(request, connection.signal);
      this.#isReached = true;
      let state = openFold(this.#thread.value, turn.id);
      let ending: Ending = 'dropped';
      for await (const batch of interruptible(batches, connection.signal)) {
        connection.touch();
        this.#isHeard ||= batch.length > 0;
        for (const event of batch) {
          if (ending === 'ended' && !mayFollowEnd(event)) continue;
          const began = state.staged === undefined;
          state = this.#take(state, event);
          ending = this.#endingOf(event, began) ?? ending;
        }
        if (ending === 'suspended') break;
        if (ending === 'ended') connection.expire();
      }
      return ending;
    } catch (error) {
      // The turn ended before the connection broke: nothing is missing.
      if (!this.#record.isRunning) return 'ended';
      throw connection.reasonOf(error);
    } finally {
      connection.dispose();
    }
  }

  /** Reads the thread from the platform: the turn may have ended while there was no connection. */
  async #ask(chatId: string): Promise<Ending> {
    const connection = this.#connect();
    try {
      const batches = await this.#ports.transport.read(chatId, connection.signal);
      this.#isReached = true;
      let state = openFold(this.#thread.value, this.#turnId);
      const reported = new Set<string>();
      for await (const batch of interruptible(batches, connection.signal)) {
        connection.touch();
        this.#isHeard ||= batch.length > 0;
        for (const event of batch) {
          if (event.kind === 'cutoff' && event.isStreaming) return 'unanswered';
          if (event.kind === 'error') throw new Error(event.message);
          if (event.kind === 'message') reported.add(event.message.id);
          if (event.kind === 'state') event.messages.forEach(({ id }) => reported.add(id));
          state = fold(state, event);
        }
      }
      if (this.#stopped || this.#end.signal.aborted) return 'ended';
      if (!reported.has(this.#turnId)) return 'unanswered';
      return this.#adopt(endReplay(state), reported);
    } catch (error) {
      throw connection.reasonOf(error);
    } finally {
      connection.dispose();
    }
  }

  /** Adopts the messages that the platform has of a turn that it has ended. */
  #adopt(state: Fold, told: ReadonlySet<string>): Ending {
    this.#thread.set(state.thread);
    const { messages } = this.#record.turn;
    const last = messages.at(-1);
    const answer = finalMessage(this.#record.turn) ?? last;
    const isLost = answer?.isInProcess === true && !told.has(answer.id);
    if (!last) this.#record.fail({ kind: 'failed', message: 'The platform has the question, but no answer to it.' });
    else if (isLost)
      this.#record.fail({ kind: 'failed', message: 'The platform stopped in the middle of this answer.' });
    else if (last.isInProcess && !messages.toArray().some(isFinal))
      this.#close('stopped', 'The answer was stopped elsewhere.');
    else this.#close('complete');
    return 'ended';
  }

  /** Folds an event into the thread. After the user has stopped, only the thread's id still matters. */
  #take(state: Fold, event: ChatEvent): Fold {
    if (this.#end.signal.aborted) return state;
    const current = { ...state, thread: this.#thread.value };
    if (this.#stopped) {
      if (event.kind === 'cutoff' && event.chatId !== undefined) this.#named(event.chatId);
      return current;
    }
    const next = fold(current, event);
    this.#thread.set(next.thread);
    if (next.thread.chatId !== undefined) this.#chatIdKnown.resolve(next.thread.chatId);
    if (event.kind !== 'ignored' && this.#record.isWaiting)
      this.#record.patch({ phase: 'streaming', quiet: false, note: undefined });
    return next;
  }

  /**
   * Stores the thread's id after a stop, unless another question was asked since: it starts a separate thread on the platform.
   */
  #named(chatId: string): void {
    const thread = this.#thread.value;
    if (thread.turns.at(-1)?.id === this.#turnId) this.#thread.set({ ...thread, chatId });
    this.#chatIdKnown.resolve(chatId);
  }

  /** Returns how an event ends the turn, if it does, and records the outcome. */
  #endingOf(event: ChatEvent, began: boolean): Ending | undefined {
    switch (event.kind) {
      case 'state':
        if (event.isStreaming) return undefined;
        this.#close('complete');
        return 'ended';
      case 'aborted':
        this.#close('stopped', 'The answer was stopped elsewhere.');
        return 'ended';
      case 'error':
        this.#record.fail(problemOfLine(event.message, event.code, began));
        return 'ended';
      case 'suspended':
        return 'suspended';
      default:
        return undefined;
    }
  }

  async #stopOnPlatform(): Promise<void> {
    let isOver = false;
    const over = this.#finished.promise.then(() => {
      isOver = true;
    });
    await Promise.race([this.#whenChatId(), over, this.#wait(CHAT_ID_WAIT_MS)]);
    const { chatId } = this.#thread.value;
    if (chatId === undefined && !isOver && !this.#end.signal.aborted) {
      this.#record.close('stopped', unnamedNote);
      this.#closedUnnamed.resolve();
      void this.#stopOnceNamed();
      return;
    }
    const lost = this.#isLost ? lostUnnamedNote : undefined;
    const note = chatId === undefined ? lost : await this.#abortOnPlatform(chatId);
    this.#end.abort(new CancelledError());
    this.#close('stopped', note);
  }

  /** Reads on only to learn the thread's id; the connection gives up when nothing arrives. */
  async #stopOnceNamed(): Promise<void> {
    const chatId = await Promise.race([this.#whenChatId(), this.#finished.promise]);
    if (chatId !== undefined) {
      const note = await this.#abortOnPlatform(chatId);
      const isHere = this.#thread.value.turns.some(({ id }) => id === this.#turnId);
      if (isHere && !this.#end.signal.aborted) this.#record.patch({ note });
    }
    this.#end.abort(new CancelledError());
  }

  /** Asks the platform to stop the answer; resolves to a note for the user if that was not confirmed. */
  async #abortOnPlatform(chatId: string): Promise<string | undefined> {
    if (this.#end.signal.aborted) return undefined;
    const { clock, transport, logger } = this.#ports;
    const limit = new AbortController();
    try {
      const sent = transport.abort(chatId, limit.signal);
      await Promise.race([sent, clock.sleep(ABORT_WAIT_MS, limit.signal).then(() => Promise.reject(new Error()))]);
      await Promise.race([this.#finished.promise, this.#wait(READ_ON_MS)]);
      return undefined;
    } catch (error) {
      const note = abortNote(error);
      logger.warn('A stop was not confirmed', { reason: note });
      return note;
    } finally {
      limit.abort(new CancelledError());
    }
  }

  #whenChatId(): Promise<string> {
    const { chatId } = this.#thread.value;
    return chatId === undefined ? this.#chatIdKnown.promise : Promise.resolve(chatId);
  }

  #connect(): Watchdog {
    return new Watchdog(this.#ports.clock, this.#end.signal, (quiet) => {
      if (!this.#stopped && this.#record.isRunning) this.#record.patch({ quiet });
    });
  }

  #wait(ms: number): Promise<void> {
    return sleep(this.#ports.clock, ms, this.#end.signal);
  }

  /** Ends the turn, unless it is being stopped: then the stop ends it, with the platform's response. */
  #close(phase: Extract<TurnPhase, 'complete' | 'stopped'>, note?: string): void {
    if (this.#record.turn.phase === 'stopping' && (phase === 'complete' || !this.#end.signal.aborted)) return;
    this.#record.close(phase, note);
  }
}
