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
import { rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';

/** Returns the ranges that can be folded: entities, their lists, members, long SQL, and runs of comment lines. */
export function foldingRanges({ file, positions }: Opened, limit = 5000): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  const add = (start: number, end: number): void => {
    if (ranges.length >= limit) return;
    const startLine = positions.positionAt(start).line;
    const endLine = positions.positionAt(end).line;
    if (endLine > startLine) ranges.push({ startLine, endLine });
  };
  const visit = (node: TreeNode | undefined, base: number, from: number): void => {
    if (!node) return;
    add(base + from, base + node.end);
    if (node.kind === 'map') for (const pair of node.pairs) visit(pair.value, base, pair.key.start);
    else if (node.kind === 'seq')
      for (const item of node.items) if (item?.kind === 'map') visit(item, base, item.start);
  };
  for (const { entity, start } of entitiesOf(file))
    visit(entity.node, start, Math.min(entity.node.start, entity.nameNode?.start ?? Infinity));
  if (file.language === 'yaml') ranges.push(...comments(file.text, limit - ranges.length, positions));
  return unique(ranges);
}

function comments(text: string, limit: number, positions: Opened['positions']): FoldingRange[] {
  const ranges: FoldingRange[] = [];
  for (const match of text.matchAll(/^[ \t]*#[^\n]*(?:\n[ \t]*#[^\n]*)+/gm)) {
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
