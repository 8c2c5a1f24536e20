import { parseChatLine } from '#api/streams/chat-messages.ts';
import type { ChatEvent } from '#api/streams/chat-messages.ts';
import { PlatformError } from '#api/errors.ts';
import type { ChatTransport, TurnRequest } from '#chat-core/ports.ts';

/** One message line as a server streams it. */
export interface Line {
  readonly id: string;
  readonly role: 'user' | 'assistant';
  readonly content?: string;
  readonly thinking?: string;
  readonly isDelta?: boolean;
  readonly isInProcess?: boolean;
  readonly toolCall?: { readonly name: string; readonly input?: string; readonly result?: string };
  readonly graphPath?: readonly string[];
}

export interface ServerOptions {
  /** The answer's lines, in order; the server adds `sort`. */
  readonly script: readonly Line[];
  /** How many lines each connection delivers before it breaks; later connections hold. */
  readonly cuts?: readonly number[];
  /** How many script steps the answer continues without a listener, after each break. */
  readonly progress?: readonly number[];
  /** Repeats each live line once. */
  readonly duplicates?: boolean;
  /** Whether history is replayed as the original deltas or as whole messages. */
  readonly replay?: 'deltas' | 'whole';
  /** Whether `sort` counts events, so that repeats can be recognized, or is left out. */
  readonly sort?: boolean;
  readonly onAbort?: () => void | Promise<void>;
}

/** A chat server in memory that stores a thread and serves it over connections that break as scripted. */
export class ScriptedServer implements ChatTransport {
  readonly requests: TurnRequest[] = [];
  readonly aborts: string[] = [];
  reads = 0;
  readonly #options: ServerOptions;
  #messageId: string | undefined;
  #prompt = '';
  #done = 0;
  #connections = 0;
  #aborted = false;
  /** Releases lines one at a time, for tests that stop in the middle. */
  gate: (() => Promise<void>) | undefined;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** The server's state of the answer, as whole messages. */
  get truth(): Map<string, { text: string; thinking: string; toolCall: Line['toolCall'] }> {
    return held(this.#options.script.slice(0, this.#done));
  }

  get isStreaming(): boolean {
    return this.#messageId !== undefined && !this.#aborted && this.#done < this.#options.script.length;
  }

  async send(request: TurnRequest, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>> {
    this.requests.push(request);
    await Promise.resolve();
    if (this.#messageId === undefined) {
      this.#messageId = request.messageId;
      this.#prompt = request.input;
    } else if (this.#messageId !== request.messageId) {
      throw conflict('Streaming for thread is in progress');
    }
    return this.#serve(signal);
  }

  async read(_chatId: string, signal: AbortSignal): Promise<AsyncIterable<readonly ChatEvent[]>> {
    this.reads += 1;
    await Promise.resolve();
    return this.#history(signal);
  }

  async abort(chatId: string): Promise<void> {
    this.aborts.push(chatId);
    await this.#options.onAbort?.();
    this.#aborted = true;
  }

  async *#history(signal: AbortSignal): AsyncGenerator<readonly ChatEvent[]> {
    signal.throwIfAborted();
    yield this.#replayed();
    yield [this.#cutoff()];
  }

  async *#serve(signal: AbortSignal): AsyncGenerator<readonly ChatEvent[]> {
    const connection = this.#connections++;
    const cut = this.#options.cuts?.[connection] ?? Infinity;
    let sent = 0;
    const attached = this.#done > 0;
    const head = attached ? this.#replayed() : [];
    for (const event of [...head, this.#cutoff(), ...(attached ? [] : [this.#echo()])]) {
      if (sent++ >= cut) {
        this.#drop(connection);
        return;
      }
      yield [event];
    }
    // Each connection has a position of its own: what one has received, another one may still wait for.
    for (let at = this.#done; at < this.#options.script.length && !this.#aborted; at += 1) {
      await this.gate?.();
      if (signal.aborted) throw signal.reason as Error;
      if (sent++ >= cut) {
        this.#drop(connection);
        return;
      }
      this.#done = Math.max(this.#done, at + 1);
      const event = this.#event(this.#options.script[at] as Line, at + 1);
      yield this.#options.duplicates === true ? [event, event] : [event];
    }
    yield [
      this.#aborted
        ? { kind: 'aborted' }
        : parseChatLine({ id: '__state__', state: { isStreaming: false, messages: [] } }),
    ];
    yield [parseChatLine({ id: '__usage__', totalTokens: 7 })];
  }

  /** Continues the answer without a listener. */
  #drop(connection: number): void {
    const more = this.#options.progress?.[connection] ?? 0;
    this.#done = Math.min(this.#options.script.length, this.#done + more);
  }

  #cutoff(): ChatEvent {
    return parseChatLine({ id: '__cutoff__', state: { chatId: 'chat-1', isStreaming: this.isStreaming } });
  }

  #echo(): ChatEvent {
    return parseChatLine({ id: this.#messageId, role: 'user', content: this.#prompt, isDelta: false });
  }

  #replayed(): ChatEvent[] {
    const past = this.#options.script.slice(0, this.#done);
    if (this.#options.replay !== 'whole') return [this.#echo(), ...past.map((line, at) => this.#event(line, at + 1))];
    const whole = [...held(past)].map(([id, { text, thinking, toolCall }]) =>
      this.#event({ id, role: 'assistant', content: text, thinking, ...(toolCall ? { toolCall } : {}) }, this.#done),
    );
    return [this.#echo(), ...whole];
  }

  #event(line: Line, sort: number): ChatEvent {
    const isInProcess = line.isInProcess === true && this.isStreaming;
    return parseChatLine({ ...line, isInProcess, ...(this.#options.sort === false ? {} : { sort }) });
  }
}

function held(lines: readonly Line[]): Map<string, { text: string; thinking: string; toolCall: Line['toolCall'] }> {
  const all = new Map<string, { text: string; thinking: string; toolCall: Line['toolCall'] }>();
  for (const { id, content = '', thinking = '', toolCall, isDelta } of lines) {
    const known = isDelta === true ? all.get(id) : undefined;
    all.set(id, {
      text: (known?.text ?? '') + content,
      thinking: (known?.thinking ?? '') + thinking,
      toolCall: toolCall ?? known?.toolCall,
    });
  }
  return all;
}

function conflict(message: string): PlatformError {
  return new PlatformError({ kind: 'conflict', operation: 'streamChat', message, status: 409 });
}
