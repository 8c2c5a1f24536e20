import type { Fix, Problem } from '../codes.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import type { ResolvedReference } from '../resolve.ts';
import type { EntitySymbol, MemberSymbol } from '../symbols.ts';

/**
 * Returns the problem of a reference in the SQL of a member that ends too early: at the table of another cube, or before the
 * member of `FILTER_PARAMS`. The engine refuses both there, and nowhere else.
 */
export function unfinishedReference(
  reference: Reference,
  referents: ResolvedReference['referents'],
  entity: EntitySymbol,
  index: ModelIndex,
): Problem | undefined {
  if (entity.kind !== 'cube' || !isInOwnSql(reference)) return undefined;
  const table = tableOf(reference, referents, entity);
  if (table) return foreignColumn(reference, table, entity, index);
  return isUnfinishedFilter(reference) ? unfinishedFilter(reference) : undefined;
}

/** Checks for braces in the SQL of a member itself that hold nothing but this reference. */
function isInOwnSql({ form, checked, key, whole, call, node }: Reference): boolean {
  return form === 'sql' && checked && key === 'sql' && whole && !call && node.style !== 'code';
}

/** Returns the other cube whose table `{users}` and `{CUBE.users}` are, to be followed by a column. */
function tableOf(
  { segments }: Reference,
  referents: ResolvedReference['referents'],
  entity: EntitySymbol,
): EntitySymbol | undefined {
  const last = referents.at(-1);
  // What the engine adds to a cube is a segment without a referent: `{users.sql()}`.
  const isTable = last?.is === 'entity' && last.entity !== entity && referents.length === segments.length;
  return isTable ? last.entity : undefined;
}

/** Checks for `{FILTER_PARAMS}` and `{FILTER_PARAMS.orders}`: the engine fails at what has no member. */
function isUnfinishedFilter({ segments }: Reference): boolean {
  return segments[0]?.text === 'FILTER_PARAMS' && segments.length < 3;
}

function unfinishedFilter({ start, end }: Reference): Problem {
  const message = 'The engine needs the member whose filter it puts here: write `FILTER_PARAMS.cube.member.filter(…)`.';
  return { code: 'bad-expression', start, end, message };
}

function foreignColumn(
  { start, end }: Reference,
  other: EntitySymbol,
  entity: EntitySymbol,
  index: ModelIndex,
): Problem {
  const { name } = other;
  return {
    code: 'foreign-column',
    start,
    end,
    message: `\`{${name}}\` is the table of another cube, and its columns cannot be used here. Use one of its members: \`{${name}.member}\`.`,
    fix: dimensionForColumn(start, end, other, entity, index),
  };
}

/** Returns a fix that replaces a column of another cube by the dimension that shows it. */
function dimensionForColumn(
  start: number,
  end: number,
  other: EntitySymbol,
  { chunk }: EntitySymbol,
  index: ModelIndex,
): Fix | undefined {
  const behind = /^(\s*\}\s*\.\s*)([A-Za-z_]\w*)(?![\w(.])/.exec(chunk.text.slice(end, end + COLUMN_LENGTH));
  const [whole = '', , column = ''] = behind ?? [];
  const members = behind ? [...index.membersOf(other).byName.values()] : [];
  const dimension = members.find(({ kind, member }) => kind === 'dimension' && columnOf(member) === column);
  if (!dimension) return undefined;
  const path = `${chunk.text.slice(start, end)}.${dimension.name}`;
  return { title: `Use \`{${path}}\``, start, end: end + whole.length, text: `${path}}` };
}

/** Maximum length in characters of a column after a reference. */
const COLUMN_LENGTH = 200;

/** Returns the column that a dimension shows unchanged. */
function columnOf(member: MemberSymbol): string | undefined {
  return /^(?:\$?\{(?:CUBE|TABLE)\}\.)?([A-Za-z_]\w*)$/.exec(member.text('sql')?.trim() ?? '')?.[1];
}
