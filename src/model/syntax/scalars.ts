import { Code, isBreak, isBreakOrSpace, type Scanner } from './scanner.ts';
import type { ScalarNode } from './tree.ts';

/** Thrown inside the fast parser when a text needs the full one; never leaves the syntax folder. */
export class NotSimple extends Error {}

const BACKSLASH = /\\/;

/** A quoted scalar at the scanner; moves behind the closing quote. `indent`: continuation lines must stand deeper. */
export function parseQuoted(s: Scanner, indent: number): ScalarNode {
  const start = s.at;
  const quote = s.peek();
  const isDouble = quote === Code.quote;
  let at = start + 1;
  let lines = false;
  for (; ; at++) {
    const code = s.codeAt(at);
    if (code === -1) throw new NotSimple();
    if (code === quote) {
      if (isDouble || s.codeAt(at + 1) !== quote) break;
      at++;
    } else if (code === Code.backslash && isDouble) at++;
    else if (code === Code.newline) {
      lines = true;
      requireDeeper(s, at + 1, indent);
    }
  }
  const raw = s.text.slice(start + 1, at);
  s.at = at + 1;
  // Escapes and folding are rare: the full parser owns their fine print.
  if (isDouble && BACKSLASH.test(raw))
    return { kind: 'scalar', start, end: at + 1, style: 'double', value: unescape(raw, lines) };
  const folded = lines ? fold(raw) : raw;
  return {
    kind: 'scalar',
    start,
    end: at + 1,
    style: isDouble ? 'double' : 'single',
    value: isDouble ? folded : folded.replaceAll("''", "'"),
  };
}

function requireDeeper(s: Scanner, lineStart: number, indent: number): void {
  let at = lineStart;
  while (s.codeAt(at) === Code.space) at++;
  const code = s.codeAt(at);
  if (code === Code.tab) throw new NotSimple();
  if (!isBreak(code) && at - lineStart <= indent) throw new NotSimple();
}

function unescape(raw: string, lines: boolean): string {
  if (lines) throw new NotSimple();
  return raw.replaceAll(/\\(.)/g, (_, char: string) => {
    if (char === '"' || char === '\\' || char === '/') return char;
    if (char === 'n') return '\n';
    if (char === 't') return '\t';
    throw new NotSimple();
  });
}

/** Line folding of flow scalars: one break becomes a space, more become one less. */
function fold(raw: string): string {
  return raw.replaceAll(/[ \t]*(?:\r?\n[ \t]*)+/g, (breaks: string) => {
    const count = breaks.split('\n').length - 1;
    return count === 1 ? ' ' : '\n'.repeat(count - 1);
  });
}

/** A plain scalar of a block context that starts at the scanner; moves to the end of its last line. */
export function parsePlain(s: Scanner, indent: number): ScalarNode {
  const start = s.at;
  let end = plainEnd(s, start);
  let value = s.text.slice(start, end);
  let commented = s.codeAt(skipInline(s, end)) === Code.hash;
  for (let line = s.nextLine(end); line < s.length;) {
    let at = line;
    while (s.codeAt(at) === Code.space) at++;
    const code = s.codeAt(at);
    if (code === Code.tab) throw new NotSimple();
    if (isBreak(code)) {
      line = s.nextLine(at);
      continue;
    }
    if (at - line <= indent || code === Code.hash) break;
    if (commented) throw new NotSimple();
    end = plainEnd(s, at);
    value = s.text.slice(start, end);
    commented = s.codeAt(skipInline(s, end)) === Code.hash;
    line = s.nextLine(end);
  }
  s.at = end;
  return { kind: 'scalar', start, end, style: 'plain', value: value.includes('\n') ? fold(value) : value };
}

function skipInline(s: Scanner, from: number): number {
  let at = from;
  while (s.codeAt(at) === Code.space || s.codeAt(at) === Code.tab) at++;
  return at;
}

/** The end of a plain scalar's text on one line; a `: ` inside is a mistake that the full parser explains. */
function plainEnd(s: Scanner, start: number): number {
  const lineEnd = s.lineEnd(start);
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const code = s.text.charCodeAt(at);
    if (code === Code.colon && isBreakOrSpace(s.codeAt(at + 1))) throw new NotSimple();
    if (
      code === Code.hash &&
      at > start &&
      (s.text.charCodeAt(at - 1) === Code.space || s.text.charCodeAt(at - 1) === Code.tab)
    ) {
      end = at;
      break;
    }
  }
  while (end > start && (s.text.charCodeAt(end - 1) === Code.space || s.text.charCodeAt(end - 1) === Code.tab)) end--;
  return end;
}

/** A `|` or `>` scalar; moves to the start of the line after it. `indent`: the parent's, content stands deeper. */
export function parseBlockScalar(s: Scanner, indent: number): ScalarNode {
  const start = s.at;
  const folded = s.peek() === Code.greater;
  const header = /^[|>]([-+]?)[ \t]*(?:#.*)?$/.exec(s.text.slice(start, s.lineEnd(start)));
  if (!header) throw new NotSimple();
  let line = s.nextLine(start);
  const contentStart = line;
  let contentIndent = -1;
  let end = s.lineEnd(start);
  while (line < s.length) {
    let at = line;
    while (s.codeAt(at) === Code.space) at++;
    const code = s.codeAt(at);
    if (!isBreak(code)) {
      if (code === Code.tab) throw new NotSimple();
      if (contentIndent === -1) {
        if (at - line <= indent) break;
        contentIndent = at - line;
      } else if (at - line < contentIndent) {
        if (at - line > indent) throw new NotSimple();
        break;
      }
      end = s.lineEnd(at);
    } else if (contentIndent === -1 && at - line > indent + 1) throw new NotSimple();
    line = s.nextLine(at);
  }
  const value =
    contentIndent === -1 ? '' : blockValue(s.text.slice(contentStart, end), contentIndent, folded, header[1] ?? '');
  s.at = line;
  return { kind: 'scalar', start, end, style: 'block', value };
}

/** The decoded content; trailing blank lines are kept only by `+`, which is rare enough to be approximated by one. */
function blockValue(raw: string, indent: number, folded: boolean, chomp: string): string {
  const lines = raw.split(/\r?\n/).map((line) => line.slice(indent));
  const text = folded ? foldLines(lines) : lines.join('\n');
  return chomp === '-' ? text : `${text}\n`;
}

function foldLines(lines: readonly string[]): string {
  let text = lines[0] ?? '';
  for (let index = 1; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const previous = lines[index - 1] ?? '';
    const isMore = (value: string): boolean => value.startsWith(' ') || value.startsWith('\t');
    if (line === '' || previous === '' || isMore(line) || isMore(previous))
      text += previous === '' && line !== '' && !isMore(line) ? line : `\n${line}`;
    else text += ` ${line}`;
  }
  return text;
}
