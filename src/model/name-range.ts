import type { Segment } from '#model/expressions/segment.ts';
import type { ScalarNode } from './syntax/tree.ts';

/** A range of a text, in offsets of the node's chunk. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the range of a name's own characters: without its quotes, and in a block text (`|`, `>`) without the header and the spaces
 * around it. `text` is that of the node's chunk.
 */
export function nameRange({ style, start, end }: ScalarNode, text: string): Range {
  switch (style) {
    case 'double':
    case 'single':
    case 'template':
      // A quote that is still open has no other one.
      return { start: Math.min(start + 1, end), end: Math.max(start + 1, end - 1) };
    case 'block':
      return trimmed(text, Math.min(endOfLine(text, start), end), end);
    case 'plain':
    case 'code':
      return { start, end };
    default:
      return style;
  }
}

function endOfLine(text: string, from: number): number {
  const at = text.indexOf('\n', from);
  return at === -1 ? text.length : at;
}

function trimmed(text: string, from: number, to: number): Range {
  const lines = text.slice(from, to);
  const end = from + lines.trimEnd().length;
  return { start: Math.min(end, to - lines.trimStart().length), end };
}

/**
 * Returns the segments of a dotted name. Where characters are escaped, a segment is as long as it is written, and if the dots are
 * escaped too, each segment stands for the whole name.
 */
export function nameSegments(node: ScalarNode, text: string): readonly Segment[] {
  const { start, end } = nameRange(node, text);
  const values = node.value.split('.');
  const written = text.slice(start, end).split('.');
  if (written.length !== values.length) return values.map((value) => ({ text: value, start, end }));
  let at = start;
  return values.map((value, number) => {
    const segment = { text: value, start: at, end: at + (written[number] ?? '').length };
    at = segment.end + 1;
    return segment;
  });
}
