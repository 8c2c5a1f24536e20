import { append } from '#base/long-lists.ts';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Effective } from '#model/effective.ts';
import { cardinality, fansOut, reachable } from '#model/graph.ts';
import type { ModelIndex } from '#model/index.ts';
import { GRANULARITIES } from '#model/language/shared-keys.ts';
import type { Target } from '#model/language/types.ts';
import { membersWhenRun } from '#model/run-members.ts';
import { granularitiesOf } from '#model/granularities.ts';
import type { EntitySymbol, MemberKind } from '#model/symbols.ts';
import { isDynamic } from '#model/syntax/tree.ts';

const KINDS: Readonly<Record<MemberKind, CompletionItemKind>> = {
  dimension: CompletionItemKind.Field,
  measure: CompletionItemKind.Function,
  segment: CompletionItemKind.Event,
  hierarchy: CompletionItemKind.Struct,
  preAggregation: CompletionItemKind.Module,
};
const TARGET_KINDS: Partial<Readonly<Record<Target, readonly MemberKind[]>>> = {
  dimension: ['dimension'],
  switchDimension: ['dimension'],
  measure: ['measure'],
  segment: ['segment'],
  preAggregation: ['preAggregation'],
  member: ['dimension', 'measure', 'segment'],
  indexColumn: ['dimension', 'measure', 'segment'],
  includedMember: ['dimension', 'measure', 'segment', 'hierarchy'],
  viewMember: ['dimension', 'measure', 'segment', 'hierarchy'],
  ownMember: ['dimension', 'measure', 'segment'],
};
const CONTEXT_WORDS: readonly (readonly [string, string])[] = [
  ['FILTER_PARAMS', 'Filters of the query, to push into the SQL.'],
  ['FILTER_GROUP', 'Several FILTER_PARAMS joined as in the query.'],
  ['SECURITY_CONTEXT', 'The security context of the query.'],
  ['SQL_UTILS', 'Helpers for time zones and addresses.'],
  ['COMPILE_CONTEXT', 'Who the model is compiled for.'],
];

/**
 * Returns a detail for every row of the list: editors show `detail` for the selected row only, but the label's description for
 * each.
 */
export function inEveryRow(detail: string): Pick<CompletionItem, 'detail' | 'labelDetails'> {
  return { detail, labelDetails: { description: detail } };
}

/** Returns the completion item of a member. */
export function memberItem(member: Effective, order: string): CompletionItem {
  const written = member.member;
  const detail = [member.kind, written.text('type')].filter((word) => word !== undefined).join(' · ');
  const text = written.text('description') ?? written.text('title');
  return {
    label: member.name,
    kind: KINDS[member.kind],
    ...inEveryRow(detail),
    sortText: order + member.name,
    ...(text === undefined ? {} : { documentation: text }),
  };
}

function entityItem(entity: EntitySymbol, detail: string, order: string): CompletionItem {
  const kind = entity.kind === 'cube' ? CompletionItemKind.Class : CompletionItemKind.Interface;
  const text = entity.text('description') ?? entity.text('title');
  return {
    label: entity.name,
    kind,
    ...inEveryRow(detail),
    sortText: order + entity.name,
    ...(text === undefined ? {} : { documentation: text }),
  };
}

/** Returns the members of an entity to which a reference may point, including inherited ones. */
export function membersFor(entity: EntitySymbol, target: Target, index: ModelIndex): CompletionItem[] {
  const kinds = TARGET_KINDS[target] ?? TARGET_KINDS.member ?? [];
  return (
    [...membersWhenRun(entity, index).values()]
      // A name of which a template computes only a part is none that can be written.
      .filter(({ kind, name }) => kinds.includes(kind) && !isDynamic(name))
      .map((member) => memberItem(member, '1'))
  );
}

/** Returns other cubes that joins lead to, nearest first. The detail says if rows multiply on the way. */
function reachableCubes(entity: EntitySymbol, index: ModelIndex): CompletionItem[] {
  return [...reachable(entity, index)].flatMap(([cube, path]) => {
    if (cube === entity || cube.dynamic) return [];
    const way = path.map(({ to }) => to.name).join('.');
    const last = path.at(-1);
    const detail = `${last ? cardinality(last.join) : ''} · ${way}${fansOut(path) ? ' · multiplies rows' : ''}`;
    return [entityItem(cube, detail, `3${path.length}`)];
  });
}

/** Returns the possible first names of a path: `CUBE`, own members, reachable cubes, and the variables of the engine. */
export function heads(entity: EntitySymbol, target: Target, form: 'sql' | 'path', index: ModelIndex): CompletionItem[] {
  // The engine accepts no path there.
  if (target === 'ownMember') return membersFor(entity, target, index);
  const items: CompletionItem[] = [
    // In a list of members, a name alone is enough.
    { label: 'CUBE', kind: CompletionItemKind.Keyword, detail: 'this cube', sortText: form === 'sql' ? '0' : '2' },
    ...membersFor(entity, target, index),
    ...reachableCubes(entity, index),
    ...(entity.kind === 'cube' && entity.name !== '' && !entity.dynamic ? [entityItem(entity, 'this cube', '5')] : []),
  ];
  if (form === 'sql') append(items, contextWords('4'));
  return items;
}

/** Returns the possible first names of a path in the SQL of a cube's table: what filters it, and other cubes; it has no members. */
export function tableHeads(entity: EntitySymbol, index: ModelIndex): CompletionItem[] {
  const cubes = allEntities(index, ['cube']).filter(({ label }) => label !== entity.name);
  return [...contextWords('1'), ...cubes.map((item) => ({ ...item, sortText: `2${item.label}` }))];
}

/** Returns what may follow the name of a cube in the SQL of another cube's table. */
export const TABLE_TAILS: readonly CompletionItem[] = [
  { label: 'sql()', kind: CompletionItemKind.Method, detail: 'the SQL of this cube', sortText: '0' },
];

/** Checks for the SQL of a cube's table. */
export function isTableSql({
  shape,
  key,
}: {
  readonly shape: string | undefined;
  readonly key: string | undefined;
}): boolean {
  return shape === 'cube' && (key === 'sql' || key === 'sql_table');
}

/** Returns the variables of the engine. */
function contextWords(order: string): CompletionItem[] {
  return CONTEXT_WORDS.map(([label, documentation], at) => ({
    label,
    documentation,
    kind: CompletionItemKind.Constant,
    sortText: `${order}${at}${label}`,
  }));
}

/** Checks whether names before a dot stand for the cube itself. */
export function isItself(names: readonly string[], entity: EntitySymbol): boolean {
  const [first, ...more] = names;
  return first === undefined || (more.length === 0 && (first === 'CUBE' || first === 'TABLE' || first === entity.name));
}

/** Returns what may follow `a.b.`: members and joined cubes of the last cube, or granularities of a time dimension. */
export function tails(
  names: readonly string[],
  entity: EntitySymbol,
  target: Target,
  index: ModelIndex,
): CompletionItem[] {
  let at: EntitySymbol | undefined = entity;
  let path = names;
  const engines = contextTails(names);
  if (engines) return engines;
  if (names[0] === 'FILTER_PARAMS') {
    if (names.length === 1) return allEntities(index, ['cube', 'view']);
    path = names.slice(1);
  }
  for (const [position, name] of path.entries()) {
    if (position === 0 && (name === 'CUBE' || name === 'TABLE')) continue;
    const next: EntitySymbol | undefined = index.entity(name);
    const member: Effective | undefined = at && !next ? index.member(at, name) : undefined;
    if (member) return member.member.text('type') === 'time' ? granularityItems(granularitiesOf(member.member)) : [];
    if (!next) return [];
    at = next;
  }
  const joined =
    target === 'preAggregation' ? [] : reachableCubes(at, index).filter(({ sortText }) => sortText?.startsWith('31'));
  return [...membersFor(at, target, index), ...joined];
}

/** What the engine's own variables offer, by the name before the dot and how many names follow it. */
const CONTEXT_TAILS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  'FILTER_PARAMS 3': [['filter', 'The condition of the query on this member, or `1 = 1`.']],
  'SECURITY_CONTEXT 2': [
    ['filter', 'A condition on a column, or `1 = 1` where the context has no such value.'],
    ['requiredFilter', 'A condition on a column; the query fails where the context has no such value.'],
    ['unsafeValue', 'The value itself, unescaped: never put it into SQL as it is.'],
  ],
  'SQL_UTILS 1': [
    ['convertTz', 'A time in the time zone of the query.'],
    ['urlEncode', 'A text that is safe in an address.'],
  ],
  'COMPILE_CONTEXT 1': [['securityContext', 'The security context for which the model is compiled.']],
};

/** Returns what follows a variable of the engine; undefined for other paths. */
function contextTails(names: readonly string[]): CompletionItem[] | undefined {
  const [head = ''] = names;
  const count = names.length > 2 && head === 'SECURITY_CONTEXT' ? 2 : names.length;
  const known = CONTEXT_TAILS[`${head} ${count}`];
  return known?.map(([label, documentation], at) => ({
    label,
    documentation,
    kind: head === 'COMPILE_CONTEXT' ? CompletionItemKind.Property : CompletionItemKind.Method,
    sortText: `1${at}`,
  }));
}

/** Returns granularities in the given order. */
export function granularityItems(names: readonly string[]): CompletionItem[] {
  const isPredefined = (name: string): boolean => (GRANULARITIES as readonly string[]).includes(name);
  return names.map((label, at) => ({
    label,
    kind: CompletionItemKind.EnumMember,
    detail: isPredefined(label) ? 'granularity' : 'own granularity',
    sortText: `2${String(at).padStart(2, '0')}`,
  }));
}

/** Returns every cube or view whose name is known. */
export function allEntities(index: ModelIndex, kinds: readonly EntitySymbol['kind'][]): CompletionItem[] {
  return index
    .entities()
    .flatMap((entity) =>
      kinds.includes(entity.kind) && entity.name !== '' && !entity.dynamic
        ? [entityItem(entity, entity.kind, '1')]
        : [],
    );
}

/** Returns join paths that a view may use: every cube, and after a dot, the cubes that it joins to. */
export function joinPathItems(names: readonly string[], index: ModelIndex): CompletionItem[] {
  const last = names.at(-1);
  if (last === undefined) return allEntities(index, ['cube', 'view']);
  const entity = index.entity(last);
  return entity ? reachableCubes(entity, index).filter(({ sortText }) => sortText?.startsWith('31')) : [];
}
