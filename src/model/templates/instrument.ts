import type { JinjaSpan } from '#model/syntax/jinja/span.ts';
import { FILLER } from '../syntax/tree.ts';
import { assignmentOf, innerOf, loopOf, type Template, type UnknownValues } from './unknown-values.ts';
import { splitAtCommas } from './expressions.ts';

/**
 * Marks in a rendered text. `piece` is followed by a number and `end`; `close` ends the output of an expression or an include.
 * The text between `unsure` and `sure` occurs zero, one or many times. `any` stands for unknown lines.
 */
export const MARK = {
  piece: '\uE010',
  end: '\uE011',
  close: '\uE012',
  unsure: '\uE013',
  sure: '\uE014',
  any: '\uE015',
} as const;
/** Texts with such characters are not rendered, because they could not be distinguished from ours. */
const TAKEN = /[\uE000-\uE01F]/;

/** A piece of a template that produces output: a text, or a whole expression or include. */
export interface Piece {
  readonly path: string;
  readonly kind: 'text' | 'output';
  readonly start: number;
  readonly end: number;
}

/** A template whose output shows where each of its characters comes from. */
export interface Instrumented {
  readonly path: string;
  /** With marks; filler characters replace unknown values. */
  readonly marked: string;
  /** The same without marks: both must render to the same text. */
  readonly plain: string;
  /** The tags of the template that are in `plain`, in order. */
  readonly tags: readonly WrittenTag[];
  /** Whether no value in it is unknown, so that `plain` fails exactly where the template does. */
  readonly isExact: boolean;
}

/** A tag of a template, and where it is in the text that is rendered. */
export interface WrittenTag {
  readonly start: number;
  readonly end: number;
  /** The number of its first line in the rendered text, counted from 1. */
  readonly line: number;
  /** Whether it is certainly evaluated if it is reached: outside of macros and of what may be left out. */
  readonly isSure: boolean;
}

/** The statement that a span ends or whose body contains it, and how it is written out. */
interface Open {
  readonly word: string;
  readonly isUnsure: boolean;
  readonly macro?: string | undefined;
  /** Inserted before the end of the block to close a statement that was replaced. */
  readonly closing?: string | undefined;
}

/** Instruments a template; returns undefined if something in it cannot be rendered without the platform. */
export function instrument(template: Template, unknown: UnknownValues, pieces: Piece[]): Instrumented | undefined {
  if (TAKEN.test(template.text)) return undefined;
  const writer = new Writer(template, unknown, pieces);
  return writer.write();
}

class Writer {
  readonly #template: Template;
  readonly #unknown: UnknownValues;
  readonly #pieces: Piece[];
  readonly #out: string[] = [];
  readonly #open: Open[] = [];
  readonly #tags: (Omit<WrittenTag, 'line'> & { readonly before: number })[] = [];
  #isExact = true;
  #at = 0;
  #isTrimmed = false;

  constructor(template: Template, unknown: UnknownValues, pieces: Piece[]) {
    this.#template = template;
    this.#unknown = unknown;
    this.#pieces = pieces;
  }

  write(): Instrumented | undefined {
    const { text, jinja, path } = this.#template;
    for (let at = 0; at < jinja.length; at++) {
      const span = jinja[at] as JinjaSpan;
      this.#text(span.start, text.charAt(span.start + 2) === '-');
      const inlineEnd = this.#unsureWithinLine(at);
      this.#note(span);
      if (inlineEnd === undefined) {
        if (!this.#span(span)) return undefined;
        this.#after(span);
      } else {
        const last = jinja[inlineEnd] as JinjaSpan;
        this.#replaced({ ...span, end: last.end }, FILLER);
        this.#after(last);
        at = inlineEnd;
      }
    }
    this.#text(text.length, false);
    const marked = this.#out.join('');
    const plain = marked.replaceAll(/\uE010\d+\uE011|[\uE012-\uE014]/g, '');
    return { path, marked, plain, tags: this.#placedTags(), isExact: this.#isExact };
  }

  #note({ start, end, kind }: JinjaSpan): void {
    if (kind === 'comment') return;
    const isSure = this.#open.every(({ isUnsure, macro, word }) => !isUnsure && macro === undefined && word !== 'call');
    this.#tags.push({ start, end, isSure, before: this.#out.length });
  }

  #placedTags(): readonly WrittenTag[] {
    let line = 1;
    let at = 0;
    return this.#tags.map(({ start, end, isSure, before }) => {
      for (; at < before; at++) line += (this.#out[at] ?? '').split('\n').length - 1;
      return { start, end, isSure, line };
    });
  }

  /** Writes a text in place of an expression or an include whose value is unknown. */
  #replaced(span: Pick<JinjaSpan, 'start' | 'end'>, text: string): void {
    this.#isExact = false;
    this.#output(span, text);
  }

  #after({ end }: JinjaSpan): void {
    this.#at = end;
    this.#isTrimmed = this.#template.text.charAt(end - 3) === '-';
  }

  get #macro(): string | undefined {
    return this.#open.findLast(({ macro }) => macro !== undefined)?.macro;
  }

  #text(until: number, isTrimmed: boolean): void {
    const { text } = this.#template;
    let start = this.#at;
    let end = until;
    if (this.#isTrimmed) start = end - text.slice(start, end).trimStart().length;
    if (isTrimmed) end = start + text.slice(start, end).trimEnd().length;
    if (start < end) this.#out.push(this.#piece('text', start, end), text.slice(start, end));
  }

  #piece(kind: Piece['kind'], start: number, end: number): string {
    this.#pieces.push({ path: this.#template.path, kind, start, end });
    return `${MARK.piece}${this.#pieces.length - 1}${MARK.end}`;
  }

  #output({ start, end }: Pick<JinjaSpan, 'start' | 'end'>, code: string): void {
    this.#out.push(this.#piece('output', start, end), code, MARK.close);
  }

  /** For a block within a line that may or may not be rendered, returns the span that ends it: all of it is one unknown text. */
  #unsureWithinLine(from: number): number | undefined {
    const { jinja, text } = this.#template;
    const span = jinja[from] as JinjaSpan;
    if (span.kind !== 'statement' || (span.word !== 'if' && span.word !== 'for') || !this.#isUnsure(from))
      return undefined;
    const end = closingOf(jinja, from);
    const last = end === undefined ? undefined : jinja[end];
    if (!last || text.slice(span.start, last.end).includes('\n')) return undefined;
    const before = text.slice(text.lastIndexOf('\n', span.start - 1) + 1, span.start);
    const lineEnd = text.indexOf('\n', last.end);
    const after = text.slice(last.end, lineEnd === -1 ? text.length : lineEnd);
    return before.trim() === '' && after.trim() === '' ? undefined : end;
  }

  /** Checks whether the condition of an `if` or one of its branches, or the source of a `for`, is unknown. */
  #isUnsure(from: number): boolean {
    const { jinja, text } = this.#template;
    const span = jinja[from] as JinjaSpan;
    const rest = restOf(span, text);
    if (span.word === 'for') return this.#unknown.holds(loopOf(rest)[1], this.#macro);
    const end = closingOf(jinja, from) ?? jinja.length;
    let depth = 0;
    for (let at = from; at < end; at++) {
      const each = jinja[at] as JinjaSpan;
      if (each.kind !== 'statement') continue;
      if (OPENERS.has(each.word) && !isAssignment(each, text)) depth++;
      else if (each.word.startsWith('end')) depth--;
      const isBranch = depth === 1 && (each.word === 'if' || each.word === 'elif');
      if (isBranch && this.#unknown.holds(restOf(each, text), this.#macro)) return true;
    }
    return false;
  }

  /** Writes a span; returns false if the template cannot be rendered. */
  #span(span: JinjaSpan): boolean {
    if (span.kind === 'comment') return true;
    if (span.kind === 'expression') {
      this.#expression(span);
      return true;
    }
    return this.#statement(span);
  }

  #expression(span: JinjaSpan): void {
    const inner = innerOf(span, this.#template.text);
    const macro = this.#macro;
    const call = this.#unknown.macroCall(inner, macro);
    if (call) {
      const args = call.args.map((arg) => (this.#unknown.holds(arg, macro) ? this.#unknownArgument(arg) : arg));
      this.#output(span, `{{ ${call.callee}(${args.join(',')}) }}`);
    } else if (!this.#unknown.holds(inner, macro) || this.#unknown.isMissing(inner, macro))
      this.#output(span, `{{${inner}}}`);
    // An expression on a line of its own may render to any number of lines.
    else this.#replaced(span, span.alone ? MARK.any : FILLER);
  }

  /** Notes whether something is unknown; returns it. */
  #noted(isUnknown: boolean): boolean {
    this.#isExact &&= !isUnknown;
    return isUnknown;
  }

  #unknownArgument(arg: string): string {
    this.#isExact = false;
    const [key = ''] = /^\s*[a-z_]\w*\s*=(?!=)/i.exec(arg) ?? [];
    return `${key}"${FILLER}"`;
  }

  #statement(span: JinjaSpan): boolean {
    const { word } = span;
    const own = `{%${innerOf(span, this.#template.text)}%}`;
    if (word.startsWith('end')) this.#out.push(this.#open.pop()?.closing ?? own);
    else if (word === 'else' || word === 'elif') this.#out.push(this.#open.at(-1)?.isUnsure === true ? '' : own);
    else if (word === 'include') this.#include(span, own);
    else if (BLOCKS.has(word)) this.#block(span, own);
    else return this.#known(span, own);
    return true;
  }

  /** Writes a statement that opens a block, or assigns a value. */
  #block(span: JinjaSpan, own: string): void {
    const { text, jinja } = this.#template;
    const { word } = span;
    const rest = restOf(span, text);
    if (word === 'if' || word === 'for') {
      const isUnsure = this.#noted(this.#isUnsure(jinja.indexOf(span)));
      this.#open.push({ word, isUnsure, closing: isUnsure ? MARK.sure : undefined });
      this.#out.push(isUnsure ? MARK.unsure : own);
    } else if (word === 'set') {
      const { value } = assignmentOf(rest);
      if (value === undefined) this.#open.push({ word, isUnsure: false });
      const isLeftOut = this.#noted(value !== undefined && this.#unknown.holds(value, this.#macro));
      this.#out.push(isLeftOut ? '' : own);
    } else if (word === 'with') {
      const pairs = splitAtCommas(rest) ?? [rest];
      const isUnsure = this.#noted(
        pairs.some((pair) => this.#unknown.holds(assignmentOf(pair).value ?? '', this.#macro)),
      );
      this.#open.push({ word, isUnsure: false, closing: isUnsure ? '{% endif %}' : undefined });
      this.#out.push(isUnsure ? '{% if true %}' : own);
    } else {
      this.#open.push({ word, isUnsure: false, macro: /^\s*(\w+)/.exec(rest)?.[1] });
      this.#out.push(own);
    }
  }

  #include(span: JinjaSpan, own: string): void {
    const rest = restOf(span, this.#template.text).replace(/\bignore\s+missing\s*$/, '');
    if (this.#unknown.holds(rest, this.#macro)) this.#replaced(span, MARK.any);
    else this.#output(span, own);
  }

  /** Writes a statement that is rendered only if everything in it is known; returns false otherwise. */
  #known(span: JinjaSpan, own: string): boolean {
    const { word } = span;
    const rest = restOf(span, this.#template.text);
    const source = word === 'from' ? rest.replace(/\bimport\b.*$/s, '') : rest.replace(/\bas\s+\w+\s*$/, '');
    const isUnnamed = word === 'raw' || word === 'block';
    if (!OTHERS.has(word) || (!isUnnamed && this.#unknown.holds(source, this.#macro))) return false;
    if (CLOSED.has(word)) this.#open.push({ word, isUnsure: false });
    // All that a template does not replace comes from the one that it extends: nothing closes this output.
    if (word === 'extends') this.#out.push(this.#piece('output', span.start, span.end));
    this.#out.push(own);
    return true;
  }
}

/** Block statements that are rendered even if a value in them is unknown. */
const BLOCKS = new Set(['if', 'for', 'set', 'with', 'macro']);
/** Block statements that are not rendered in that case. */
const CLOSED = new Set(['call', 'filter', 'block', 'autoescape', 'raw']);
const OTHERS = new Set([...CLOSED, 'import', 'from', 'do', 'extends']);
const OPENERS = new Set(['if', 'for', 'macro', 'call', 'filter', 'block', 'with', 'autoescape', 'set']);

function isAssignment(span: JinjaSpan, text: string): boolean {
  return span.word === 'set' && assignmentOf(restOf(span, text)).value !== undefined;
}

function closingOf(jinja: readonly JinjaSpan[], from: number): number | undefined {
  const word = jinja[from]?.word ?? '';
  let depth = 0;
  for (let at = from; at < jinja.length; at++) {
    if (jinja[at]?.word === word) depth++;
    if (jinja[at]?.word === `end${word}` && --depth === 0) return at;
  }
  return undefined;
}

/** Returns the text after the word of a statement. */
function restOf(span: JinjaSpan, text: string): string {
  return innerOf(span, text).replace(/^\s*\w+/, '');
}
