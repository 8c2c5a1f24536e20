import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import type { Cursor } from '#model/cursor/cursor.ts';

/** Names with which a condition of an access policy can begin. */
const SECURITY: readonly (readonly [string, string])[] = [
  ['securityContext', 'The security context of the query, for example `securityContext.isAdmin`.'],
  ['userAttributes', 'The attributes of the user, for example `userAttributes.region`.'],
  ['groups', 'The names of the groups of the user.'],
];

/** Returns what a condition of an access policy can name: attributes of the user, never members. */
export function securityItems(word: string): CompletionItem[] {
  if (/\.\w*$/.test(word)) return [];
  return SECURITY.map(([label, documentation], at) => ({
    label,
    documentation,
    kind: CompletionItemKind.Constant,
    sortText: String(at),
  }));
}

/** Types of measures whose SQL is a value of each row. */
const OF_ROWS = new Set(['sum', 'avg', 'min', 'max', 'count', 'count_distinct', 'count_distinct_approx']);
const MEMBERS: ReadonlySet<CompletionItemKind | undefined> = new Set<CompletionItemKind | undefined>([
  CompletionItemKind.Field,
  CompletionItemKind.Function,
  CompletionItemKind.Event,
]);

/**
 * Orders the items by how likely they are at the cursor. Members that the engine would refuse or that can only mislead are left
 * out if that is certain, and otherwise come last. `isOwn`: the items are members of the owner itself.
 */
export function rankItems(items: readonly CompletionItem[], cursor: Cursor, isOwn: boolean): CompletionItem[] {
  const itself = cursor.shape === 'join' || !isOwn ? undefined : cursor.siblings.get('name');
  return items.flatMap((item): CompletionItem[] => {
    if (!MEMBERS.has(item.kind)) return [cursor.shape === 'join' ? joinTarget(item, cursor) : item];
    const rank = rankOf(item, cursor);
    if (rank === undefined || (item.label === itself && cursor.key === 'sql')) return [];
    return [{ ...item, sortText: `${(item.sortText ?? '1').charAt(0)}${rank}${item.label}` }];
  });
}

/** Puts the cube that a join leads to first in its condition. */
function joinTarget(item: CompletionItem, { siblings }: Cursor): CompletionItem {
  return item.label === siblings.get('name') ? { ...item, sortText: '00' } : item;
}

type Kind = 'dimension' | 'measure' | 'segment';

/** The order of members in the SQL of a definition, lower is likelier; kinds that are not listed cannot be meant. */
const IN_SQL: Readonly<Record<string, Partial<Readonly<Record<Kind, number>>>>> = {
  join: { dimension: 1 },
  segment: { dimension: 1, segment: 2 },
  dimension: { dimension: 1, segment: 2, measure: 3 },
  ofRows: { dimension: 1, measure: 2, segment: 3 },
  formula: { measure: 1, dimension: 2, segment: 3 },
  // Filters, branches of a `case`, masks and bounds are about rows.
  sqlOnly: { dimension: 1, segment: 2, measure: 3 },
  caseWhen: { dimension: 1, segment: 2, measure: 3 },
  other: { dimension: 1, measure: 1, segment: 1 },
};

/** Members that a result can have, and that a filter of a policy can be about; a segment is neither. */
const OF_RESULTS: Partial<Readonly<Record<Kind, number>>> = { dimension: 0, measure: 1 };

function rankOf({ kind, detail = '' }: CompletionItem, cursor: Cursor): number | undefined {
  // The detail of a member is its kind and its type.
  if (isTime(cursor)) return /^dimension(?: · time)?$/.test(detail) ? 0 : undefined;
  if (cursor.key === 'drill_members' || cursor.shape === 'rowFilter') return OF_RESULTS[kindOf(kind)];
  if (cursor.key !== 'sql') return 0;
  const { shape = 'other' } = cursor;
  const order =
    shape === 'measure' ? (isOfRows(cursor) ? 'ofRows' : 'formula') : shape === 'orderBy' ? 'formula' : shape;
  return (IN_SQL[order] ?? IN_SQL['other'])?.[kindOf(kind)];
}

function isTime({ key, shape }: Cursor): boolean {
  return key === 'time_dimension' || (key === 'dimension' && shape === 'timeDimension');
}

function kindOf(kind: CompletionItem['kind']): Kind {
  if (kind === CompletionItemKind.Function) return 'measure';
  return kind === CompletionItemKind.Event ? 'segment' : 'dimension';
}

/** Whether the SQL of a measure is a value of each row that the measure aggregates. */
export function isOfRows({ siblings }: Cursor): boolean {
  const type = siblings.get('type');
  return type === undefined || OF_ROWS.has(type);
}
