import { parsedJson } from '#base/json.ts';
import { brokenStream } from '#api/streams/byte-stream.ts';
import { getLogs } from '#api/resources/runtime.ts';
import { isObject } from '#api/schema.ts';
import { UserError } from '#shell/user-error.ts';
import type { LogLine } from './log-tail.ts';

const quote = 0x22;
const backslash = 0x5c;
const opens = new Set([0x7b, 0x5b]);
const closes = new Set([0x7d, 0x5d]);

/**
 * Parses the rows of a log response as they arrive, a batch for each chunk, so that a response of many megabytes never blocks the
 * host. Rows are the objects of the outermost array, even if the server wraps it. Throws `UserError` if there is no array, and
 * `PlatformError` if the response is cut off.
 */
export async function* logRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly LogLine[], void> {
  const decoder = new TextDecoder();
  const cutter = new RowCutter();
  for await (const chunk of bytes) {
    const rows = cutter.take(chunk).flatMap((row) => lineOf(decoder.decode(row)));
    if (rows.length > 0) yield rows;
  }
  // The missing rows may be older than the received ones and would not be requested again.
  if (!cutter.isWhole) throw brokenStream(getLogs);
  if (!cutter.hasList) throw new UserError('The platform’s answer is not a log. Try again.');
}

/** Parses a row; empty for anything else. */
function lineOf(json: string): readonly LogLine[] {
  const row: unknown = parsedJson(json);
  if (!isObject(row) || typeof row['message'] !== 'string') return [];
  return [
    { date: text(row['date']), pod: text(row['pod']), container: text(row['container']), message: row['message'] },
  ];
}

const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);

/** Extracts the objects of the outermost array from a stream of JSON. */
class RowCutter {
  #depth = 0;
  /** The depth of the array's objects, once it was found. */
  #rowDepth: number | undefined;
  #isText = false;
  #isEscaped = false;
  /** The beginning of a row that continues in the next chunk. */
  #begun: Uint8Array[] = [];

  get hasList(): boolean {
    return this.#rowDepth !== undefined;
  }

  /** Whether all brackets and strings are closed. */
  get isWhole(): boolean {
    return this.#depth <= 0 && !this.#isText;
  }

  take(chunk: Uint8Array): readonly Uint8Array[] {
    const rows: Uint8Array[] = [];
    let start = this.#begun.length > 0 ? 0 : -1;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at] ?? 0;
      if (this.#isText) {
        this.#inText(byte);
      } else if (byte === quote) {
        this.#isText = true;
      } else if (opens.has(byte)) {
        if (this.#opens(byte)) start = at;
      } else if (closes.has(byte)) {
        if (this.#depth === this.#rowDepth && start !== -1) {
          rows.push(this.#whole(chunk.subarray(start, at + 1)));
          start = -1;
        }
        this.#depth -= 1;
      }
    }
    if (start !== -1) this.#begun.push(chunk.slice(start));
    return rows;
  }

  #inText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === backslash) this.#isEscaped = true;
    else if (byte === quote) this.#isText = false;
  }

  /** Whether a row begins here. */
  #opens(byte: number): boolean {
    this.#depth += 1;
    if (byte === 0x5b) this.#rowDepth ??= this.#depth + 1;
    return byte === 0x7b && this.#depth === this.#rowDepth;
  }

  #whole(end: Uint8Array): Uint8Array {
    if (this.#begun.length === 0) return end;
    const parts = [...this.#begun, end];
    this.#begun = [];
    const whole = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
    let at = 0;
    for (const part of parts) {
      whole.set(part, at);
      at += part.length;
    }
    return whole;
  }
}
