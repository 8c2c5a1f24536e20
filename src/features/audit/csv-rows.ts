import { exportAuditLog } from '#api/resources/audit.ts';
import { brokenStream } from '#api/streams/byte-stream.ts';

/**
 * Reads CSV (RFC 4180) as it arrives, in batches of complete rows; a quoted field may contain commas, quotes and line ends. If
 * the last row is cut off, throws `PlatformError` after the complete rows.
 */
export async function* csvRows(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<readonly (readonly string[])[], void> {
  const decoder = new TextDecoder();
  const parser = new CsvParser();
  for await (const chunk of bytes) {
    const rows = parser.take(decoder.decode(chunk, { stream: true }));
    if (rows.length > 0) yield rows;
  }
  const rest = parser.take(decoder.decode());
  if (rest.length > 0) yield rest;
  if (parser.isCut) throw brokenStream(exportAuditLog);
  const last = parser.take('', true);
  if (last.length > 0) yield last;
}

type State = 'start' | 'plain' | 'quoted' | 'quote';

/** Buffers incomplete rows. */
class CsvParser {
  #state: State = 'start';
  #field = '';
  #row: string[] = [];
  /** The number of fields of the first row. */
  #width: number | undefined;

  /** Whether the input ends in an open quote or in a row with fewer fields than the first. */
  get isCut(): boolean {
    const isBegun = this.#state !== 'start' || this.#row.length > 0;
    return this.#state === 'quoted' || (isBegun && this.#row.length + 1 < (this.#width ?? 0));
  }

  /** Returns the rows that `text` completes; `ends`: no text follows. */
  take(text: string, ends = false): readonly (readonly string[])[] {
    const rows: (readonly string[])[] = [];
    let at = 0;
    while (at < text.length) at = this.#step(text, at, rows);
    if (ends && (this.#state !== 'start' || this.#row.length > 0)) this.#endRow(rows);
    return rows;
  }

  /** Reads one delimiter or a run of field text; returns the offset after it. */
  #step(text: string, at: number, rows: (readonly string[])[]): number {
    if (this.#state === 'quoted') {
      const quote = text.indexOf('"', at);
      this.#field += quote === -1 ? text.slice(at) : text.slice(at, quote);
      if (quote !== -1) this.#state = 'quote';
      return quote === -1 ? text.length : quote + 1;
    }
    const mark = text[at];
    if (mark === '"' && this.#state !== 'plain') return this.#quote(at);
    if (mark === ',') this.#endField();
    else if (mark === '\n') this.#endRow(rows);
    // The first character of a CRLF line end. A field contains a single one only in quotes.
    else if (mark !== '\r') return this.#plain(text, at);
    return at + 1;
  }

  #quote(at: number): number {
    if (this.#state === 'quote') this.#field += '"';
    this.#state = 'quoted';
    return at + 1;
  }

  #plain(text: string, at: number): number {
    plainEnd.lastIndex = at;
    const end = plainEnd.exec(text)?.index ?? text.length;
    this.#field += text.slice(at, end);
    this.#state = 'plain';
    return end;
  }

  #endField(): void {
    this.#row.push(this.#field);
    this.#field = '';
    this.#state = 'start';
  }

  #endRow(rows: (readonly string[])[]): void {
    const isBlankLine = this.#row.length === 0 && this.#field === '' && this.#state === 'start';
    this.#endField();
    if (!isBlankLine) {
      this.#width ??= this.#row.length;
      rows.push(this.#row);
    }
    this.#row = [];
  }
}

const plainEnd = /[,\r\n]/g;
