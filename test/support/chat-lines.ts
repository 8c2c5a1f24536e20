/** A line of a chat stream, with the fields that tests read. */
export interface ChatLine {
  readonly id?: string;
  readonly role?: string;
  readonly content?: string;
  readonly thinking?: string;
  readonly graphPath?: readonly string[];
  readonly isDelta?: boolean;
  readonly isInProcess?: boolean;
  readonly sort?: number;
  readonly code?: string;
  readonly error?: unknown;
  readonly toolCall?: { readonly name: string; readonly input: string; readonly result?: string };
  readonly state?: { readonly isStreaming: boolean; readonly chatId: string; readonly messages?: readonly ChatLine[] };
  readonly usage?: Readonly<Record<string, unknown>>;
}

/** Resolves to all lines of a stream that ends. */
export async function linesOf(response: Response): Promise<readonly ChatLine[]> {
  const text = await response.text();
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as ChatLine);
}

/** Reads a stream line by line, so that a test can act between two lines. */
export class LineReader {
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('The response has no body.');
    this.#reader = response.body.getReader();
  }

  /** Resolves to the next line; `undefined` at the end. */
  async next(): Promise<ChatLine | undefined> {
    for (;;) {
      const at = this.#rest.indexOf('\n');
      if (at >= 0) {
        const line = this.#rest.slice(0, at);
        this.#rest = this.#rest.slice(at + 1);
        return JSON.parse(line) as ChatLine;
      }
      const { done, value } = await this.#reader.read();
      if (done) return undefined;
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }

  /** Reads up to the first line that matches, and resolves to all lines up to it. */
  async until(wanted: (line: ChatLine) => boolean): Promise<readonly ChatLine[]> {
    const lines: ChatLine[] = [];
    for (let line = await this.next(); line; line = await this.next()) {
      lines.push(line);
      if (wanted(line)) return lines;
    }
    throw new Error('The stream ended before the line that was waited for.');
  }

  async rest(): Promise<readonly ChatLine[]> {
    const lines: ChatLine[] = [];
    for (let line = await this.next(); line; line = await this.next()) lines.push(line);
    return lines;
  }

  /** Closes the connection. */
  async cancel(): Promise<void> {
    await this.#reader.cancel();
  }
}

/** Returns each message after all lines, by the rules of the wire: deltas append, whole messages replace. */
export function messagesOf(
  lines: readonly ChatLine[],
): ReadonlyMap<string, { readonly content: string; readonly thinking: string }> {
  const messages = new Map<string, { content: string; thinking: string }>();
  for (const { id, content = '', thinking = '', isDelta } of lines) {
    if (id === undefined || id.startsWith('__')) continue;
    const known = messages.get(id);
    messages.set(
      id,
      known && isDelta
        ? { content: known.content + content, thinking: known.thinking + thinking }
        : { content, thinking: thinking === '' ? (known?.thinking ?? '') : thinking },
    );
  }
  return messages;
}

/** Returns the final answer's text (docs/chat.md#messages). */
export function finalAnswer(lines: readonly ChatLine[]): string {
  const finals = lines.filter(
    (line) => line.role === 'assistant' && line.graphPath?.[0] === 'final' && line.graphPath.length <= 2,
  );
  return finals.at(-1)?.content ?? '';
}

/** Returns the results of completed tool calls, newest last. */
export function toolResults(lines: readonly ChatLine[], name: string): readonly Readonly<Record<string, unknown>>[] {
  return lines.flatMap(({ toolCall }) =>
    toolCall?.name === name && toolCall.result !== undefined
      ? [JSON.parse(toolCall.result) as Record<string, unknown>]
      : [],
  );
}
