import { type CodeAction, CodeActionKind } from 'vscode-languageserver';
import { canonicalKey, language } from '#model/language/language.ts';
import { entityAt } from '#model/locate.ts';
import { nounOf } from '#model/language/types.ts';
import type { MapNode, Pair, SeqNode, TreeNode } from '#model/syntax/tree.ts';
import { type Site, walkEntity } from '#model/typed.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';
import type { LocatedProblem } from '#language-server/ide/diagnostics.ts';
import { type Preview, previewed, type TitledChange } from './previewed.ts';

/** Returns fixes that move misplaced text in whole lines, with a preview before they are applied. */
export function moveKey({ problem, start }: LocatedProblem, opened: Opened, preview: Preview): CodeAction[] {
  if (opened.file.language !== 'yaml' || opened.root.index.rendering(opened.file.path)) return [];
  const move = MOVES[problem.code]?.(opened, start);
  if (!move) return [];
  return [{ title: move.title, kind: CodeActionKind.QuickFix, ...previewed(move, opened, preview) }];
}

const MOVES: Readonly<Record<string, (opened: Opened, start: number) => TitledChange | undefined>> = {
  'unknown-key': moveOut,
  'duplicate-key': mergeLists,
};

/** Moves a key to the enclosing definition that has such a key, after that definition's last key. */
function moveOut({ file }: Opened, start: number): TitledChange | undefined {
  const found = pairAt(file, start);
  if (!found) return undefined;
  const { pair, site, base, map } = found;
  const name = pair.key.value;
  const target = ownerOf(site, name);
  if (target?.node.kind !== 'map' || target.node.flow || map.pairs.length === 1) return undefined;
  const lines = linesOf(file.text, base + pair.key.start, base + pair.end);
  const owner = target.node.pairs.at(-1);
  if (!lines || !owner) return undefined;
  const end = lineEnd(file.text, base + owner.end);
  const indent = columnOf(file.text, base + target.node.start);
  const moved = indented(file.text.slice(lines.start, lines.end), indent - columnOf(file.text, base + pair.key.start));
  const rest = file.text.slice(lines.end, end);
  const glue = rest === '' || rest.endsWith('\n') ? '' : '\n';
  return {
    title: `Move \`${name}\` to the ${nounOf(language[target.shape ?? 'cube'])}`,
    start: lines.start,
    end,
    text: `${rest}${glue}${moved}`,
  };
}

/** Returns the enclosing definition that may have a key and does not have it yet. */
function ownerOf(site: Site, name: string): Site | undefined {
  for (let at = site.parent; at; at = at.parent) {
    const { shape, node } = at;
    const key = shape && canonicalKey(shape, name);
    if (shape === undefined || key === undefined || node.kind !== 'map') continue;
    return node.pairs.some((pair) => canonicalKey(shape, pair.key.value) === key) ? undefined : at;
  }
  return undefined;
}

/** Appends the items of a duplicate list to those of the first one. */
function mergeLists({ file }: Opened, start: number): TitledChange | undefined {
  const found = pairAt(file, start);
  const first = found?.map.pairs.find(({ key }) => key.value === found.pair.key.value);
  const [into, from] = [first?.value, found?.pair.value];
  if (!found || !first || !isBlockList(into) || !isBlockList(from)) return undefined;
  const { pair, base } = found;
  const lines = linesOf(file.text, base + pair.key.start, base + pair.end);
  if (!lines || first === pair) return undefined;
  const head = lineEnd(file.text, lines.start);
  // There is more on the line of the key.
  if (file.text.slice(base + pair.key.end, head).trim() !== ':') return undefined;
  const end = lineEnd(file.text, base + first.end);
  const shift = columnOf(file.text, base + into.start) - columnOf(file.text, base + from.start);
  const items = indented(file.text.slice(head, lines.end), shift);
  return {
    title: `Merge it into the first \`${pair.key.value}\``,
    start: end,
    end: lines.end,
    text: `${items}${items.endsWith('\n') ? '' : '\n'}${file.text.slice(end, lines.start)}`,
  };
}

function isBlockList(node: TreeNode | undefined): node is SeqNode {
  return node?.kind === 'seq' && !node.flow && node.items.length > 0;
}

interface FoundPair {
  readonly site: Site;
  readonly map: MapNode;
  readonly pair: Pair;
  /** The start of its chunk in the file. */
  readonly base: number;
}

/** Returns the pair of a block mapping whose key starts at an offset of the file. */
function pairAt(file: Opened['file'], offset: number): FoundPair | undefined {
  const at = entityAt(file, offset);
  if (!at || at.chunk.templated) return undefined;
  let found: FoundPair | undefined;
  walkEntity(at.entity, (site) => {
    const { node } = site;
    if (node.kind !== 'map' || node.flow) return;
    const pair = node.pairs.find(({ key }) => at.start + key.start === offset);
    if (pair) found = { site, map: node, pair, base: at.start };
  });
  return found;
}

/**
 * Returns whole lines from one offset to another, including the last line break; `undefined` if there is other text before them.
 */
function linesOf(
  text: string,
  start: number,
  end: number,
): { readonly start: number; readonly end: number } | undefined {
  const from = text.lastIndexOf('\n', start - 1) + 1;
  return text.slice(from, start).trim() === '' ? { start: from, end: lineEnd(text, end) } : undefined;
}

/** Returns the offset after the line break of the line that contains an offset. */
function lineEnd(text: string, offset: number): number {
  const at = text.indexOf('\n', offset);
  return at === -1 ? text.length : at + 1;
}

function columnOf(text: string, offset: number): number {
  return offset - (text.lastIndexOf('\n', offset - 1) + 1);
}

/** Shifts lines to the right by a number of columns, or to the left. */
function indented(lines: string, by: number): string {
  if (by >= 0) return lines.replaceAll(/^(?=.*\S)/gm, ' '.repeat(by));
  return lines.replaceAll(new RegExp(`^ {1,${-by}}`, 'gm'), '');
}
