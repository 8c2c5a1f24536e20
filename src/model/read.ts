import { findValue, type Chunk } from './chunk.ts';
import { type Path, readExpression } from '#model/expressions/strings.ts';
import { isOpen, Kind, kindOf, nextOf, scalarIn, STRIDE, styleOf, valueOf } from './syntax/tape.ts';
import { isDynamic, type ScalarNode } from './syntax/tree.ts';

/** Checks whether the value in a cell is known only when a script runs or a template is rendered. */
export function isComputed(chunk: Chunk, cell: number): boolean {
  const { tape, text } = chunk;
  const kind = kindOf(tape, cell);
  return (
    kind === Kind.opaque ||
    (kind === Kind.scalar &&
      (styleOf(tape, cell) === 'code' || (chunk.hasFiller && isDynamic(valueOf(tape, text, cell)))))
  );
}

/** Checks whether a collection may have other items than the written ones: a spread, a merge, a template expression. */
export function isOpenAt(chunk: Chunk, cell: number): boolean {
  const { tape, text } = chunk;
  if (isOpen(tape, cell)) return true;
  if (!chunk.hasFiller) return false;
  const isMap = kindOf(tape, cell) === Kind.map;
  const after = nextOf(tape, cell);
  for (let at = cell + STRIDE; at < after; at = nextOf(tape, isMap ? at + STRIDE : at))
    if (kindOf(tape, at) === Kind.scalar && isDynamic(valueOf(tape, text, at))) return true;
  return false;
}

/** Returns the maps of a list by their `name` (YAML), or of a map by its keys (JavaScript). */
export function namedIn(chunk: Chunk, value: number): { readonly cell: number; readonly name: ScalarNode }[] {
  const { tape } = chunk;
  const found: { readonly cell: number; readonly name: ScalarNode }[] = [];
  const isList = kindOf(tape, value) === Kind.seq;
  if (!isList && kindOf(tape, value) !== Kind.map) return found;
  const after = nextOf(tape, value);
  for (let at = value + STRIDE; at < after; at = nextOf(tape, at)) {
    const key = at;
    if (!isList) at += STRIDE;
    if (kindOf(tape, at) !== Kind.map) continue;
    const name = scalarAt(chunk, isList ? findValue(chunk, at, 'name') : key);
    if (name) found.push({ cell: at, name });
  }
  return found;
}

/** Returns the cells of a list's items. */
export function itemsIn({ tape }: Chunk, list: number): number[] {
  const items: number[] = [];
  if (list === -1 || kindOf(tape, list) !== Kind.seq) return items;
  const after = nextOf(tape, list);
  for (let item = list + STRIDE; item < after; item = nextOf(tape, item)) items.push(item);
  return items;
}

/** Returns the scalar in a cell, if there is one. */
export function scalarAt({ tape, text }: Chunk, cell: number): ScalarNode | undefined {
  return cell !== -1 && kindOf(tape, cell) === Kind.scalar ? scalarIn(tape, text, cell) : undefined;
}

/** Returns the path that the scalar in a cell consists of, if it is a single one. */
export function pathIn(chunk: Chunk, cell: number): Path | undefined {
  const node = scalarAt(chunk, cell);
  if (!node || isDynamic(node.value)) return undefined;
  if (isPutTogether(chunk, node)) return pathOf(node);
  const { paths } = readExpression(chunk.text, node);
  return paths.length === 1 ? paths[0] : undefined;
}

/** Checks for a name that the code of a script puts together, whose text is not at its offsets. */
export function isPutTogether({ kind }: Pick<Chunk, 'kind'>, { style, value }: ScalarNode): boolean {
  return kind === 'script' && style === 'plain' && !/^(?:-?[\d.]|(?:true|false|null)$)/.test(value);
}

/** Returns a name that code puts together as a path. */
export function pathOf(node: ScalarNode): Path {
  const { start, end } = node;
  const segments = node.value.split('.').map((text) => ({ text, start, end }));
  return { segments, start, end, whole: true, call: false, late: false };
}
