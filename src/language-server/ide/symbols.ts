import { type DocumentSymbol, SymbolKind } from 'vscode-languageserver';
import { entitiesOf } from '#model/locate.ts';
import type { EntityKind } from '#model/syntax/entity.ts';
import type { ShapeName } from '#model/language/types.ts';
import { childrenOf, rootSite, type Site } from '#model/typed.ts';
import { type Positions, rangeOf } from '../lines.ts';
import type { Opened } from '../workspace.ts';

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

/** The outline of a file: entities with their members. */
export function documentSymbols({ file, positions }: Opened, limit = 5000): DocumentSymbol[] {
  let left = limit;
  const symbols: DocumentSymbol[] = [];
  for (const { entity, start } of entitiesOf(file)) {
    if (left-- <= 0) break;
    const children: DocumentSymbol[] = [];
    for (const group of childrenOf(rootSite(entity))) {
      for (const member of childrenOf(group)) {
        if (left-- <= 0) break;
        const symbol = memberSymbol(member, start, positions);
        if (symbol) children.push(symbol);
      }
    }
    const range = rangeOf(positions, start + entity.node.start, start + entity.node.end);
    const name = entity.nameNode;
    symbols.push({
      name: name?.value || '(no name)',
      kind: ENTITY_KINDS[entity.kind],
      range,
      selectionRange: name
        ? within(rangeOf(positions, start + name.start, start + name.end), range)
        : { start: range.start, end: range.start },
      children,
    });
  }
  return symbols;
}

function memberSymbol(site: Site, start: number, positions: Positions): DocumentSymbol | undefined {
  const kind = site.shape === undefined ? undefined : MEMBER_KINDS[site.shape];
  const name = site.nameNode ?? nameOf(site);
  if (kind === undefined || !name || name.value === '') return undefined;
  const from = Math.min(site.node.start, name.start);
  const range = rangeOf(positions, start + from, start + Math.max(site.node.end, name.end));
  const detail = typeWord(site);
  return {
    name: name.value,
    kind,
    range,
    selectionRange: rangeOf(positions, start + name.start, start + name.end),
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

/** A selection range must lie inside the range; in JavaScript the name stands before the map. */
function within<T extends { start: { line: number; character: number }; end: { line: number; character: number } }>(
  inner: T,
  outer: T,
): T {
  const isBefore =
    inner.start.line < outer.start.line ||
    (inner.start.line === outer.start.line && inner.start.character < outer.start.character);
  return isBefore ? { ...inner, start: outer.start, end: outer.start } : inner;
}
