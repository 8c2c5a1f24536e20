import { joinedBytes } from '#base/bytes.ts';
import { unescapeBytes } from './json-bytes.ts';

/** One file of a branch; `bytes` is its text in UTF-8, undefined if the server lists the file without content. */
export interface FileContent {
  readonly path: string;
  readonly bytes: Uint8Array | undefined;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;
const COMMA = 0x2c;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;

/** Longer names cannot be relevant. */
const NAME_BYTES = 64 * 1024;
/** Longer contents cannot be a single string. */
const CONTENT_BYTES = 256 * 1024 * 1024;

interface Level {
  readonly isObject: boolean;
  key: string | undefined;
  path: string | undefined;
  /** The content as JSON text, without its quotes. */
  content: Uint8Array | undefined;
}

/**
 * Finds `{"path": …, "content": …}` objects at any depth in JSON that arrives in chunks (the platform sends a nested
 * tree, other servers a flat list). The rest of the text is neither decoded nor stored.
 */
export class FileScanner {
  readonly #wants: (path: string) => boolean;
  readonly #levels: Level[] = [];
  readonly #parts: Uint8Array[] = [];
  #length = 0;
  #inString = false;
  /** Whether the next character of the string is escaped. */
  #escaped = false;
  #keeps = false;
  #seen = false;
  #sawContent = false;
  #strange = false;

  /** @param wants whether the content of a path is needed; called with the path without a leading slash */
  constructor(wants: (path: string) => boolean) {
    this.#wants = wants;
  }

  /** Whether any file had content, wanted or not. */
  get sawContent(): boolean {
    return this.#sawContent;
  }

  /** How the text ended, after all of it was pushed. */
  get end(): 'whole' | 'cutOff' | 'notJson' {
    if (this.#strange) return 'notJson';
    if (this.#inString || this.#levels.length > 0) return 'cutOff';
    return this.#seen ? 'whole' : 'cutOff';
  }

  /** Scans another chunk; yields the wanted files whose objects ended in it. */
  *push(chunk: Uint8Array): Generator<FileContent, void> {
    for (let at = 0; at < chunk.length && !this.#strange;) {
      if (this.#inString) {
        at = this.#readString(chunk, at);
        continue;
      }
      const file = this.#step(chunk[at] ?? 0);
      if (file) yield file;
      at += 1;
    }
  }

  #step(byte: number): FileContent | undefined {
    const top = this.#levels.at(-1);
    switch (byte) {
      case QUOTE:
        this.#beginString(top);
        break;
      case OPEN_OBJECT:
      case OPEN_ARRAY:
        this.#seen = true;
        this.#levels.push({ isObject: byte === OPEN_OBJECT, key: undefined, path: undefined, content: undefined });
        break;
      case CLOSE_OBJECT:
      case CLOSE_ARRAY:
        return this.#close(byte === CLOSE_OBJECT);
      case COMMA:
        if (top) top.key = undefined;
        break;
      case COLON:
        break;
      default:
        // Text outside of any object or array is not a valid response; inside, it is a number or a literal.
        if (!top && byte > 0x20 && byte !== 0xef && byte !== 0xbb && byte !== 0xbf) this.#strange = true;
    }
    return undefined;
  }

  #close(isObject: boolean): FileContent | undefined {
    const level = this.#levels.pop();
    if (level?.isObject !== isObject) {
      this.#strange = true;
      return undefined;
    }
    const { path, content } = level;
    if (path === undefined || !this.#wants(path)) return undefined;
    return { path, bytes: content && unescapeBytes(content) };
  }

  #beginString(top: Level | undefined): void {
    this.#inString = true;
    this.#parts.length = 0;
    this.#length = 0;
    // A bare string is not a valid response.
    this.#strange ||= top === undefined;
    const { key } = top ?? {};
    const unneeded = top?.path !== undefined && !this.#wants(top.path);
    this.#keeps = top?.isObject === true && (key === undefined || key === 'path' || (key === 'content' && !unneeded));
  }

  /** Reads the string's bytes up to its end or that of the chunk; returns the position to continue at. */
  #readString(chunk: Uint8Array, from: number): number {
    const end = this.#endOfString(chunk, from);
    if (this.#keeps) this.#keep(chunk.subarray(from, end === -1 ? chunk.length : end));
    if (end === -1) return chunk.length;
    this.#inString = false;
    this.#endString();
    return end + 1;
  }

  /** Returns the position of the quote that ends the string, or -1. */
  #endOfString(chunk: Uint8Array, from: number): number {
    for (let at = from; ;) {
      const quote = chunk.indexOf(QUOTE, at);
      const stop = quote === -1 ? chunk.length : quote;
      let slash = stop;
      while (slash > at && chunk[slash - 1] === BACKSLASH) slash -= 1;
      // A run of backslashes at the start of this chunk may have begun in the previous one.
      const odd = (stop - slash) % 2 === 1;
      const escaped = slash === at && this.#escaped ? !odd : odd;
      this.#escaped = quote === -1 && escaped;
      if (quote === -1) return -1;
      if (!escaped) return quote;
      at = quote + 1;
      this.#escaped = false;
    }
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length;
    const most = this.#levels.at(-1)?.key === 'content' ? CONTENT_BYTES : NAME_BYTES;
    if (this.#length > most) {
      this.#keeps = false;
      this.#parts.length = 0;
    } else this.#parts.push(part);
  }

  #endString(): void {
    const top = this.#levels.at(-1);
    if (!top?.isObject) return;
    const { key } = top;
    const bytes = this.#keeps ? joinedBytes(this.#parts) : undefined;
    this.#parts.length = 0;
    if (key === undefined) top.key = (bytes && decode(bytes)) ?? '';
    else if (key === 'path') top.path = bytes && normalized(decode(bytes) ?? '');
    else if (key === 'content') {
      this.#sawContent = true;
      top.content = bytes;
    }
  }
}

/** Removes the slash that the platform puts before a path. */
function normalized(path: string): string {
  return path.startsWith('/') ? path.slice(1) : path;
}

/** Decodes a JSON string; returns undefined if it is invalid. */
function decode(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  if (!text.includes('\\')) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return undefined;
  }
}
