import {
  type DocumentHighlight,
  DocumentHighlightKind,
  type Location,
  type LocationLink,
  type Range,
  SymbolKind,
  type SymbolInformation,
} from 'vscode-languageserver';
import { type GranularityAt, granularityUses } from '#model/usages/granularity-names.ts';
import { type ModelIndex, rangeInFile } from '#model/index.ts';
import { nameRange } from '#model/name-range.ts';
import { withEllipses } from '#model/syntax/tree.ts';
import type { EntitySymbol, MemberKind } from '#model/symbols.ts';
import { type Subject, usagesOf } from '#model/usages/usages.ts';
import { rangeOf } from '#language-server/documents/lines.ts';
import type { ModelRoot, Opened, Workspace } from '#language-server/workspace/workspace.ts';
import { globalDefinition } from '#language-server/ide/templates/jinja.ts';
import { macroDefinition } from '#language-server/ide/templates/macros.ts';
import { found, granularityIn, locationOf } from '#language-server/ide/locations.ts';
import { templateDefinition, templateReferences } from '#language-server/ide/templates/template-help.ts';

const KINDS: Readonly<Record<MemberKind | EntitySymbol['kind'], SymbolKind>> = {
  cube: SymbolKind.Class,
  view: SymbolKind.Interface,
  viewGroup: SymbolKind.Package,
  dimension: SymbolKind.Field,
  measure: SymbolKind.Function,
  segment: SymbolKind.Boolean,
  hierarchy: SymbolKind.Array,
  preAggregation: SymbolKind.Struct,
};

/** Returns the definition of the cube, view or member under the cursor. */
export function definition(opened: Opened, offset: number, workspace: Workspace): LocationLink[] {
  const inTemplate = templateDefinition(opened, offset, workspace);
  if (inTemplate.length > 0) return inTemplate;
  const granularity = granularityIn(opened, offset);
  if (granularity) return granularityDefinition(granularity, opened, workspace);
  const at = found(opened, offset);
  if (!at) {
    const macro = macroDefinition(opened, offset);
    return macro.length > 0 ? macro : globalDefinition(opened, offset);
  }
  const links = [at.subject, ...at.alike].flatMap((subject) =>
    definitionOf(subject, at.range, opened.root.index, workspace),
  );
  return [...new Map(links.map((link) => [JSON.stringify(link), link])).values()];
}

function granularityDefinition(
  { entity, start, end, granularity: { member, node, nameNode } }: GranularityAt,
  { root }: Opened,
  workspace: Workspace,
): LocationLink[] {
  const { index } = root;
  const origin = locationOf(workspace, index, entity.chunk, start, end);
  const whole = locationOf(workspace, index, member.owner.chunk, node.start, node.end);
  const own = nameRange(nameNode, member.owner.chunk.text);
  const name = locationOf(workspace, index, member.owner.chunk, own.start, own.end);
  if (!origin || !whole || !name) return [];
  return [
    {
      originSelectionRange: origin.range,
      targetUri: whole.uri,
      targetRange: whole.range,
      targetSelectionRange: name.range,
    },
  ];
}

function granularityLocations(
  { granularity }: GranularityAt,
  index: ModelIndex,
  workspace: Workspace,
  includeDeclaration: boolean,
): Location[] {
  const own = {
    entity: granularity.member.owner,
    ...nameRange(granularity.nameNode, granularity.member.owner.chunk.text),
  };
  const uses = [...(includeDeclaration ? [own] : []), ...granularityUses(granularity, index)];
  return uses.flatMap(({ entity, start, end }) => locationOf(workspace, index, entity.chunk, start, end) ?? []);
}

/** Returns the definition of a subject, for a name at `range`. */
export function definitionOf(subject: Subject, range: Range, index: ModelIndex, workspace: Workspace): LocationLink[] {
  return targets(subject).flatMap(({ entity, node, name }): LocationLink[] => {
    const placed = index.placement(entity.chunk);
    if (!placed) return [];
    const positions = workspace.positionsOf(placed.file);
    const own = nameRange(name, entity.chunk.text);
    const selected = rangeInFile(placed, own.start, own.end);
    const whole = rangeInFile(placed, Math.min(node.start, name.start), Math.max(node.end, name.end));
    return [
      {
        originSelectionRange: range,
        targetUri: placed.file.path,
        // A definition that a template renders from several of its texts need not contain the name.
        targetRange: rangeOf(positions, Math.min(whole.start, selected.start), Math.max(whole.end, selected.end)),
        targetSelectionRange: rangeOf(positions, selected.start, selected.end),
      },
    ];
  });
}

function targets(subject: Subject): {
  readonly entity: EntitySymbol;
  readonly node: { readonly start: number; readonly end: number };
  readonly name: NonNullable<EntitySymbol['nameNode']>;
}[] {
  if (subject.is === 'entity')
    return subject.entity.nameNode
      ? [{ entity: subject.entity, node: subject.entity.entity.node, name: subject.entity.nameNode }]
      : [];
  if (subject.is === 'member')
    return [{ entity: subject.member.owner, node: subject.member.node, name: subject.member.nameNode }];
  return [{ entity: subject.view, node: subject.node, name: subject.node }];
}

/** Returns every location that names what is under the cursor. */
export function references(
  opened: Opened,
  offset: number,
  workspace: Workspace,
  includeDeclaration: boolean,
): Location[] {
  const inTemplates = templateReferences(opened, offset, workspace, includeDeclaration);
  if (inTemplates) return inTemplates;
  const granularity = granularityIn(opened, offset);
  if (granularity) return granularityLocations(granularity, opened.root.index, workspace, includeDeclaration);
  const at = found(opened, offset);
  return at ? usageLocations([at.subject, ...at.alike], opened.root.index, workspace, includeDeclaration) : [];
}

/** Returns the ranges in a file that name what is under the cursor. */
export function highlights(opened: Opened, offset: number, workspace: Workspace): DocumentHighlight[] {
  return references(opened, offset, workspace, true).flatMap(({ uri, range }) =>
    uri === opened.uri ? [{ range, kind: DocumentHighlightKind.Text }] : [],
  );
}

function usageLocations(
  subjects: readonly Subject[],
  index: ModelIndex,
  workspace: Workspace,
  includeDeclaration: boolean,
): Location[] {
  const locations = new Map<string, Location>();
  for (const { entity, start, end, role } of subjects.flatMap((subject) => usagesOf(subject, index))) {
    if (role === 'definition' && !includeDeclaration) continue;
    const location = locationOf(workspace, index, entity.chunk, start, end);
    // A template can render one of its texts any number of times.
    if (location) locations.set(JSON.stringify(location), location);
  }
  return [...locations.values()];
}

/**
 * Returns cubes, views and members of all models whose name contains the letters of the query in order; a query with a dot
 * matches full names (`orders.count`). Exact matches come first, because a large model has more matches than are listed.
 */
export function workspaceSymbols(
  roots: readonly ModelRoot[],
  query: string,
  workspace: Workspace,
  limit = 256,
): SymbolInformation[] {
  const exact: SymbolInformation[] = [];
  const others: SymbolInformation[] = [];
  const wanted = query.toLowerCase();
  const isWhole = wanted.includes('.');
  const listFor = (name: string): SymbolInformation[] | undefined => {
    const isExact = name.length === wanted.length && name.toLowerCase() === wanted;
    const list = isExact ? exact : others;
    return list.length < limit && fits(name, wanted) ? list : undefined;
  };
  for (const { index } of roots) {
    for (const entity of index.entities()) {
      const own = entity.nameNode && listFor(entity.name);
      if (own && entity.nameNode)
        add(own, entity.name, KINDS[entity.kind], entity, entity.nameNode, '', index, workspace);
      for (const member of entity.members.values()) {
        const list = listFor(isWhole ? `${entity.name}.${member.name}` : member.name);
        if (list) add(list, member.name, KINDS[member.kind], entity, member.nameNode, entity.name, index, workspace);
      }
    }
  }
  return [...exact, ...others].slice(0, limit);
}

function add(
  symbols: SymbolInformation[],
  name: string,
  kind: SymbolKind,
  entity: EntitySymbol,
  node: NonNullable<EntitySymbol['nameNode']>,
  containerName: string,
  index: ModelIndex,
  workspace: Workspace,
): void {
  const { start, end } = nameRange(node, entity.chunk.text);
  const location = locationOf(workspace, index, entity.chunk, start, end);
  if (location)
    symbols.push({ name: withEllipses(name), kind, location, ...(containerName === '' ? {} : { containerName }) });
}

/** Whether a name contains all letters of the query in order. */
function fits(name: string, wanted: string): boolean {
  const text = name.toLowerCase();
  let at = 0;
  for (const letter of wanted) {
    at = text.indexOf(letter, at) + 1;
    if (at === 0) return false;
  }
  return true;
}

/** Converts links to plain locations for clients that do not support links. */
export function asLocations(links: LocationLink[], canLink: boolean): LocationLink[] | Location[] {
  return canLink
    ? links
    : links.map(({ targetUri, targetSelectionRange }) => ({ uri: targetUri, range: targetSelectionRange }));
}
