import { findValue, type Part } from './part.ts';
import { type Path, readExpression, type Segment } from './strings.ts';
import { Kind, kindOf, nextOf, scalarIn, STRIDE, styleOf } from './syntax/tape.ts';
import { isDynamic, type ScalarNode } from './syntax/tree.ts';

/** Whether the value in a cell is known only when a script runs. */
export function isComputed({ tape }: Part, cell: number): boolean {
  const kind = kindOf(tape, cell);
  return kind === Kind.opaque || (kind === Kind.scalar && styleOf(tape, cell) === 'code');
}

/** The maps of a list by their `name` (YAML), or of a map by its keys (JavaScript). */
export function namedIn(part: Part, value: number): { readonly cell: number; readonly name: ScalarNode }[] {
  const { tape } = part;
  const found: { readonly cell: number; readonly name: ScalarNode }[] = [];
  const isList = kindOf(tape, value) === Kind.seq;
  if (!isList && kindOf(tape, value) !== Kind.map) return found;
  const after = nextOf(tape, value);
  for (let at = value + STRIDE; at < after; at = nextOf(tape, at)) {
    const key = at;
    if (!isList) at += STRIDE;
    if (kindOf(tape, at) !== Kind.map) continue;
    const name = scalarAt(part, isList ? findValue(part, at, 'name') : key);
    if (name) found.push({ cell: at, name });
  }
  return found;
}

/** The cells of a list's items. */
export function itemsIn({ tape }: Part, list: number): number[] {
  const items: number[] = [];
  if (list === -1 || kindOf(tape, list) !== Kind.seq) return items;
  const after = nextOf(tape, list);
  for (let item = list + STRIDE; item < after; item = nextOf(tape, item)) items.push(item);
  return items;
}

/** The scalar in a cell, when there is one. */
export function scalarAt({ tape, text }: Part, cell: number): ScalarNode | undefined {
  return cell !== -1 && kindOf(tape, cell) === Kind.scalar ? scalarIn(tape, text, cell) : undefined;
}

/** The one path that the scalar in a cell is. */
export function pathIn(part: Part, cell: number): Path | undefined {
  const node = scalarAt(part, cell);
  if (!node || isDynamic(node.value)) return undefined;
  const { paths } = readExpression(part.text, node);
  return paths.length === 1 ? paths[0] : undefined;
}

/** The parts of a dotted name, with the offsets of its text inside quotes. */
export function nameSegments(node: ScalarNode): readonly Segment[] {
  const quoted = node.style === 'double' || node.style === 'single' || node.style === 'template';
  let start = node.start + (quoted ? 1 : 0);
  return node.value.split('.').map((text) => {
    const segment = { text, start, end: start + text.length };
    start = segment.end + 1;
    return segment;
  });
}
