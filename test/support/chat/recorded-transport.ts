import { readFileSync } from 'node:fs';
import { type ChatEvent, parseChatLine } from '#api/streams/chat-messages.ts';
import type { ChatTransport, TurnRequest } from '#chat-core/ports.ts';

type Recording = 'by-status' | 'by-month' | 'model';

/** Returns the lines of a stream that was recorded from the local platform. */
export function recordedLines(name: Recording): readonly unknown[] {
  const file = new URL(`../../fixtures/chat/${name}.ndjson`, import.meta.url);
  return readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
}

/** Answers each question with given lines; from `heldFrom` on, it holds them back until the turn is aborted. */
export class RecordedTransport implements ChatTransport {
  readonly requests: TurnRequest[] = [];
  readonly aborts: string[] = [];
  #answers: (readonly unknown[])[] = [];
  #heldFrom = Infinity;
  #aborted = Promise.withResolvers<void>();

  /** Sets the answer to the next question. */
  answer(lines: readonly unknown[], heldFrom = Infinity): void {
    this.#answers.push(lines);
    this.#heldFrom = heldFrom;
    this.#aborted = Promise.withResolvers();
  }

  send(request: TurnRequest): Promise<AsyncIterable<readonly ChatEvent[]>> {
    this.requests.push(request);
    return Promise.resolve(this.#play(this.#answers.shift() ?? [], request));
  }

  read(): Promise<AsyncIterable<readonly ChatEvent[]>> {
    return Promise.resolve(this.#play([], undefined));
  }

  abort(chatId: string): Promise<void> {
    this.aborts.push(chatId);
    this.#aborted.resolve();
    return Promise.resolve();
  }

  async *#play(lines: readonly unknown[], request: TurnRequest | undefined): AsyncGenerator<readonly ChatEvent[]> {
    for (const [at, line] of lines.entries()) {
      if (at >= this.#heldFrom) {
        await this.#aborted.promise;
        yield [{ kind: 'aborted' }];
        return;
      }
      const event = parseChatLine(line);
      // The recorded echo contains the recorded turn's id; this turn has its own.
      const isEcho = event.kind === 'message' && event.message.role === 'user';
      if (isEcho && request) yield [{ kind: 'message', message: { ...event.message, id: request.messageId } }];
      else if (event.kind === 'state')
        yield [{ ...event, messages: event.messages.filter(({ role }) => role !== 'user') }];
      else yield [event];
    }
  }
}
