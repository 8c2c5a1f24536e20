import type { Position, TextEdit } from 'vscode-languageserver';
import { entitiesOf } from '#model/locate.ts';
import { parseFile } from '#model/file.ts';
import { haveSameValues } from '#model/syntax/yaml/full-yaml.ts';
import { walk } from '#model/syntax/tree.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/**
 * Formats a YAML file without changing its meaning or its comments: no trailing spaces, at most one blank line in a row, one
 * space after colons and dashes, one line break at the end, and the line breaks of the file. Texts over several lines stay as they are, and so does a file that
 * cannot be parsed. Of a file with templates, only the cubes and views are formatted in which no template writes.
 */
export function format({ file, positions }: Opened): TextEdit[] {
  const isBroken = file.problems.length > 0 || file.chunks.some(({ chunk }) => chunk.problems.length > 0);
  if (file.language !== 'yaml' || isBroken) return [];
  const ranges = file.jinja.length === 0 ? [{ start: 0, end: file.text.length }] : plainItems(file);
  return ranges.flatMap(({ start, end }) => {
    const own = file.text.slice(start, end);
    const text = file.jinja.length === 0 ? tidied(own, '') : tidied(own, SECTION);
    return text === undefined || text === own ? [] : [{ range: rangeOf(positions, start, end), newText: text }];
  });
}

/**
 * Returns the length of a text without spaces and line breaks at its end. Other spaces, such as one that does not break, are
 * characters of a value.
 */
function lengthOf(text: string): number {
  let length = text.length;
  while (length > 0 && ' \t\r\n'.includes(text.charAt(length - 1))) length--;
  return length;
}

/** A section in which a list item is YAML of its own. */
const SECTION = 'cubes:\n';

/** Returns a text without what is untidy; undefined if that would change what it means. `above` is what it needs before it. */
function tidied(own: string, above: string): string | undefined {
  const before = above + own;
  const file = parseFile('x.yml', before);
  const frozen = frozenRanges(file);
  const eol = /\r?\n/.exec(before.slice(above.length))?.[0] ?? '\n';
  const result: string[] = [];
  let offset = 0;
  let blank = 0;
  for (const line of before.split('\n')) {
    const isFrozen = frozen.some(({ start, end }) => start < offset + line.length && offset <= end);
    const tidy = isFrozen ? line : tidyLine(line) + (line.endsWith('\r') ? eol.slice(0, -1) : '');
    offset += line.length + 1;
    blank = tidy.trim() === '' && !isFrozen ? blank + 1 : 0;
    if (blank < 2) result.push(tidy);
  }
  const joined = result.join('\n');
  const whole = joined.slice(0, lengthOf(joined));
  // The blank lines at the end can belong to a text.
  const text = [`${whole}${eol}`, `${whole}${before.slice(lengthOf(before))}`].find(
    (each) => each === before || means(before, each),
  );
  return text?.slice(above.length);
}

/**
 * Returns the lines of the items in which no template writes: they are in no block, have no tags, and follow no line that a
 * template writes as a whole, which could begin a text.
 */
function plainItems({ chunks, jinja, text }: Opened['file']): { readonly start: number; readonly end: number }[] {
  let above = 0;
  return chunks.flatMap(({ chunk, start }) => {
    const isBelowLine = jinja.some((span) => above <= span.start && span.start < start && writesLine(span));
    const hasTags = jinja.some((span) => span.start < start + chunk.text.length && start < span.end);
    above = start;
    const end = text.indexOf('\n', start + chunk.text.trimEnd().length);
    const isPlain = chunk.kind === 'item' && !chunk.templated && !hasTags && !isBelowLine;
    return isPlain && end !== -1 ? [{ start, end: end + 1 }] : [];
  });
}

function writesLine({ kind, word, alone }: Opened['file']['jinja'][number]): boolean {
  return word === 'include' || (kind === 'expression' && alone);
}

function tidyLine(line: string): string {
  return (
    line
      .slice(0, lengthOf(line))
      .replace(/^(\s*(?:- +)*)([\w]+:) {2,}(?=[^\s#])/, '$1$2 ')
      // The keys of a mapping are aligned with its first one.
      .replace(/^(\s*)- {2,}(?=[\w"'])(?!.*:(?:\s|$))/, '$1- ')
  );
}

/** Returns the ranges in which line breaks belong to a value. */
function frozenRanges(file: Opened['file']): { readonly start: number; readonly end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  for (const { entity, start } of entitiesOf(file)) {
    walk(entity.node, (node) => {
      if (node.kind === 'scalar' && file.text.slice(start + node.start, start + node.end).includes('\n'))
        ranges.push({ start: start + node.start, end: start + node.end });
    });
  }
  return ranges;
}

/** Only the tolerant parser reads larger files: the strict one would delay the next request. */
const LARGEST_STRICT = 200_000;

/** Whether two texts have the same values: if not, the edit is dropped. */
function means(before: string, after: string): boolean {
  return values(before) === values(after) && (before.length > LARGEST_STRICT || haveSameValues(before, after));
}

function values(text: string): string {
  const found: string[] = [];
  for (const { entity } of entitiesOf(parseFile('x.yml', text))) {
    walk(entity.node, (node) => found.push(node.kind === 'scalar' ? `${node.style} ${node.value}` : node.kind));
  }
  return found.join('\n');
}

/** Indents the new line after Enter: under `key:`, it is one level deeper. */
export function indentNewLine({ file, positions }: Opened, position: Position): TextEdit[] {
  if (file.language !== 'yaml') return [];
  const offset = positions.offsetAt(position);
  const lineStart = file.text.lastIndexOf('\n', offset - 1) + 1;
  if (lineStart === 0 || file.text.slice(lineStart, offset).trim() !== '') return [];
  const above = file.text.slice(file.text.lastIndexOf('\n', lineStart - 2) + 1, lineStart - 1).trimEnd();
  const match = /^(\s*)((?:- +)*)[\w]+:$/.exec(above);
  if (!match) return [];
  const wanted = (match[1] ?? '').length + (match[2] ?? '').length + 2;
  const present = offset - lineStart;
  return present >= wanted ? [] : [{ range: rangeOf(positions, lineStart, offset), newText: ' '.repeat(wanted) }];
}
