import type { ModelFile, PlacedChunk } from '../file.ts';
import type { ChunkEntity } from '../chunk.ts';
import type { MapNode, Pair, TreeNode } from '../syntax/tree.ts';
import { outdatedKeys } from './completeness.ts';
import { requireDefinitions } from './definitions.ts';
import { foldKey, isSameValue, nameOf, namedItems, SECTIONS } from './names.ts';
import type { TextChange } from '#base/text-change.ts';
import { columnOf, commentsAbove, lineEndOf, shifted, withEdits } from './text-edits.ts';
import { Unsure } from './unsure.ts';

/** A node and the text that its offsets belong to. */
interface Placed<Node extends TreeNode> {
  readonly node: Node;
  readonly text: string;
  /** Start of the chunk that its offsets are relative to. */
  readonly at: number;
}

/**
 * Returns the file with the definitions of a piece: members and entries replace those of the same name, new ones are added,
 * nothing is removed. Everything else stays as written. Throws {@link Unsure} if the structure is not plain.
 */
export function mergeYaml(base: ModelFile, piece: ModelFile, isElided: boolean): string {
  return new YamlMerge(base, piece, isElided).run();
}

class YamlMerge {
  readonly #base: ModelFile;
  readonly #piece: ModelFile;
  readonly #isElided: boolean;
  readonly #edits: TextChange[] = [];
  #appended = '';

  constructor(base: ModelFile, piece: ModelFile, isElided: boolean) {
    this.#base = base;
    this.#piece = piece;
    this.#isElided = isElided;
  }

  run(): string {
    for (const placed of this.#piece.chunks) {
      if (placed.chunk.entities.length === 0) throw new Unsure('It holds something that is neither a cube nor a view.');
      for (const entity of placed.chunk.entities) this.#mergeEntity(placed, entity);
    }
    const text = withEdits(this.#base.text, this.#edits);
    return this.#appended === '' ? text : `${text.trimEnd()}\n${this.#appended}`;
  }

  #mergeEntity(from: PlacedChunk, entity: ChunkEntity): void {
    const name = entity.nameNode?.value;
    if (name === undefined) throw new Unsure('It holds a cube or view without a name.');
    const found = this.#base.chunks.flatMap((placed) =>
      placed.chunk.entities
        .filter((other) => other.kind === entity.kind && other.nameNode?.value === name)
        .map((other) => ({ placed, other })),
    );
    const [known, ...more] = found;
    if (more.length > 0) throw new Unsure(`The file defines “${name}” more than once.`);
    if (!known) {
      this.#addEntity(from, entity);
      return;
    }
    const { placed, other } = known;
    if (placed.chunk.templated || placed.chunk.problems.length > 0 || other.node.flow || entity.node.flow)
      throw new Unsure(`“${name}” is written in a way that only you can edit safely.`);
    this.#mergeKeys(
      { node: other.node, text: this.#base.text, at: placed.start },
      { node: entity.node, text: this.#piece.text, at: from.start },
    );
  }

  #addEntity(from: PlacedChunk, entity: ChunkEntity): void {
    requireDefinitions([entity]);
    if (from.chunk.kind !== 'item') throw new Unsure('Its list is not written line by line.');
    const { section } = from.chunk;
    const item: Placed<MapNode> = { node: entity.node, text: this.#piece.text, at: from.start };
    const last = this.#base.chunks.findLast((placed) => placed.chunk.section === section);
    if (!last) {
      const start = this.#appended.includes(`\n${section}:\n`) ? '' : `\n${section}:\n`;
      this.#appended += `${start}  ${itemText(item, 2)}\n`;
      return;
    }
    const neighbour = last.chunk.entities.at(-1)?.node;
    if (last.chunk.kind !== 'item' || !neighbour || last.chunk.problems.length > 0)
      throw new Unsure(`The list “${section}” of the file is not written line by line.`);
    this.#insertItem({ node: neighbour, text: this.#base.text, at: last.start }, item, '\n\n');
  }

  /** Merges the keys of a cube or view. */
  #mergeKeys(base: Placed<MapNode>, piece: Placed<MapNode>): void {
    for (const pair of piece.node.pairs) {
      const key = foldKey(pair.key.value);
      const known = base.node.pairs.find((other) => isSameKey(foldKey(other.key.value), key));
      if (key === 'name' || !pair.value) continue;
      if (!known) this.#addPair(base, base.node.pairs.at(-1), piece, pair);
      else if (isSameValue(known.value, pair.value)) continue;
      else if (SECTIONS.has(key) && known.value && !isEmpty(known.value))
        this.#mergeSection(key, base, known, piece, pair);
      else this.#replacePair(base, known, piece, pair);
    }
  }

  #mergeSection(key: string, base: Placed<MapNode>, known: Pair, piece: Placed<MapNode>, pair: Pair): void {
    const [before, after] = [namedItems(known.value), namedItems(pair.value)];
    const list = known.value;
    if (!before || !after || list?.kind !== 'seq' || list.flow || list.open)
      throw new Unsure(`“${pair.key.value}” is not a plain list of named items.`);
    let anchor = before.at(-1)?.node;
    for (const { name, node } of after) {
      const same = before.find((item) => item.name === name);
      const item = { ...piece, node };
      if (same) {
        this.#mergeItem(key, { ...base, node: same.node }, item);
        anchor = same.node;
      } else if (anchor) this.#insertItem({ ...base, node: anchor }, item, gapOf(before, base));
    }
  }

  #mergeItem(section: string, base: Placed<MapNode>, piece: Placed<MapNode>): void {
    if (isSameValue(base.node, piece.node)) return;
    const outdated = new Set(outdatedKeys(section, base.node, piece.node, this.#isElided));
    const stays = ({ key }: Pair): boolean => !outdated.has(foldKey(key.value));
    const [first] = base.node.pairs;
    if (base.node.flow || piece.node.flow || (first && !stays(first))) {
      this.#replaceItem(base, piece, outdated);
      return;
    }
    const kept = base.node.pairs.filter(stays);
    for (const pair of base.node.pairs) if (!stays(pair)) this.#removePair(base, pair);
    for (const pair of piece.node.pairs) {
      const known = kept.find(({ key }) => foldKey(key.value) === foldKey(pair.key.value));
      if (!pair.value) continue;
      if (!known) this.#addPair(base, kept.at(-1), piece, pair);
      else if (isSameValue(known.value, pair.value)) continue;
      else if (foldKey(pair.key.value) === 'includes') this.#mergeIncludes(base, known, piece, pair);
      else this.#replacePair(base, known, piece, pair);
    }
  }

  /** Replaces an item in flow style as a whole if nothing is lost. */
  #replaceItem(base: Placed<MapNode>, piece: Placed<MapNode>, outdated: ReadonlySet<string>): void {
    const has = new Set(piece.node.pairs.map(({ key }) => foldKey(key.value)));
    const left = base.node.pairs.map(({ key }) => foldKey(key.value)).filter((key) => !has.has(key));
    if (left.some((key) => !outdated.has(key)))
      throw new Unsure(`“${nameOf(base.node) ?? ''}” has properties that the answer leaves out.`);
    const [start, end] = rangeOf(base, base.node);
    this.#edits.push({ start, end, text: shiftedTo(piece, piece.node, columnOf(base.text, start)) });
  }

  /** Merges lists of included members, which only grow. */
  #mergeIncludes(base: Placed<MapNode>, known: Pair, piece: Placed<MapNode>, pair: Pair): void {
    const [before, after] = [known.value, pair.value];
    if (after?.kind === 'scalar' && after.value === '*') {
      this.#replacePair(base, known, piece, pair);
      return;
    }
    if (before?.kind !== 'seq' || after?.kind !== 'seq')
      throw new Unsure('The answer includes only some of the members that the file includes.');
    const last = before.items.at(-1);
    const names = new Set(before.items.map(includedName));
    const added = after.items.filter((item) => !names.has(includedName(item)));
    for (const item of added) {
      if (!item || !last) throw new Unsure('The list of included members cannot be read.');
      if (before.flow) {
        if (item.kind !== 'scalar') throw new Unsure('The list of included members is written in one line.');
        const end = base.at + last.end;
        this.#edits.push({ start: end, end, text: `, ${sliceOf(piece, item)}` });
      } else this.#insertItem({ ...base, node: last }, { ...piece, node: item }, '\n');
    }
  }

  #insertItem(after: Placed<TreeNode>, item: Placed<TreeNode>, gap: string): void {
    const dash = dashOf(after);
    const at = lineEndOf(after.text, after.at + after.node.end);
    const start = item.text.lastIndexOf('-', item.at + item.node.start - 1);
    const comments = commentsAbove(item.text, start, '#', dash);
    const text = `${gap}${comments}${' '.repeat(dash)}${itemText(item, dash)}`;
    this.#edits.push({ start: at, end: at, text });
  }

  #addPair(base: Placed<MapNode>, after: Pair | undefined, piece: Placed<MapNode>, pair: Pair): void {
    const [first] = base.node.pairs;
    if (!after || !first) throw new Unsure('The file has nothing that it could be added to.');
    const column = columnOf(base.text, base.at + first.key.start);
    const end = lineEndOf(piece.text, piece.at + pair.end);
    const text = shiftedTo(piece, { start: pair.key.start, end: end - piece.at }, column).trimEnd();
    const at = lineEndOf(base.text, base.at + after.end);
    this.#edits.push({ start: at, end: at, text: `\n${' '.repeat(column)}${text}` });
  }

  #replacePair(base: Placed<MapNode>, known: Pair, piece: Placed<MapNode>, pair: Pair): void {
    const start = base.at + known.key.start;
    const text = shiftedTo(piece, { start: pair.key.start, end: pair.end }, columnOf(base.text, start));
    this.#edits.push({ start, end: base.at + known.end, text });
  }

  #removePair(base: Placed<MapNode>, pair: Pair): void {
    const start = base.at + pair.key.start;
    const end = lineEndOf(base.text, base.at + pair.end);
    this.#edits.push({ start: start - columnOf(base.text, start) - 1, end, text: '' });
  }
}

/** Checks whether two keys are the same; a query may replace a table. */
function isSameKey(a: string, b: string): boolean {
  const source = ['sql', 'sqltable'];
  return a === b || (source.includes(a) && source.includes(b));
}

function isEmpty(value: TreeNode): boolean {
  return (value.kind === 'seq' && value.items.length === 0) || (value.kind === 'map' && value.pairs.length === 0);
}

function includedName(item: TreeNode | undefined): string | undefined {
  return item?.kind === 'scalar' ? item.value : nameOf(item);
}

function rangeOf({ at }: Placed<TreeNode>, node: { readonly start: number; readonly end: number }): [number, number] {
  return [at + node.start, at + node.end];
}

function sliceOf(placed: Placed<TreeNode>, node: { readonly start: number; readonly end: number }): string {
  return placed.text.slice(...rangeOf(placed, node));
}

/** Returns a piece of text moved so that it begins in a column. */
function shiftedTo(
  placed: Placed<TreeNode>,
  node: { readonly start: number; readonly end: number },
  column: number,
): string {
  return shifted(sliceOf(placed, node), column - columnOf(placed.text, placed.at + node.start));
}

/** Returns the column of the dash before an item. */
function dashOf({ text, at, node }: Placed<TreeNode>): number {
  const start = at + node.start;
  const dash = text.lastIndexOf('-', start - 1);
  if (dash === -1 || text.slice(dash + 1, start).trim() !== '')
    throw new Unsure('The list is not written line by line.');
  return columnOf(text, dash);
}

/** Returns an item with its dash and the comments at the end of its last line. */
function itemText(item: Placed<TreeNode>, column: number): string {
  const end = lineEndOf(item.text, item.at + item.node.end);
  const start = item.text.lastIndexOf('-', item.at + item.node.start - 1);
  return shifted(item.text.slice(start, end).trimEnd(), column - columnOf(item.text, start));
}

/** Returns the text between the items of a list, which may include a blank line. */
function gapOf(items: readonly { readonly node: MapNode }[], base: Placed<TreeNode>): string {
  const [a, b] = items.slice(-2);
  const between = a && b && b !== a ? base.text.slice(base.at + a.node.end, base.at + b.node.start) : '';
  return /\n[ \t]*\n/.test(between) ? '\n\n' : '\n';
}
