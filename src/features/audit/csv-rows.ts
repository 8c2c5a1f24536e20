import { exportAuditLog } from '#api/audit.ts';
import { brokenStream } from '#api/byte-stream.ts';

/**
 * Reads CSV (RFC 4180) as it comes: whole rows, in batches; a quoted field may hold commas, quotes and line ends. Throws
 * `PlatformError` after the whole rows where the last one is cut off.
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
  if (parser.isCut) throw brokenStream(exportAuditLog.id);
  const last = parser.take('', true);
  if (last.length > 0) yield last;
}

type State = 'start' | 'plain' | 'quoted' | 'quote';

/** Keeps what is not a whole row yet. */
class CsvParser {
  #state: State = 'start';
  #field = '';
  #row: string[] = [];
  /** How many fields the first row has. */
  #width: number | undefined;

  /** A field whose quote is open, or a last row with fewer fields than the first. */
  get isCut(): boolean {
    const isBegun = this.#state !== 'start' || this.#row.length > 0;
    return this.#state === 'quoted' || (isBegun && this.#row.length + 1 < (this.#width ?? 0));
  }

  /** The rows that `text` completes; `ends`: nothing follows. */
  take(text: string, ends = false): readonly (readonly string[])[] {
    const rows: (readonly string[])[] = [];
    let at = 0;
    while (at < text.length) at = this.#step(text, at, rows);
    if (ends && (this.#state !== 'start' || this.#row.length > 0)) this.#endRow(rows);
    return rows;
  }

  /** Reads one field's part or one mark; answers where it ends. */
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
    // A line end of two characters; alone it is part of a field only in quotes.
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
