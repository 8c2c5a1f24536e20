import { append } from '#base/long-lists.ts';
import { BLOCKS, checkBlocks } from './blocks.ts';
import { checkBrackets } from './brackets.ts';
import { checkGrammar } from './grammar.ts';
import type { JinjaSpan } from './span.ts';
import { FILLER, type SyntaxProblem } from '#model/syntax/tree.ts';
import { spend } from '#model/syntax/work.ts';

export interface Masked {
  /** Same length as the source: YAML without the template tags. */
  readonly text: string;
  readonly spans: readonly JinjaSpan[];
  readonly problems: readonly SyntaxProblem[];
}

const CLOSERS = { '{{': '}}', '{%': '%}', '{#': '#}' } as const;
const SPACES = /[^\r\n]/g;

/** Checks whether the engine treats a text as a template: a comment (`{#`) alone is not enough. */
export function isTemplate(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('}}') || text.includes('%}');
}

/** Checks whether a text may contain template syntax. */
export function hasJinja(text: string): boolean {
  return text.includes('{{') || text.includes('{%') || text.includes('{#');
}

/**
 * Replaces template tags by text of equal length, so that every offset stays valid: statements and comments become spaces, as
 * does an expression on a line of its own; an expression within a value becomes filler characters.
 */
export function maskJinja(source: string): Masked {
  if (!hasJinja(source)) return { text: source, spans: [], problems: [] };
  const problems: SyntaxProblem[] = [];
  const spans = findSpans(source, problems);
  append(problems, [...checkBlocks(spans), ...spans.flatMap((span) => checkInside(span, source))]);
  const parts: string[] = [];
  let at = 0;
  for (const hidden of hiddenRanges(spans, source)) {
    if (hidden.start < at) continue;
    const { start, end, fill } = hidden;
    // An expression within a value may span lines, which become one.
    parts.push(source.slice(at, start), fill === FILLER ? FILLER.repeat(end - start) : cover(source.slice(start, end)));
    at = hidden.end;
  }
  parts.push(source.slice(at));
  return { text: parts.join(''), spans, problems };
}

/** Reports one mistake per template tag: mismatched brackets explain more than the errors that they cause. */
function checkInside(span: JinjaSpan, source: string): readonly SyntaxProblem[] {
  const brackets = checkBrackets(span, source);
  const isEmpty = span.kind === 'expression' && /^[-+\s]*$/.test(source.slice(span.start + 2, span.end - 2));
  return brackets.length > 0 || isEmpty ? brackets : checkGrammar(span, source);
}

function cover(text: string): string {
  return text.replaceAll(SPACES, ' ');
}

function findSpans(source: string, problems: SyntaxProblem[]): JinjaSpan[] {
  const spans: JinjaSpan[] = [];
  const opener = /\{[{%#]/g;
  for (let match = opener.exec(source); match; match = opener.exec(source)) {
    const start = match.index;
    const open = match[0] as keyof typeof CLOSERS;
    const close = endOf(source, start + 2, CLOSERS[open], open === '{#');
    if (close === -1) {
      const lineEnd = source.indexOf('\n', start);
      const end = lineEnd === -1 ? source.length : lineEnd;
      problems.push({
        start,
        end,
        code: 'jinja-syntax',
        message: `This ${open} is never closed: add ${CLOSERS[open]}.`,
      });
      break;
    }
    const span = spanOf(source, start, close, open);
    spans.push(span);
    if (span.kind === 'expression' && /^[-+\s]*$/.test(source.slice(start + 2, close - 2)))
      problems.push({ start, end: close, code: 'jinja-syntax', message: 'These braces are empty.' });
    opener.lastIndex = close;
    if (span.word === 'raw') opener.lastIndex = rawEnd(source, close);
  }
  return spans;
}

/** Returns the end of the closer, ignoring closers inside a quoted text or a mapping of the expression. */
function endOf(source: string, from: number, closer: string, isComment: boolean): number {
  const plain = source.indexOf(closer, from);
  if (isComment || plain === -1) return plain === -1 ? -1 : plain + 2;
  const piece = /"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[{}%"']/gs;
  piece.lastIndex = from;
  let braces = 0;
  for (let match = piece.exec(source); match && match.index < from + LONGEST; match = piece.exec(source)) {
    spend(match[0].length);
    // An unclosed quote; stop here, or each one that follows would search for its end.
    if (match[0] === '"' || match[0] === "'") break;
    if (braces === 0 && source.startsWith(closer, match.index)) return match.index + 2;
    if (match[0] === '{') braces++;
    if (match[0] === '}') braces = Math.max(0, braces - 1);
  }
  return plain + 2;
}
/** Maximum length of a template tag in characters, which limits the cost of broken text. */
const LONGEST = 100_000;

function rawEnd(source: string, from: number): number {
  const match = /\{%[-+]?\s*endraw/g;
  match.lastIndex = from;
  return match.exec(source)?.index ?? source.length;
}

function spanOf(source: string, start: number, end: number, open: keyof typeof CLOSERS): JinjaSpan {
  const kind = open === '{{' ? 'expression' : open === '{%' ? 'statement' : 'comment';
  const word =
    kind === 'statement' ? (/^[-+]?\s*(\w+)/.exec(source.slice(start + 2, Math.min(end, start + 80)))?.[1] ?? '') : '';
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const lineEnd = source.indexOf('\n', end);
  const before = source.slice(lineStart, start);
  const after = source.slice(end, lineEnd === -1 ? source.length : lineEnd);
  return { kind, start, end, word, alone: before.trim() === '' && after.trim() === '' };
}

interface Hidden {
  readonly start: number;
  readonly end: number;
  readonly fill: string;
}

/** Returns the ranges to hide; the body of a macro or block assignment is not YAML of this file, so it is hidden as a whole. */
function hiddenRanges(spans: readonly JinjaSpan[], source: string): Hidden[] {
  const hidden: Hidden[] = [];
  const bodies = bodiesIn(spans, source);
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index] as JinjaSpan;
    const close = bodies.get(index);
    if (close !== undefined) {
      hidden.push({ start: span.start, end: (spans[close] as JinjaSpan).end, fill: ' ' });
      index = close;
    } else {
      const fill = span.kind === 'expression' && !span.alone ? FILLER : ' ';
      hidden.push({ start: span.start, end: span.end, fill });
    }
  }
  return hidden;
}

/** Returns statements whose body is not rendered in place, and the end of each body, as indexes of spans. */
function bodiesIn(spans: readonly JinjaSpan[], source: string): ReadonlyMap<number, number> {
  const bodies = new Map<number, number>();
  for (let index = 0; index < spans.length; index++) {
    const span = spans[index] as JinjaSpan;
    const close = isBody(span, source) ? nextWord(spans, index + 1, `end${span.word}`) : -1;
    if (close === -1) continue;
    bodies.set(index, close);
    index = close;
  }
  return bodies;
}

/** Yields the spans outside of such bodies. */
function* putOut(spans: readonly JinjaSpan[], source: string): Iterable<JinjaSpan> {
  const bodies = bodiesIn(spans, source);
  for (let index = 0; index < spans.length; index++) {
    const close = bodies.get(index);
    if (close === undefined) yield spans[index] as JinjaSpan;
    else index = close;
  }
}

/** Checks whether the text after a statement is not rendered in place: `{% macro … %}`, and `{% set x %}` without a value. */
function isBody({ word, start, end }: JinjaSpan, source: string): boolean {
  return word === 'macro' || (word === 'set' && !source.slice(start, end).includes('='));
}

function nextWord(spans: readonly JinjaSpan[], from: number, word: string): number {
  for (let at = from; at < spans.length; at++) if (spans[at]?.word === word) return at;
  return -1;
}

/** Checks whether a span precedes the text on a line, which is then rendered further left than it is written. */
function movesText({ kind, start, alone }: JinjaSpan, source: string): boolean {
  if (kind === 'expression' || alone) return false;
  return source.slice(source.lastIndexOf('\n', start - 1) + 1, start).trim() === '';
}

/** Checks whether a span may render to other lines, or move its line to the left. */
function mayMoveLines(span: JinjaSpan, source: string): boolean {
  return span.word === 'include' || (span.kind === 'expression' && span.alone) || movesText(span, source);
}

/** Returns the ranges whose text may be rendered zero, one or many times: bodies of blocks, and lines that are one expression. */
export function structuralRanges(
  spans: readonly JinjaSpan[],
  source: string,
): readonly { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let depth = 0;
  let start = 0;
  for (const span of putOut(spans, source)) {
    if (span.kind === 'statement' && Object.hasOwn(BLOCKS, span.word)) {
      if (depth === 0) start = span.start;
      depth++;
    } else if (span.kind === 'statement' && span.word.startsWith('end') && depth > 0) {
      depth--;
      if (depth === 0) ranges.push({ start, end: span.end });
    } else if (depth === 0 && mayMoveLines(span, source)) {
      ranges.push({ start: span.start, end: span.end });
    }
  }
  if (depth > 0) ranges.push({ start, end: Number.MAX_SAFE_INTEGER });
  return ranges;
}
