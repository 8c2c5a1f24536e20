import type { Position, TextEdit } from 'vscode-languageserver';
import { entitiesOf } from '#model/locate.ts';
import { parseFile } from '#model/file.ts';
import { haveSameValues } from '#model/syntax/slow.ts';
import { walk } from '#model/syntax/tree.ts';
import { rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';

/**
 * Formats a YAML file without changing its meaning or its comments: no trailing spaces, at most one blank line in a row, one
 * space after colons and dashes, one line break at the end. Texts over several lines stay as they are; a file that cannot be
 * parsed or that contains template statements is not changed.
 */
export function format({ file, positions }: Opened): TextEdit[] {
  if (
    file.language !== 'yaml' ||
    file.jinja.length > 0 ||
    file.problems.length > 0 ||
    file.chunks.some(({ chunk }) => chunk.problems.length > 0)
  )
    return [];
  const frozen = frozenRanges(file);
  const lines = file.text.split('\n');
  const result: string[] = [];
  let offset = 0;
  let blank = 0;
  for (const line of lines) {
    const isFrozen = frozen.some(({ start, end }) => start < offset + line.length && offset <= end);
    const tidy = isFrozen ? line : tidyLine(line);
    offset += line.length + 1;
    blank = tidy.trim() === '' && !isFrozen ? blank + 1 : 0;
    if (blank < 2) result.push(tidy);
  }
  const text = `${result.join('\n').trimEnd()}\n`;
  if (text === file.text || !means(file.text, text)) return [];
  return [{ range: rangeOf(positions, 0, file.text.length), newText: text }];
}

function tidyLine(line: string): string {
  return (
    line
      .trimEnd()
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
