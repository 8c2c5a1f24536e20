import type { DataQuery } from '#api/data/data.ts';
import type { Column, Row } from '#base/cells.ts';
import { compareRows, rowDifferenceText } from '#base/compare-rows.ts';
import type { QueryOutcome, QueryService, QueryTarget } from '#features/data/index.ts';
import { buildQuery } from './build-query.ts';
import { columnsOf, type Draft, keysOf } from './draft.ts';
import { draftMembers } from './failed-member.ts';
import type { Identity } from './identities.ts';
import { playgroundMembers } from './members.ts';
import type { PlaygroundComparison } from './messages.ts';

/** The target and the identity of a query in a comparison. */
export interface Side {
  readonly target: QueryTarget;
  readonly identity: Identity | undefined;
  /** The name that distinguishes it from the other side: an environment, or an identity. */
  readonly name: string;
}

/** Rows of a run, with the name that distinguishes them from the other ones. */
export interface ComparedRows {
  readonly name: string;
  readonly columns: readonly Column[];
  /** The names of the columns that the rows are grouped by. */
  readonly keys: readonly string[];
  readonly rows: readonly Row[];
}

/** Compares the rows of two runs. */
export function compareRuns(first: ComparedRows, second: ComparedRows): PlaygroundComparison {
  const namesOf = ({ columns }: ComparedRows): string => JSON.stringify(columns.map(({ name }) => name));
  if (namesOf(first) !== namesOf(second))
    return failure('These runs asked for different members. Run the same members twice to compare them.');
  const names = [first.name, second.name] as const;
  const difference = compareRows(first.columns, new Set(first.keys), [first.rows, second.rows], names);
  return {
    type: 'comparison',
    phase: 'done',
    text: rowDifferenceText(difference, names),
    notes: [],
    columns: [...difference.columns],
    rows: difference.rows.map((row) => [...row]),
  };
}

/** The query for both sides, and the columns of its answer. */
export interface ComparedQuery {
  readonly query: DataQuery;
  /** The names of the members in it. */
  readonly members: readonly string[];
  readonly columns: readonly Column[];
  readonly keys: readonly string[];
}

/** Returns the query of a draft for both sides; `typeOf` returns the type of a member's values. */
export function comparedQuery(draft: Draft, typeOf: (name: string) => string): ComparedQuery {
  return {
    query: buildQuery(draft),
    members: draftMembers(draft).map(({ name }) => name),
    columns: columnsOf(draft).map((name) => ({ name, type: typeOf(name) })),
    keys: keysOf(draft),
  };
}

/**
 * Runs a query on two sides if both have its members; compares the answers, and the members that each side sees. Resolves to
 * `undefined` if cancelled.
 */
export async function compareSides(
  queries: Pick<QueryService, 'run' | 'meta'>,
  { query, members, columns, keys }: ComparedQuery,
  sides: readonly [Side, Side],
  signal: AbortSignal,
): Promise<PlaygroundComparison | undefined> {
  const visible = await Promise.all(sides.map((side) => visibleMembers(queries, side, signal)));
  if (signal.aborted) return undefined;
  const missing = sides.flatMap(({ name }, at) => missingText(name, members, visible[at]));
  if (missing.length > 0) return failure(missing.join(' '));
  const run = ({ target, identity }: Side): Promise<QueryOutcome> =>
    queries.run(target, query, { signal, securityContext: identity?.securityContext });
  const [first, second] = await Promise.all([run(sides[0]), run(sides[1])]);
  if (signal.aborted || first.kind === 'cancelled' || second.kind === 'cancelled') return undefined;
  if (first.kind !== 'rows') return failure(`${sides[0].name}: ${first.message}`);
  if (second.kind !== 'rows') return failure(`${sides[1].name}: ${second.message}`);
  const rowsOf = ({ rows }: typeof first, { name }: Side): ComparedRows => ({
    name,
    columns,
    keys,
    rows: rows.map((row) => columns.map((column) => row[column.name] ?? null)),
  });
  const compared = compareRuns(rowsOf(first, sides[0]), rowsOf(second, sides[1]));
  return { ...compared, notes: memberNotes(sides, visible) };
}

/** The most names in a note. */
const mostNamed = 20;

/** Returns notes on members that only one side sees; empty if the model of a side cannot be read. */
function memberNotes(
  sides: readonly [Side, Side],
  [first, second]: readonly (ReadonlySet<string> | undefined)[],
): string[] {
  if (!first || !second) return [];
  const only = (own: ReadonlySet<string>, other: ReadonlySet<string>): readonly string[] =>
    [...own].filter((name) => !other.has(name));
  return [...note(sides[0].name, only(first, second)), ...note(sides[1].name, only(second, first))];
}

/** Returns a message on members of a query that a side does not see, because its server would refuse the query. */
function missingText(
  name: string,
  members: readonly string[],
  visible: ReadonlySet<string> | undefined,
): readonly string[] {
  const missing = visible ? members.filter((member) => !visible.has(member)) : [];
  return missing.length === 0 ? [] : [`${name} does not have ${missing.map((each) => `“${each}”`).join(', ')}.`];
}

function note(name: string, members: readonly string[]): readonly string[] {
  if (members.length === 0) return [];
  const named = members.slice(0, mostNamed).join(', ');
  const more = members.length > mostNamed ? ` and ${members.length - mostNamed} more` : '';
  return [`Members only in ${name}: ${named}${more}`];
}

/** Resolves to the names of the members that a side may query; `undefined` if its model cannot be read. */
async function visibleMembers(
  queries: Pick<QueryService, 'meta'>,
  { target, identity }: Pick<Side, 'target' | 'identity'>,
  signal: AbortSignal,
): Promise<ReadonlySet<string> | undefined> {
  try {
    const cubes = await queries.meta(target, { signal, mayAsk: true, securityContext: identity?.securityContext });
    return new Set(playgroundMembers(cubes).map(({ name }) => name));
  } catch {
    return undefined;
  }
}

/** Returns a failed comparison with its reason. */
export function failure(text: string): PlaygroundComparison {
  return { type: 'comparison', phase: 'failed', text, notes: [], columns: [], rows: [] };
}
