import type { ScalarStyle } from './tree.ts';

/** Thrown for an escape that only the full parser handles. */
export class UnknownEscape extends Error {}

/** Decodes a scalar of well-formed YAML. */
export function decodeScalar(text: string, start: number, end: number, style: ScalarStyle): string {
  switch (style) {
    case 'single':
      return folded(text.slice(start + 1, end - 1)).replaceAll("''", "'");
    case 'double': {
      const raw = text.slice(start + 1, end - 1);
      return raw.includes('\\') ? unescape(raw) : folded(raw);
    }
    case 'block':
      return blockText(text.slice(start, end));
    default:
      return folded(text.slice(start, end));
  }
}

/** Decodes the escapes of a double-quoted scalar on one line; throws for the rare ones, and for a backslash that joins two lines. */
export function unescape(raw: string): string {
  return raw.replaceAll(/\\(.)/gs, (_, char: string) => {
    if (char === '"' || char === '\\' || char === '/') return char;
    if (char === 'n') return '\n';
    if (char === 't') return '\t';
    throw new UnknownEscape();
  });
}

/** Folds the lines of a flow scalar: one break becomes a space, several become one less. */
function folded(raw: string): string {
  if (!raw.includes('\n')) return raw;
  return raw.replaceAll(/(?<![ \t])[ \t]*(?:\r?\n[ \t]*)+/g, (breaks: string) => {
    const count = breaks.split('\n').length - 1;
    return count === 1 ? ' ' : '\n'.repeat(count - 1);
  });
}

/** Decodes a `|` or `>` scalar. Only `+` keeps trailing blank lines, which is rare enough to be approximated by one line. */
function blockText(source: string): string {
  const [header = '', ...rest] = source.split(/\r?\n/);
  const first = rest.find((line) => line.trim() !== '');
  if (first === undefined) return '';
  const indent = first.length - first.trimStart().length;
  const lines = rest.map((line) => line.slice(indent));
  const text = header.startsWith('>') ? foldLines(lines) : lines.join('\n');
  return header[1] === '-' ? text : `${text}\n`;
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
