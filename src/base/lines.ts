/** Raised when one line grows past the limit; nothing of it is kept. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines at 0x0A and decodes each whole line as UTF-8. Chunks are kept in a list and joined once
 * a line, so a line of many megabytes costs its length once; a cut inside a character is harmless because 0x0A never
 * occurs inside one. A trailing CR is dropped; a last line without newline is delivered by `end`.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder();
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `maxBytes`: the longest line that is accepted (default 64 MiB). */
  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and returns the lines they completed. */
  push(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, at));
      lines.push(this.#take());
      start = at + 1;
    }
    // A copy: the producer may reuse the memory of its chunk.
    if (start < chunk.length) this.#keep(chunk.slice(start));
    return lines;
  }

  /** The last line, when the stream ended without a newline. */
  end(): string | undefined {
    return this.#size > 0 ? this.#take() : undefined;
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.#parts = [];
      this.#size = 0;
      throw new LineTooLongError(`A line is longer than ${this.#maxBytes} bytes.`);
    }
    this.#parts.push(part);
  }

  #take(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first ? first : join(this.#parts, this.#size);
    this.#parts = [];
    this.#size = 0;
    const end = bytes.at(-1) === 0x0d ? bytes.length - 1 : bytes.length;
    return this.#decoder.decode(end === bytes.length ? bytes : bytes.subarray(0, end));
  }
}

function join(parts: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
