import type { ModelFile } from '../file.ts';
import type { ChunkEntity } from '../chunk.ts';
import type { MapNode, Pair, SeqNode, TreeNode } from '../syntax/tree.ts';
import { outdatedKeys } from './completeness.ts';
import { requireDefinitions } from './definitions.ts';
import { foldKey, isSameValue, nameOf, namedItems, SECTIONS } from './names.ts';
import type { TextChange } from '#base/text-change.ts';
import { columnOf, commentsAbove, lineEndOf, shifted, withEdits } from './text-edits.ts';
import { Unsure } from './unsure.ts';

/** Merges like `mergeYaml`, for `cube(…)` and `view(…)` calls whose definition is a plain object. */
export function mergeScript(base: ModelFile, piece: ModelFile, isElided: boolean): string {
  const known = entitiesOf(base);
  const found = entitiesOf(piece);
  const fresh = found.filter((entity) => !known.some((other) => isSame(entity, other)));
  requireDefinitions(fresh);
  if (fresh.length === found.length) return `${base.text.trimEnd()}\n\n${piece.text.trim()}\n`;
  if (fresh.length > 0) throw new Unsure('It defines new cubes or views beside changes to known ones.');
  const merge = new ScriptMerge(base.text, piece.text, isElided);
  for (const entity of found) {
    const [same, ...more] = known.filter((other) => isSame(entity, other));
    if (!same || more.length > 0)
      throw new Unsure(`The file defines “${entity.nameNode?.value ?? ''}” more than once.`);
    if (![same, entity].every(isPlain)) throw new Unsure('The definition is computed: only you can edit it safely.');
    merge.keys(same.node, entity.node);
  }
  return merge.result();
}

function entitiesOf({ chunks }: ModelFile): readonly ChunkEntity[] {
  return chunks.flatMap(({ chunk }) => chunk.entities);
}

function isSame(a: ChunkEntity, b: ChunkEntity): boolean {
  return a.kind === b.kind && a.nameNode !== undefined && a.nameNode.value === b.nameNode?.value;
}

function isPlain({ conditional, isElsewhere, node }: ChunkEntity): boolean {
  return !conditional && isElsewhere !== true && !node.open;
}

class ScriptMerge {
  readonly #base: string;
  readonly #piece: string;
  readonly #isElided: boolean;
  readonly #edits: TextChange[] = [];

  constructor(base: string, piece: string, isElided: boolean) {
    this.#base = base;
    this.#piece = piece;
    this.#isElided = isElided;
  }

  result(): string {
    return withEdits(this.#base, this.#edits);
  }

  keys(base: MapNode, piece: MapNode): void {
    const added: Pair[] = [];
    for (const pair of piece.pairs) {
      const key = foldKey(pair.key.value);
      const known = base.pairs.find((other) => foldKey(other.key.value) === key);
      if (!known) added.push(pair);
      else if (isSameValue(known.value, pair.value)) continue;
      else if (SECTIONS.has(key) && known.value && pair.value) this.#section(key, known.value, pair.value);
      else this.#replace(known, pair);
    }
    this.#add(base, added);
  }

  #section(key: string, base: TreeNode, piece: TreeNode): void {
    if (base.kind === 'seq' && piece.kind === 'seq') {
      this.#list(base, piece);
      return;
    }
    const [before, after] = [namedItems(base), namedItems(piece)];
    if (base.kind !== 'map' || piece.kind !== 'map' || base.open || piece.open || !before || !after)
      throw new Unsure(`“${key}” is computed: only you can edit it safely.`);
    for (const { name, node } of after) {
      const same = before.find((item) => item.name === name);
      if (same) this.#member(key, same.node, node);
    }
    this.#add(
      base,
      piece.pairs.filter((pair) => !before.some(({ name }) => name === pair.key.value)),
    );
  }

  #member(section: string, base: MapNode, piece: MapNode): void {
    if (isSameValue(base, piece)) return;
    if (base.open || piece.open) throw new Unsure('A member is computed: only you can edit it safely.');
    const outdated = outdatedKeys(section, base, piece, this.#isElided);
    if (outdated.length === 0) {
      this.keys(base, piece);
      return;
    }
    const stays = base.pairs.filter(
      ({ key }) =>
        !outdated.includes(foldKey(key.value)) &&
        !piece.pairs.some((pair) => foldKey(pair.key.value) === foldKey(key.value)),
    );
    if (stays.length > 0) throw new Unsure('The answer redefines a member and leaves out what describes it.');
    const text = shifted(this.#piece.slice(piece.start, piece.end), this.#shift(base, piece));
    this.#edits.push({ start: base.start, end: base.end, text });
  }

  /** Merges cubes of a view, by their path. */
  #list(base: SeqNode, piece: SeqNode): void {
    const [before, after] = [namedItems(base), namedItems(piece)];
    const last = base.items.at(-1);
    if (!before || !after || base.open || piece.open || !last)
      throw new Unsure('A list is computed: only you can edit it safely.');
    for (const { name, node } of after) {
      const same = before.find((item) => item.name === name);
      if (same) this.#entry(same.node, node);
      else this.#addItem(last, node);
    }
  }

  /** Merges an entry; lists of included members only grow. */
  #entry(base: MapNode, piece: MapNode): void {
    const added: Pair[] = [];
    for (const pair of piece.pairs) {
      const known = base.pairs.find(({ key }) => foldKey(key.value) === foldKey(pair.key.value));
      if (!known) added.push(pair);
      else if (isSameValue(known.value, pair.value)) continue;
      else if (foldKey(pair.key.value) === 'includes') this.#includes(known.value, pair);
      else this.#replace(known, pair);
    }
    this.#add(base, added);
  }

  #includes(base: TreeNode | undefined, { value: piece }: Pair): void {
    const last = base?.kind === 'seq' ? base.items.at(-1) : undefined;
    if (base?.kind !== 'seq' || piece?.kind !== 'seq' || !last)
      throw new Unsure('The answer includes only some of the members that the file includes.');
    const names = new Set(base.items.map(includedName));
    for (const item of piece.items) if (item && !names.has(includedName(item))) this.#addItem(last, item);
  }

  #addItem(last: TreeNode, item: TreeNode): void {
    const column = columnOf(this.#base, last.start);
    const ownLine = this.#base.slice(last.start - column, last.start).trim() === '';
    const text = shifted(this.#piece.slice(item.start, item.end), column - columnOf(this.#piece, item.start));
    this.#edits.push({
      start: last.end,
      end: last.end,
      text: ownLine ? `,\n${' '.repeat(column)}${text}` : `, ${text}`,
    });
  }

  #replace(known: Pair, pair: Pair): void {
    const start = known.key.start;
    const text = shifted(
      this.#piece.slice(pair.key.start, pair.end),
      columnOf(this.#base, start) - columnOf(this.#piece, pair.key.start),
    );
    this.#edits.push({ start, end: known.end, text });
  }

  #add(base: MapNode, pairs: readonly Pair[]): void {
    if (pairs.length === 0) return;
    const last = base.pairs.at(-1);
    const column = last ? columnOf(this.#base, last.key.start) : this.#indentOf(base.start) + 2;
    const texts = pairs.map((pair) => {
      const from = columnOf(this.#piece, pair.key.start);
      return (
        commentsAbove(this.#piece, pair.key.start, '//', column) +
        ' '.repeat(column) +
        shifted(this.#piece.slice(pair.key.start, pair.end), column - from)
      );
    });
    if (!last) {
      const text = `{\n${texts.join(',\n')},\n${' '.repeat(column - 2)}}`;
      this.#edits.push({ start: base.start, end: base.end, text });
      return;
    }
    if (this.#base.slice(last.key.start - column, last.key.start).trim() !== '') {
      const inline = pairs.map((pair) => this.#piece.slice(pair.key.start, pair.end));
      if (inline.some((text) => text.includes('\n'))) throw new Unsure('The definition is written in one line.');
      this.#edits.push({ start: last.end, end: last.end, text: `, ${inline.join(', ')}` });
      return;
    }
    const after = this.#base.slice(last.end, base.end - 1);
    const hasComma = /^(?:\s|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)*,/.test(after);
    if (!hasComma) this.#edits.push({ start: last.end, end: last.end, text: ',' });
    const at = lineEndOf(this.#base, last.end);
    const gap = this.#gap(base);
    this.#edits.push({
      start: at,
      end: at,
      text: texts.map((text) => `${gap}${text}${hasComma ? ',' : ''}`).join(hasComma ? '' : ','),
    });
  }

  #gap({ pairs }: MapNode): string {
    const [a, b] = pairs.slice(-2);
    return a && b && /\n[ \t]*\n/.test(this.#base.slice(a.end, b.key.start)) ? '\n\n' : '\n';
  }

  #shift(base: MapNode, piece: MapNode): number {
    return this.#indentOf(base.start) - indentOf(this.#piece, piece.start);
  }

  #indentOf(at: number): number {
    return indentOf(this.#base, at);
  }
}

function includedName(item: TreeNode | undefined): string | undefined {
  return item?.kind === 'scalar' ? item.value : nameOf(item);
}

function indentOf(text: string, at: number): number {
  const line = text.slice(at - columnOf(text, at), lineEndOf(text, at));
  return line.length - line.trimStart().length;
}
