import { spend } from '#model/syntax/work.ts';

/** A correction that was needed to make sense of a half-typed script. */
export interface Correction {
  readonly kind: 'open' | 'comma' | 'surplus' | 'value' | 'quote';
  /** Its position: the bracket that nothing closes, the position of a missing comma, … */
  readonly start: number;
  readonly end: number;
}

export interface Balanced {
  /** As long as the original, except for brackets added at its end. */
  readonly text: string;
  readonly corrections: readonly Correction[];
}

interface Open {
  readonly char: string;
  readonly at: number;
  /** Indentation of the line that contains it. */
  readonly indent: number;
  /** Whether the next token is on a line of its own. */
  readonly endsLine: boolean;
}

const CLOSING: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };
/** A line that begins with the key of an object. */
const KEY_LINE = /^[ \t]*(?:[\w$]+|'[^'\n]*'|"[^"\n]*")[ \t]*:/;
/** A line that cannot be SQL: a key with a JavaScript value, or a closing bracket. */
const CODE_LINE = /^[ \t]*(?:[\w$]+[ \t]*:[ \t]*(?:[`'"{[(]|true\b|false\b|\d)|[}\])]+(?:[,;][,;)]*)?[ \t]*$)/;

/**
 * Inserts brackets, quotes and commas where the indentation suggests that they are missing. It assumes that the user's lines mean
 * what they look like; a parser decides whether the result can be read.
 */
export function balance(text: string): Balanced {
  return new Balancer(text).run();
}

class Balancer {
  readonly #text: string;
  readonly #out: string[];
  readonly #stack: Open[] = [];
  readonly #corrections: Correction[] = [];
  /** Offset of the last character that is neither space nor comment. */
  #last = -1;
  #indent = 0;

  constructor(text: string) {
    this.#text = text;
    this.#out = [...Array(text.length).keys()].map((at) => text[at] ?? '');
  }

  run(): Balanced {
    for (let at = 0; at < this.#text.length;) {
      if (at === 0 || this.#text[at - 1] === '\n') this.#line(at);
      at = this.#step(at);
    }
    this.#value();
    const closing = this.#stack.toReversed().map((open) => this.#close(open));
    return { text: this.#out.join('') + closing.join(''), corrections: this.#corrections };
  }

  /** Handles the start of a line: inserts what should have ended above. */
  #line(start: number): void {
    const line = this.#lineAt(start);
    const indent = line.search(/\S/);
    if (indent === -1 || line.startsWith('//', indent) || line.startsWith('*', indent)) return;
    this.#indent = indent;
    const isClosing = '}])'.includes(line[indent] ?? '');
    const isKey = KEY_LINE.test(line);
    let missing = '';
    for (let top = this.#stack.at(-1); top && isAbove(top, indent, isClosing, isKey); top = this.#stack.at(-1)) {
      this.#stack.pop();
      missing += this.#close(top);
    }
    if (missing === '' && !isClosing && !isKey) return;
    this.#value();
    if (missing !== '' || isKey) missing = this.#operand() + missing;
    this.#insert(isClosing ? missing : missing + this.#comma(missing, start + indent), start + indent);
  }

  /** Returns the comma missing between a line and the one above. */
  #comma(missing: string, at: number): string {
    const isSeparated = this.#last === -1 || ',{[(;'.includes(this.#out[this.#last] ?? '');
    if (this.#stack.length === 0 || (missing === '' && isSeparated)) return '';
    if (missing === '') this.#corrections.push({ kind: 'comma', start: at, end: at + 1 });
    return ',';
  }

  #close({ char, at }: Open): string {
    this.#corrections.push({ kind: 'open', start: at, end: at + 1 });
    return CLOSING[char] ?? '';
  }

  /** Writes a text into the space before an offset; does nothing if there is too little space. */
  #insert(missing: string, before: number): void {
    let from = before;
    while (from > 0 && before - from < missing.length && /\s/.test(this.#out[from - 1] ?? '')) from--;
    if (before - from < missing.length) return;
    for (let index = 0; index < missing.length; index++) this.#out[from + index] = missing[index] ?? '';
  }

  #step(at: number): number {
    const char = this.#text[at] ?? '';
    const behind = this.#comment(at);
    if (behind > at) return behind;
    if (this.#isKey(at)) this.#insert(this.#comma('', at), at);
    if (char === "'" || char === '"') return this.#quoted(at, char);
    if (char === '`') return this.#template(at);
    if (CLOSING[char] !== undefined) {
      const endsLine = /^\s*(?:\/\/.*)?$/.test(this.#lineAt(at + 1));
      this.#stack.push({ char, at, indent: this.#indent, endsLine });
    } else if (char === '}' || char === ']' || char === ')') this.#closing(at, char);
    else if (char === ',') this.#value();
    if (/\S/.test(char)) this.#last = at;
    return at + 1;
  }

  /** Checks whether a key begins directly after a value, on the same line. */
  #isKey(at: number): boolean {
    const isBehind = '`\'")]}'.includes(this.#out[this.#last] ?? ' ') && /\s/.test(this.#out[at - 1] ?? '');
    return (
      isBehind &&
      this.#stack.at(-1)?.char === '{' &&
      /[\w$'"]/.test(this.#text[at] ?? '') &&
      KEY_LINE.test(this.#lineAt(at))
    );
  }

  #closing(at: number, char: string): void {
    this.#value();
    this.#insert(this.#operand(), at);
    spend(this.#stack.length);
    const fits = this.#stack.findLastIndex((open) => CLOSING[open.char] === char);
    if (fits === -1) {
      this.#out[at] = ' ';
      this.#corrections.push({ kind: 'surplus', start: at, end: at + 1 });
      return;
    }
    const missing = this.#stack.splice(fits + 1).toReversed();
    this.#insert(missing.map((open) => this.#close(open)).join(''), at);
    this.#stack.pop();
  }

  /** Completes `type:` and `CUBE.` that lack what follows: drops the last character. */
  #value(): void {
    const char = this.#out[this.#last];
    if (char !== ':' && char !== '.') return;
    this.#corrections.push({ kind: 'value', start: this.#last, end: this.#last + 1 });
    this.#out[this.#last] = ' ';
    while (this.#last >= 0 && !/\S/.test(this.#out[this.#last] ?? '')) this.#last--;
  }

  /** Returns the operand that an operator at the end of a line lacks. */
  #operand(): string {
    return '=>+-*/?&|'.includes(this.#out[this.#last] ?? ' ') ? '0' : '';
  }

  #quoted(start: number, quote: string): number {
    const line = this.#lineAt(start);
    for (let at = 1; at < line.length; at++) {
      if (line[at] === '\\') at++;
      else if (line[at] === quote) {
        this.#last = start + at;
        return start + at + 1;
      }
    }
    return this.#unclosed(start, line);
  }

  /** Treats a quote that is unclosed on its line as an empty string; the text after it is not read. */
  #unclosed(start: number, line: string): number {
    this.#corrections.push({ kind: 'quote', start, end: start + line.length });
    const comma = /,\s*$/.exec(line);
    const end = start + (comma ? comma.index : line.length);
    for (let at = start; at < end; at++) this.#out[at] = ' ';
    if (end - start >= 2) {
      this.#out[start] = '"';
      this.#out[start + 1] = '"';
      this.#last = start + 1;
    }
    return end;
  }

  #template(start: number): number {
    const end = this.#endOfTemplate(start + 1, this.#indent);
    if (end === -1) return this.#unclosed(start, this.#lineAt(start));
    this.#last = end - 1;
    return end;
  }

  /** Returns the offset after the quote that closes a template; -1 if lines of code come first. */
  #endOfTemplate(from: number, indent: number): number {
    let depth = 0;
    for (let at = from; at < this.#text.length; at++) {
      spend(1);
      const char = this.#text[at];
      if (char === '\\') at++;
      else if (char === '`' && depth === 0) return at + 1;
      else if (char === '`') {
        const end = this.#endOfTemplate(at + 1, indent);
        if (end === -1) return -1;
        at = end - 1;
      } else if (char === '$' && this.#text[at + 1] === '{') depth++;
      else if (char === '}' && depth > 0) depth--;
      else if (char === '\n') {
        const line = this.#lineAt(at + 1);
        if (line.search(/\S/) <= indent && CODE_LINE.test(line)) return -1;
      }
    }
    return -1;
  }

  #lineAt(start: number): string {
    const end = this.#text.indexOf('\n', start);
    spend((end === -1 ? this.#text.length : end) - start);
    return this.#text.slice(start, end === -1 ? this.#text.length : end);
  }

  /** Returns the offset after a comment. */
  #comment(at: number): number {
    if (this.#text.startsWith('//', at)) return at + this.#lineAt(at).length;
    if (!this.#text.startsWith('/*', at)) return at;
    const end = this.#text.indexOf('*/', at + 2);
    return end === -1 ? this.#text.length : end + 2;
  }
}

/** Checks whether a bracket must have been closed above a line. A continuation may begin at any column, a key may not. */
function isAbove({ char, endsLine, indent: own }: Open, indent: number, isClosing: boolean, isKey: boolean): boolean {
  if (isClosing) return indent < own;
  return (indent <= own && (endsLine || isKey)) || (isKey && char !== '{' && !endsLine);
}
