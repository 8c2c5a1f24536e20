import { joinedBytes } from './bytes.ts';

/** Thrown when a line grows past the limit; nothing of the line is kept. */
export class LineTooLongError extends Error {
  override readonly name = 'LineTooLongError';
}

const NEWLINE = 0x0a;

/**
 * Splits a byte stream into lines at 0x0A and decodes them as UTF-8. Chunks are collected and joined once per line, so a line of
 * many megabytes is copied only once; the whole lines inside a chunk are decoded together. Cutting inside a character is harmless
 * because 0x0A never occurs inside one. A trailing CR and a leading byte order mark of a line are dropped; `end` returns a last
 * line without a newline.
 */
export class LineSplitter {
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  readonly #maxBytes: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `maxBytes`: the longest line that is accepted (default 64 MiB). */
  constructor(maxBytes = 64 * 1024 * 1024) {
    this.#maxBytes = maxBytes;
  }

  /** Takes the next bytes and returns the lines that they complete. */
  push(chunk: Uint8Array): string[] {
    const first = chunk.indexOf(NEWLINE);
    if (first === -1) {
      // A copy: the producer may reuse the memory of its chunk.
      if (chunk.length > 0) this.#keep(chunk.slice());
      return [];
    }
    this.#keep(chunk.subarray(0, first));
    const lines = [this.#take()];
    const last = chunk.lastIndexOf(NEWLINE);
    if (last > first) this.#takeInner(chunk.subarray(first + 1, last), lines);
    if (last + 1 < chunk.length) this.#keep(chunk.slice(last + 1));
    return lines;
  }

  /** Returns the last line if the stream ended without a newline. */
  end(): string | undefined {
    return this.#size > 0 ? this.#take() : undefined;
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.#parts = [];
      this.#size = 0;
      throw tooLong(this.#maxBytes);
    }
    this.#parts.push(part);
  }

  #take(): string {
    const [first] = this.#parts;
    const bytes = this.#parts.length === 1 && first ? first : joinedBytes(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return trimmed(this.#decoder.decode(bytes));
  }

  /** Takes whole lines, including the newlines between them. */
  #takeInner(bytes: Uint8Array, lines: string[]): void {
    if (bytes.length > this.#maxBytes) this.#refuseLongLine(bytes);
    const text = this.#decoder.decode(bytes);
    const odd = text.includes('\r') || text.includes('\u{feff}');
    for (const line of text.split('\n')) lines.push(odd ? trimmed(line) : line);
  }

  #refuseLongLine(bytes: Uint8Array): void {
    let start = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
      if (at - start > this.#maxBytes) throw tooLong(this.#maxBytes);
      start = at + 1;
    }
    if (bytes.length - start > this.#maxBytes) throw tooLong(this.#maxBytes);
  }
}

function trimmed(line: string): string {
  const start = line.startsWith('\u{feff}') ? 1 : 0;
  const end = line.endsWith('\r') ? line.length - 1 : line.length;
  return line.slice(start, end);
}

function tooLong(maxBytes: number): LineTooLongError {
  return new LineTooLongError(`A line is longer than ${maxBytes} bytes.`);
}
