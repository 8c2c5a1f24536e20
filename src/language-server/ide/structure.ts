import { append } from '#base/long-lists.ts';
import {
  type DocumentLink,
  type FoldingRange,
  FoldingRangeKind,
  type Position,
  type SelectionRange,
} from 'vscode-languageserver';
import { dirName } from '#base/path.ts';
import { importedFile } from '#model/imported.ts';
import { entitiesOf, entityAt } from '#model/locate.ts';
import type { MapNode, TreeNode } from '#model/syntax/tree.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

/** The most ranges that editors draw. */
const MOST = 5000;

/** A node that can be folded, in offsets of the file. Its `depth` counts the nodes around it. */
interface Foldable {
  readonly start: number;
  readonly end: number;
  readonly depth: number;
}

/**
 * Returns the ranges that can be folded: entities, their lists, members, long SQL, and runs of comment lines. Where there are too
 * many, the innermost levels are left out in the whole file, so that it can be folded to its end.
 */
export function foldingRanges({ file, positions }: Opened, limit = MOST): FoldingRange[] {
  const { text } = file;
  const found: Foldable[] = [];
  const visit = (node: TreeNode | undefined, base: number, from: number, depth: number): void => {
    if (!node) return;
    const [start, end] = [base + from, base + node.end];
    const lineBreak = text.indexOf('\n', start);
    if (lineBreak !== -1 && lineBreak < end) found.push({ start, end, depth });
    if (node.kind === 'map') for (const pair of node.pairs) visit(pair.value, base, pair.key.start, depth + 1);
    else if (node.kind === 'seq')
      for (const item of node.items) if (item?.kind === 'map') visit(item, base, item.start, depth + 1);
  };
  for (const { entity, start } of entitiesOf(file))
    visit(entity.node, start, Math.min(entity.node.start, entity.nameNode?.start ?? Infinity), 0);
  const ranges = outermost(found, limit).map(({ start, end }) => ({
    startLine: positions.positionAt(start).line,
    endLine: positions.positionAt(end).line,
  }));
  if (file.language === 'yaml') append(ranges, comments(text, limit - ranges.length, positions));
  return unique(ranges);
}

/** Returns the nodes of the outermost levels that are not more than `limit` together. */
function outermost(found: readonly Foldable[], limit: number): readonly Foldable[] {
  if (found.length <= limit) return found;
  const counts = new Map<number, number>();
  for (const { depth } of found) counts.set(depth, (counts.get(depth) ?? 0) + 1);
  let deepest = -1;
  let left = limit;
  for (let depth = 0; left >= (counts.get(depth) ?? 0) && depth <= counts.size; depth++) {
    left -= counts.get(depth) ?? 0;
    deepest = depth;
  }
  return found.filter(({ depth }) => depth <= Math.max(deepest, 0)).slice(0, limit);
}

function comments(text: string, limit: number, positions: Opened['positions']): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  if (limit <= 0) return ranges;
  for (const match of text.matchAll(/(?<![^\n])[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+/g)) {
    if (ranges.length >= limit) break;
    ranges.push({
      startLine: positions.positionAt(match.index).line,
      endLine: positions.positionAt(match.index + match[0].length).line,
      kind: FoldingRangeKind.Comment,
    });
  }
  return ranges;
}

function unique(ranges: readonly FoldingRange[]): FoldingRange[] {
  const seen = new Set<number>();
  return ranges.filter(({ startLine }) => !seen.has(startLine) && seen.add(startLine));
}

/** Returns the nodes around a position, from the innermost out. */
export function selectionRange({ file, positions }: Opened, position: Position): SelectionRange {
  const offset = positions.offsetAt(position);
  const at = entityAt(file, offset);
  let range: SelectionRange = { range: rangeOf(positions, 0, file.text.length) };
  if (!at) return range;
  const spans: { readonly start: number; readonly end: number }[] = [];
  const visit = (node: TreeNode): void => {
    const inside = offset - at.start;
    if (node.start > inside || inside > node.end) return;
    spans.push(node);
    if (node.kind === 'map') visitPairs(node, inside);
    else if (node.kind === 'seq') for (const item of node.items) if (item) visit(item);
  };
  const visitPairs = (node: MapNode, inside: number): void => {
    for (const pair of node.pairs) {
      if (pair.key.start > inside || inside > pair.end) continue;
      spans.push({ start: pair.key.start, end: pair.end });
      visit(pair.key);
      if (pair.value) visit(pair.value);
    }
  };
  visit(at.entity.node);
  for (const { start, end } of spans)
    range = { range: rangeOf(positions, at.start + start, at.start + end), parent: range };
  return range;
}

/** Returns the templates and scripts that a file imports, as links to their files. */
export function documentLinks(opened: Opened): DocumentLink[] {
  const { file, positions, root } = opened;
  const scripts = file.chunks.flatMap(({ chunk, start }) =>
    chunk.imports.flatMap((imported): DocumentLink[] => {
      const target = importedFile(imported.path, root.index)?.path;
      // The link covers the path without its quotes.
      const range = rangeOf(positions, start + imported.start + 1, start + imported.end - 1);
      return target === undefined ? [] : [{ range, target }];
    }),
  );
  return [...scripts, ...templateLinks(opened)];
}

function templateLinks({ file, positions, root }: Opened): DocumentLink[] {
  return file.jinja.flatMap(({ word, start, end }): DocumentLink[] => {
    if (word !== 'import' && word !== 'include' && word !== 'from' && word !== 'extends') return [];
    const match = /(["'])([^"']+)\1/.exec(file.text.slice(start, end));
    const path = match?.[2];
    if (!match || path === undefined) return [];
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const target =
      [`${root.uri}/${encoded}`, `${dirName(file.path)}/${encoded}`].find((uri) => root.index.file(uri)) ??
      `${root.uri}/${encoded}`;
    return [{ range: rangeOf(positions, start + match.index + 1, start + match.index + 1 + path.length), target }];
  });
}
