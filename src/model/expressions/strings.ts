import {
  continuesExpression,
  DECLARING,
  isDigit,
  isValueStart,
  isLetter,
  isNameStart,
  isProperty,
  isQuoteAt,
  isSpace,
  namesIn,
  PYTHON,
  RESERVED,
  WORDS,
} from './expression-words.ts';
import { addBracketed, depthAt } from './brackets.ts';
import { openedTextEnd } from './opened-text.ts';
import { droppedLength, isSingleWord, stopsAt } from './skipped-tokens.ts';
import type { Segment } from './segment.ts';
import type { ComputedKeys } from '#model/syntax/computed-keys.ts';
import type { ScalarNode, ScalarStyle } from '#model/syntax/tree.ts';

export type { Segment } from './segment.ts';

/** A dotted path in a string: `CUBE.status`, `orders.users.city`, `FILTER_PARAMS.orders.status.filter`. */
export interface Path {
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
  /** Whether it is alone between its braces: `{CUBE}` rather than `{f(CUBE)}`. */
  readonly whole: boolean;
  /** Followed by `(`: its last segment is a function. */
  readonly call: boolean;
  /** In a function given to `FILTER_PARAMS`, which the engine calls when a query filters, not when it compiles. */
  readonly late: boolean;
}

export interface Braces {
  /** Offset of the opening character(s). */
  readonly start: number;
  /** Offset after the closing brace; the scalar's end if there is none, or the end of the quote that opens a text. */
  readonly end: number;
  readonly closed: boolean;
  /** Whether a quote that nothing closes follows, which the engine accepts in place of the missing brace. */
  readonly opensText?: boolean;
}

export interface Strings {
  readonly paths: readonly Path[];
  readonly braces: readonly Braces[];
}

/** The prefixes of a string's quote. */
const STRING_PREFIX = /^(?:[frbu]|fr|rf|br|rb)$/i;

/** Returns the references inside `{…}` (YAML) or `${…}` (JavaScript) of a template; offsets are those of the text. */
export function readTemplate(text: string, node: ScalarNode, keys?: ComputedKeys): Strings {
  if (!hasTemplate(text, node.start, node.end, node.style)) return { paths: [], braces: [] };
  const reader = new Reader(text, node, false, keys);
  reader.template(node.start, node.end, openerOf(node.style));
  return reader;
}

function openerOf(style: ScalarStyle): string {
  return style === 'template' ? '${' : '{';
}

/** Checks whether a template contains anything to read between two offsets; never reads beyond the end. */
export function hasTemplate(text: string, start: number, end: number, style: ScalarStyle): boolean {
  const opener = openerOf(style);
  const code = opener.charCodeAt(0);
  for (let at = start; at < end; at++) if (text.charCodeAt(at) === code && text.startsWith(opener, at)) return true;
  return false;
}

/** Returns the references of a bare expression: `status`, `CUBE.status`, `"{CUBE}.status"`. */
export function readExpression(text: string, node: ScalarNode): Strings {
  const reader = new Reader(text, node, node.style !== 'code');
  const isText = node.style === 'template' && !node.value.includes('${');
  const quoted = node.style === 'double' || node.style === 'single' || isText;
  const start = quoted ? node.start + 1 : node.style === 'block' ? text.indexOf('\n', node.start) + 1 : node.start;
  const end = quoted ? node.end - 1 : node.end;
  reader.expression(node.style === 'code' ? start : start + droppedLength(text.slice(start, end)), end, start);
  return reader;
}

class Reader implements Strings {
  readonly paths: Path[] = [];
  readonly braces: Braces[] = [];
  readonly #text: string;
  readonly #node: ScalarNode;
  readonly #isDouble: boolean;
  /** In YAML's single quotes, a quote of an expression is written twice. */
  readonly #isSingle: boolean;
  readonly #isScript: boolean;
  /** Whether braces may enclose segments of a path: `{CUBE}.status`. */
  readonly #allowsBraces: boolean;
  readonly #keys: ComputedKeys | undefined;
  #locals: readonly string[] = [];
  /** The arguments of the last call of `FILTER_PARAMS`, and the start of the first of them that is a function. */
  #callback: { readonly open: number; readonly from: number; readonly to: number } = { open: 0, from: 0, to: 0 };
  /** Where the expression begins, including what is ignored at its beginning. */
  #from = 0;
  /** Whether the engine stopped reading the text, so that nothing further refers to the model. */
  #isOverAll = false;

  constructor(text: string, node: ScalarNode, allowsBraces = false, keys?: ComputedKeys) {
    this.#text = text;
    this.#node = node;
    this.#keys = keys;
    this.#allowsBraces = allowsBraces;
    this.#isDouble = node.style === 'double';
    this.#isSingle = node.style === 'single';
    this.#isScript = node.style === 'template' || node.style === 'code';
  }

  /** Reads literal text with interpolations; returns where it ended. */
  template(from: number, to: number, opener: string): void {
    for (let at = this.#text.indexOf(opener, from); at !== -1 && at < to; at = this.#text.indexOf(opener, at)) {
      if (this.#escaped(at)) {
        at += 1;
        continue;
      }
      const inner = at + opener.length;
      const end = this.#closing(inner, to);
      const closed = end !== -1;
      const opened = closed ? undefined : openedTextEnd(this.#text, inner, to, this.#node);
      const stop = opened ?? (closed ? end + 1 : to);
      this.braces.push({ start: at, end: stop, closed, ...(opened !== undefined && { opensText: true }) });
      if (opened === undefined && !this.#isOverAll && !this.#isBroken(inner, closed ? end : to))
        this.expression(inner, closed ? end : to);
      at = stop;
    }
  }

  /** Checks whether a backslash at the end of a line joins two lines, which shifts the offsets of names. */
  #isBroken(from: number, to: number): boolean {
    return this.#isDouble && /\\\r?\n/.test(this.#text.slice(from, to));
  }

  /** Checks whether a backslash (two in a double-quoted YAML scalar) makes a brace literal. */
  #escaped(at: number): boolean {
    if (this.#text[at - 1] !== '\\') return false;
    return !this.#isDouble || this.#text[at - 2] === '\\';
  }

  /** Returns the offset of the brace that closes one opened before `from`; -1 if there is none. */
  #closing(from: number, to: number): number {
    let depth = 1;
    for (let at = from; at < to; at++) {
      const char = this.#text[at];
      if (char === '{') depth++;
      else if (char === '}') {
        depth--;
        if (depth === 0) return at;
      }
    }
    return -1;
  }

  /** Reads code: paths, calls, lambdas, nested strings. A brace may be open since `begun`. */
  expression(from: number, to: number, begun = from): void {
    const outer = this.#locals;
    this.#from = begun;
    let first = this.#skipBetween(from, to);
    for (let at = from; at < to;) {
      const start = at;
      const code = this.#text.charCodeAt(at);
      if (this.#isNameStart(code)) at = this.#name(at, from, to);
      else if (isDigit(code)) at = this.#number(at, to);
      else at = this.#punctuation(at, to);
      if (this.#isScript || at >= to || start !== first || !isValueStart(this.#text.charCodeAt(start))) continue;
      if (PYTHON.has(this.#text.slice(start, at))) first = this.#skipBetween(at, to);
      else if (this.#isOver(at, to)) break;
    }
    this.#locals = outer;
  }

  /** Checks whether the engine stops reading behind the first name: `1 day`, `id else x`. */
  #isOver(at: number, to: number): boolean {
    const next = this.#skipBetween(at, to);
    if (next >= to) return false;
    const [word = ''] = next > at && this.#isName(next) ? (/^\w+/.exec(this.#text.slice(next, to)) ?? []) : [];
    const isOver = (word !== '' && !continuesExpression(word)) || stopsAt(this.#text.slice(next, to));
    // A single word too many is left out, and what follows is read.
    this.#isOverAll ||= isOver && !isSingleWord(this.#text.slice(next, to));
    return isOver;
  }

  /** Skips white space and, if braces may enclose segments of a path, those braces. */
  #skipBetween(from: number, to: number): number {
    let at = from;
    while (
      at < to &&
      (isSpace(this.#text.charCodeAt(at)) || (this.#allowsBraces && /[{}$]/.test(this.#text[at] ?? '')))
    )
      at++;
    return at;
  }

  #punctuation(at: number, to: number): number {
    const char = this.#text[at];
    // A conversion (`!r`) or a comment ends an expression.
    if (char === '!' && isLetter(this.#text.slice(at + 1, to).trim())) return to;
    if (char === '#' && !this.#isScript) {
      this.#isOverAll = true;
      return to;
    }
    if (char === '"' || char === "'" || char === '`') return this.#string(at, to, char);
    if (char === '\\') return this.#text[at + 1] === '"' ? this.#string(at + 1, to, '"') : at + 2;
    return char === '(' ? this.#parameters(at, to) : at + 1;
  }

  #number(from: number, to: number): number {
    let at = from;
    while (at < to && (this.#isName(at) || this.#text[at] === '.')) at++;
    return at;
  }

  /** Reads a nested string, including f-strings and JavaScript templates; returns where it ends. */
  #string(from: number, to: number, quote: string): number {
    if (this.#isSingle && this.#text.startsWith("''", from)) return this.#doubled(from, to);
    const isEscapedQuote = this.#text[from - 1] === '\\';
    let at = from + 1;
    for (; at < to; at++) {
      if (this.#text[at] === quote && (this.#text[at - 1] === '\\') === isEscapedQuote) break;
      // In code, a brace inside a nested f-string may contain quotes of the same kind.
      if (this.#text[at] === '{' && !this.#escaped(at)) {
        const end = this.#closing(at + 1, to);
        if (end === -1) break;
        at = end;
      }
    }
    const end = Math.min(at, to);
    const before = this.#text[isEscapedQuote ? from - 2 : from - 1];
    const isInterpolated = before === 'f' || quote === '`' || this.#text[from + 1] === '{';
    if (isInterpolated) this.template(from + 1, end, quote === '`' ? '${' : '{');
    return end + 1;
  }

  /** Reads a nested string between doubled quotes; returns where it ends. */
  #doubled(from: number, to: number): number {
    const close = this.#text.indexOf("''", from + 2);
    const end = close === -1 || close > to ? to : close;
    if (this.#text[from - 1] === 'f') this.template(from + 2, end, '{');
    return end + 2;
  }

  #name(from: number, first: number, to: number): number {
    const { segments, end: at } = this.#segments(from, to);
    // With an escape (`\u0061`) it is another name than the one that is written.
    if (this.#isScript && this.#text.startsWith('\\u', at)) return at;
    const head = segments[0]?.text ?? '';
    const next = this.#skip(at, to);
    if (head === (this.#isScript ? 'function' : 'lambda')) return this.#function(from, at, to);
    if (this.#isNoName(head, at, to)) return at;
    if (this.#text.startsWith('=>', next)) this.#enter([head], from);
    else if (this.#isFree(from, head) && !this.#isAssigned(next)) {
      const whole = next >= to && this.#skip(first, from) >= from;
      this.#path(segments, from, at, whole, next < to ? next : at);
    }
    return at;
  }

  /** Adds a path, which is called if a bracket opens at the next character. */
  #path(segments: readonly Segment[], start: number, end: number, whole: boolean, open: number): void {
    const late = this.#callback.from <= start && start < this.#callback.to;
    const call = this.#text[open] === '(';
    this.paths.push({ segments, start, end, whole, call, late });
    if (!call || late || segments[0]?.text !== 'FILTER_PARAMS') return;
    this.#callback = { open, from: Infinity, to: depthAt(this.#text, open, Infinity).end };
  }

  /** Knows the parameters of a function that begins at an offset. */
  #enter(names: readonly string[], from: number): void {
    this.#locals = [...this.#locals, ...names];
    const { open, to } = this.#callback;
    if (from >= to || from >= this.#callback.from || depthAt(this.#text, open, from).depth !== 1) return;
    this.#callback = { open, from, to };
  }

  /**
   * Reads the beginning of a function, whose names are not references: `lambda x, y:`, or `function name(a, b)` in a script. Returns
   * the offset after it.
   */
  #function(start: number, from: number, to: number): number {
    const close = this.#text.indexOf(this.#isScript ? ')' : ':', from);
    const end = close === -1 || close > to ? to : close;
    this.#enter(namesIn(this.#text.slice(from, end)), start);
    return end + 1;
  }

  /** Checks for the prefix of a string, and for a declaration in a script, such as `const { a, b } = …`, whose names it knows. */
  #isNoName(head: string, at: number, to: number): boolean {
    if (STRING_PREFIX.test(head)) return isQuoteAt(this.#text, at, to);
    if (!this.#isScript || !DECLARING.has(head)) return false;
    const assigned = this.#text.indexOf('=', at);
    const end = assigned === -1 || assigned > to ? to : assigned;
    this.#locals = [...this.#locals, ...namesIn(this.#text.slice(at, end))];
    return true;
  }

  /** Checks for `a = 1`, which in a script declares a name. */
  #isAssigned(at: number): boolean {
    return this.#isScript && /^=[^=>]/.test(this.#text.slice(at, at + 2));
  }

  /** Checks whether a name refers to the model: it is not a keyword, a parameter or a property after a dot. */
  #isFree(at: number, name: string): boolean {
    if (isProperty(this.#text, at, this.#isScript) || this.#locals.includes(name)) return false;
    return !WORDS.has(name) && !(this.#isScript ? RESERVED : PYTHON).has(name);
  }

  /** Returns the dotted names from here on, and where they end. */
  #segments(from: number, to: number): { readonly segments: Segment[]; readonly end: number } {
    const segments: Segment[] = [];
    for (let at = from; ; at++) {
      const start = at;
      while (at < to && this.#isName(at)) at++;
      segments.push({ text: this.#text.slice(start, at), start, end: at });
      if (this.#isScript) at = addBracketed(segments, this.#text, at, to, this.#keys);
      const behind = this.#allowsBraces && at < to ? this.#behindBraces(at, to) : at;
      const dot = behind === at ? this.#skipInPath(at, to) : behind;
      if (behind === at && this.#text[dot] !== '.') return { segments, end: at };
      const name = this.#skipInPath(dot + 1, to);
      if (name >= to || !this.#isNameStart(this.#text.charCodeAt(name))) return { segments, end: at };
      at = name - 1;
    }
  }

  /** Skips white space around the dot of a path, of which scripts hardly ever have any; in those, the question mark of `?.`. */
  #skipInPath(from: number, to: number): number {
    if (!this.#isScript) return this.#skip(from, to);
    return this.#text.startsWith('?.', from) && from + 2 < to ? from + 1 : from;
  }

  /** Returns the offset just before the next name of a path with braces around its segments: `{orders}.{users}.city`. */
  #behindBraces(at: number, to: number): number {
    if (this.#text[at] === '}' && !this.#isInBraces(at)) return at;
    const dot = this.#text[at] === '}' ? at + 1 : at;
    if (this.#text[dot] !== '.' || dot + 1 >= to) return at;
    if (this.#text[dot + 1] !== '{') return dot;
    return this.#isNameStart(this.#text.charCodeAt(dot + 2)) && dot + 2 < to ? dot + 1 : at;
  }

  /** Checks whether a brace is open at an offset of the expression: a closing brace without one ends it. */
  #isInBraces(at: number): boolean {
    let depth = 0;
    for (let before = this.#from; before < at; before++) {
      if (this.#text[before] === '{') depth++;
      else if (this.#text[before] === '}') depth--;
    }
    return depth > 0;
  }

  /** Checks for a character that begins a name; the engine's YAML reader ignores a dollar. */
  #isNameStart(code: number): boolean {
    return isNameStart(code) || (code === 36 && this.#isScript);
  }

  /**
   * Reads the parameters of `(a, b) => …`, which are not references; returns the offset after the bracket (after the list if it
   * is one).
   */
  #parameters(from: number, to: number): number {
    const close = this.#text.indexOf(')', from);
    if (close === -1 || close >= to || !this.#text.startsWith('=>', this.#skip(close + 1, to))) return from + 1;
    // The parameters are in a bracket of their own.
    if (this.#text.lastIndexOf('(', close) !== from) return from + 1;
    this.#enter(namesIn(this.#text.slice(from + 1, close)), from);
    return close + 1;
  }

  #isName(at: number): boolean {
    const code = this.#text.charCodeAt(at);
    return this.#isNameStart(code) || isDigit(code);
  }

  #skip(from: number, to: number): number {
    let at = from;
    while (at < to && isSpace(this.#text.charCodeAt(at))) at++;
    return at;
  }
}
