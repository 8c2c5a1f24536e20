import type { ReviewGroup, ReviewRow } from '#features/review/messages.ts';

/** Whether all, some or none of a group's rows are ticked; `undefined` if none can be ticked. */
export type Tick = boolean | 'mixed' | undefined;

/** A line of the list. */
export type Entry = GroupEntry | RowEntry;

export interface GroupEntry {
  readonly type: 'group';
  readonly id: string;
  readonly label: string;
  /** The number of rows that match the filter. */
  readonly count: number;
  readonly isOpen: boolean;
  /** The rows that its check box stands for. */
  readonly ids: readonly string[];
}

export interface RowEntry {
  readonly type: 'row';
  readonly id: string;
  readonly row: ReviewRow;
}

/** Returns the lines of the list from top to bottom: each group with a matching row, and its rows unless it is closed. */
export function entriesOf(
  groups: readonly ReviewGroup[],
  { filter, closed }: { readonly filter: string; readonly closed: ReadonlySet<string> },
): readonly Entry[] {
  const terms = filter.toLowerCase().split(/\s+/).filter(Boolean);
  return groups.flatMap((group): readonly Entry[] => {
    const rows = terms.length === 0 ? group.rows : group.rows.filter((row) => matches(row, terms));
    if (rows.length === 0) return [];
    const ids = rows.filter(({ canTick }) => canTick).map(({ id }) => id);
    const isOpen = terms.length > 0 || !closed.has(group.id);
    const { label } = group;
    const heading: Entry = { type: 'group', id: `group ${group.id}`, label, count: rows.length, isOpen, ids };
    return isOpen ? [heading, ...rows.map((row): Entry => ({ type: 'row', id: row.id, row }))] : [heading];
  });
}

/** Returns the state of a line's check box. */
export function tickOf(entry: Entry, ticked: ReadonlySet<string>): Tick {
  if (entry.type === 'row') return entry.row.canTick ? ticked.has(entry.id) : undefined;
  if (entry.ids.length === 0) return undefined;
  const count = entry.ids.filter((id) => ticked.has(id)).length;
  return count === entry.ids.length || (count > 0 && 'mixed');
}

/** Returns the ids of the rows that a line's check box stands for. */
export function idsOf(entry: Entry): readonly string[] {
  if (entry.type === 'group') return entry.ids;
  return entry.row.canTick ? [entry.id] : [];
}

function matches({ path, from = '', note = '' }: ReviewRow, terms: readonly string[]): boolean {
  const text = `${path} ${from} ${note}`.toLowerCase();
  return terms.every((word) => text.includes(word));
}
