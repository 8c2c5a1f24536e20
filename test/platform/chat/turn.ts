import { Emitter, type Event } from '#base/event.ts';
import { abortReason, isCancelled } from '#base/async.ts';
import { abortedLine, merge, stateLine, usageLine, type Line, type ThreadMessage, type Usage } from './messages.ts';

export type NewLine = Omit<ThreadMessage, 'sort'>;

/** What an agent gets to answer with. */
export interface TurnWriter {
  /** Sends one line to whoever listens and keeps its message. */
  write(line: NewLine): void;
  /** Aborted when the user stops the answer. */
  readonly signal: AbortSignal;
}

interface TurnOptions {
  readonly chatId: string;
  readonly messageId: string;
  /** What the thread held before. */
  readonly history: readonly ThreadMessage[];
  /** Keeps a message that is complete, or as far as it got. */
  readonly save: (message: ThreadMessage) => void;
}

/**
 * One running answer. It belongs to the thread, not to the connection that asked: listeners come and go, the answer
 * continues until it is complete or aborted.
 */
export class Turn {
  readonly chatId: string;
  readonly messageId: string;
  readonly #history: readonly ThreadMessage[];
  readonly #save: (message: ThreadMessage) => void;
  readonly #messages = new Map<string, ThreadMessage>();
  readonly #lines = new Emitter<Line>();
  readonly #ended = new Emitter<undefined>();
  readonly #abort = new AbortController();
  #sort: number;

  constructor(options: TurnOptions) {
    this.chatId = options.chatId;
    this.messageId = options.messageId;
    this.#history = options.history;
    this.#save = options.save;
    this.#sort = options.history.reduce((last, message) => Math.max(last, message.sort), 0);
  }

  readonly onLine: Event<Line> = this.#lines.event;
  readonly onEnd: Event<undefined> = this.#ended.event;

  /** Everything the thread holds by now; the running answer as far as it got. */
  get messages(): readonly ThreadMessage[] {
    return [...this.#history, ...this.#messages.values()];
  }

  abort(): void {
    this.#abort.abort();
  }

  /** Echoes the question, lets the agent answer, and ends the stream whatever happens. Never rejects. */
  async run(question: string, answer: (writer: TurnWriter) => Promise<Usage>): Promise<void> {
    const { signal } = this.#abort;
    this.#write({ id: this.messageId, role: 'user', content: question, isDelta: false, isInProcess: false });
    let usage: Usage = { models: [], llmCalls: 0, inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    try {
      // A stop does not wait for whatever the agent is waiting for; what comes of that later is dropped.
      usage = await Promise.race([answer({ signal, write: (line) => this.#write(line) }), whenAborted(signal)]);
    } catch (error) {
      this.#settle();
      if (!signal.aborted || !isCancelled(error)) {
        const message = error instanceof Error ? error.message : String(error);
        this.#lines.fire({ error: `The agent failed: ${message}` });
      }
    }
    if (signal.aborted) {
      this.#settle();
      this.#lines.fire(abortedLine(this.#nextSort()));
    }
    this.#lines.fire(stateLine(this.chatId, this.messages, this.#nextSort()));
    this.#lines.fire(usageLine(usage, this.#nextSort()));
    this.#ended.fire(undefined);
  }

  #write(line: NewLine): void {
    // A straggler after the stop would repaint what the user sees.
    if (this.#abort.signal.aborted) return;
    this.#publish(line);
  }

  /** Ends messages that were still being written where they are. */
  #settle(): void {
    for (const message of this.#messages.values()) {
      if (message.isInProcess) this.#publish({ ...message, isDelta: false, isInProcess: false });
    }
  }

  #publish(line: NewLine): void {
    const numbered = { ...line, sort: this.#nextSort() };
    const message = merge(this.#messages.get(line.id), numbered);
    this.#messages.set(line.id, message);
    if (!message.isInProcess) this.#save(message);
    this.#lines.fire(numbered);
  }

  #nextSort(): number {
    return ++this.#sort;
  }
}

/** Rejects when the signal is aborted; never resolves. */
function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(abortReason(signal)), { once: true });
  });
}
