import { type DocumentSymbol, type Position, type Range, SymbolKind } from 'vscode-languageserver';
import { rangeInFile } from '#model/index.ts';
import { entitiesOf, type PlacedEntity } from '#model/locate.ts';
import { nameRange } from '#model/name-range.ts';
import type { Entity, EntityKind } from '#model/syntax/entity.ts';
import type { ShapeName } from '#model/language/types.ts';
import { childrenOf, rootSite, type Site } from '#model/typed.ts';
import { withEllipses } from '#model/syntax/tree.ts';
import { releaseLarge } from '#language-server/documents/large-files.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { Opened } from '#language-server/workspace/workspace.ts';

const ENTITY_KINDS: Readonly<Record<EntityKind, SymbolKind>> = {
  cube: SymbolKind.Class,
  view: SymbolKind.Interface,
  viewGroup: SymbolKind.Package,
};
const MEMBER_KINDS: Partial<Readonly<Record<ShapeName, SymbolKind>>> = {
  dimension: SymbolKind.Field,
  measure: SymbolKind.Function,
  segment: SymbolKind.Boolean,
  join: SymbolKind.Object,
  preAggregation: SymbolKind.Struct,
  hierarchy: SymbolKind.Array,
  granularity: SymbolKind.EnumMember,
  index: SymbolKind.Key,
  folder: SymbolKind.Namespace,
};

/**
 * Returns the outline of a file: entities with their members, as its template renders them. It is cut after `limit` entries, with
 * a note at its end.
 */
export function documentSymbols(opened: Opened, limit = 5000): DocumentSymbol[] {
  const { file, positions, root } = opened;
  const rendering = root.index.rendering(file.path);
  const rangeAt: RangeAt = (start, end) => {
    const range = rangeInFile({ file, start: 0, rendering }, start, end);
    return rangeOf(positions, range.start, range.end);
  };
  let left = limit;
  const symbols: DocumentSymbol[] = [];
  for (const { entity, start, chunk } of entitiesOf(rendering?.file ?? file)) {
    if (left-- <= 0) {
      symbols.push(endOfOutline(limit, rangeAt(start + entity.node.start, start + entity.node.end)));
      break;
    }
    const children: DocumentSymbol[] = [];
    for (const group of childrenOf(rootSite(entity))) {
      for (const member of childrenOf(group)) {
        if (left-- === 0)
          children.push(endOfOutline(limit, rangeAt(start + member.node.start, start + member.node.end)));
        if (left < 0) break;
        const symbol = memberSymbol(member, start, chunk.text, rangeAt);
        if (symbol) children.push(symbol);
      }
    }
    symbols.push({ ...entitySymbol({ entity, start, chunk }, rangeAt), children });
    releaseLarge(file, chunk);
  }
  return symbols;
}

function entitySymbol({ entity, start, chunk }: PlacedEntity, rangeAt: RangeAt): DocumentSymbol {
  const name = entity.nameNode;
  const range = rangeAt(start + startOf(entity, chunk.text), start + entity.node.end);
  const own = name && nameRange(name, chunk.text);
  return {
    name: shownName(name?.value ?? ''),
    kind: ENTITY_KINDS[entity.kind],
    range,
    selectionRange: own
      ? within(rangeAt(start + own.start, start + own.end), range)
      : { start: range.start, end: range.start },
  };
}

/** Returns the last entry of a cut outline, at the position of the first omitted one. */
function endOfOutline(limit: number, range: Range): DocumentSymbol {
  const name = `… the outline ends after ${limit.toLocaleString('en')} entries`;
  return { name, kind: SymbolKind.Null, range, selectionRange: { start: range.start, end: range.start } };
}

type RangeAt = (start: number, end: number) => Range;

/** Shows the generated portion of a name, which only the platform knows, as an ellipsis. */
function shownName(name: string): string {
  return withEllipses(name) || '(no name)';
}

/** Returns where a definition begins: in a script with the name that stands in front of its object. */
function startOf({ node, nameNode }: Entity, text: string): number {
  const isBefore = nameNode && nameNode.end <= node.start && /^\s*,\s*$/.test(text.slice(nameNode.end, node.start));
  return isBefore ? nameNode.start : node.start;
}

function memberSymbol(site: Site, start: number, text: string, rangeAt: RangeAt): DocumentSymbol | undefined {
  const kind = site.shape === undefined ? undefined : MEMBER_KINDS[site.shape];
  const name = site.nameNode ?? nameOf(site);
  if (kind === undefined || !name || name.value === '') return undefined;
  const from = Math.min(site.node.start, name.start);
  const range = rangeAt(start + from, start + Math.max(site.node.end, name.end));
  const own = nameRange(name, text);
  const detail = typeWord(site);
  return {
    name: shownName(name.value),
    kind,
    range,
    selectionRange: within(rangeAt(start + own.start, start + own.end), range),
    ...(detail === undefined ? {} : { detail }),
  };
}

function nameOf(site: Site): Site['nameNode'] {
  const value = site.node.kind === 'map' ? site.node.pairs.find((pair) => pair.key.value === 'name')?.value : undefined;
  return value?.kind === 'scalar' ? value : undefined;
}

function typeWord(site: Site): string | undefined {
  const value =
    site.node.kind === 'map'
      ? site.node.pairs.find((pair) => pair.key.value === 'type' || pair.key.value === 'relationship')?.value
      : undefined;
  return value?.kind === 'scalar' ? value.value : undefined;
}

/**
 * Returns the selection range, or the start of the range if the name is outside of it, as in JavaScript or where a macro
 * generates the name: the protocol requires the one inside the other.
 */
function within<T extends { start: { line: number; character: number }; end: { line: number; character: number } }>(
  inner: T,
  outer: T,
): T {
  const isOutside = isBefore(inner.start, outer.start) || isBefore(outer.end, inner.end);
  return isOutside ? { ...inner, start: outer.start, end: outer.start } : inner;
}

function isBefore(one: Position, other: Position): boolean {
  return one.line < other.line || (one.line === other.line && one.character < other.character);
}
