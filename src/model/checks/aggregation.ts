import { own } from '#base/own.ts';
import { isTrue } from '#model/expressions/boolean-expression.ts';
import type { Problem } from '../codes.ts';
import type { Effective } from '../effective.ts';
import type { ModelIndex } from '../index.ts';
import type { Reference } from '../references.ts';
import { type Referent, resolve } from '../resolve.ts';
import { type Expression, readExpressionSql } from '../sql/expression.ts';
import type { SqlToken } from '../sql/lexer.ts';
import { type SqlPosition, sqlPositions } from '../sql/positions.ts';
import { isBalanced } from '../sql/sql-texts.ts';
import type { EntitySymbol } from '../symbols.ts';
import { findPair, type MapNode, textOf } from '../syntax/tree.ts';

/**
 * How the engine uses a piece of SQL: `row` needs a value per row, `sum` puts an aggregate around it, `formula` needs aggregates,
 * `subQuery` needs a measure of another cube.
 */
type Role = 'row' | 'sum' | 'formula' | 'subQuery';

/**
 * Reports aggregates where a row is expected and vice versa: the model compiles, but its queries fail or return wrong results.
 */
export function checkAggregation(entity: EntitySymbol, index: ModelIndex): Problem[] {
  const { chunk } = entity;
  if (entity.kind !== 'cube' || chunk.templated || chunk.problems.length > 0) return [];
  const references = new Map<number, Reference>();
  for (const reference of entity.references)
    if (reference.form === 'sql' && reference.whole) references.set(reference.start, reference);
  const referentAt: ReferentAt = (token) => {
    const reference = references.get(firstName(chunk.text, token));
    const referents = reference ? resolve(reference, entity, index).referents : [];
    return referents[0]?.is === 'context' ? undefined : referents.at(-1);
  };
  return sqlPositions(entity.entity, chunk).flatMap((position) => {
    const role = roleOf(position);
    if (role === undefined || !isBalanced(position.sql)) return [];
    return checkPosition(position, role, readExpressionSql(position.sql.tokens), referentAt);
  });
}

type ReferentAt = (token: SqlToken) => Referent | undefined;

/** Returns the offset of the name between the braces of a reference. */
function firstName(text: string, { start, end }: SqlToken): number {
  const name = /[A-Za-z_$]/g;
  name.lastIndex = text.indexOf('{', start) + 1;
  const found = name.exec(text);
  return found && found.index < end ? found.index : -1;
}

const ROW_LISTS = new Set(['dimensions', 'segments', 'joins']);

function roleOf({ list, member, path }: SqlPosition): Role | undefined {
  if (!member || member.open || findPair(member, 'multi_stage', 'multiStage')) return undefined;
  const [first = ''] = path;
  if (list === 'measures') return measureRole(member, path);
  if (list === undefined || !ROW_LISTS.has(list) || first === 'mask' || first === 'granularities') return undefined;
  if (list !== 'dimensions') return 'row';
  const isSubQuery = findPair(member, 'sub_query', 'subQuery');
  if (isSubQuery) return isTrue(textOf(member, 'sub_query', 'subQuery')) && first === 'sql' ? 'subQuery' : undefined;
  return 'row';
}

const SUMS = new Set(['count', 'countdistinct', 'countdistinctapprox', 'sum', 'avg', 'min', 'max']);
const FORMULAS = new Set(['number', 'string', 'time', 'boolean']);

function measureRole(member: MapNode, [first, second]: readonly string[]): Role | undefined {
  const type = (textOf(member, 'type') ?? '').replaceAll('_', '').toLowerCase();
  if (!SUMS.has(type) && !FORMULAS.has(type)) return undefined;
  if (first === 'filters') return 'row';
  if (first !== 'sql' || second !== undefined) return undefined;
  return SUMS.has(type) ? 'sum' : 'formula';
}

function checkPosition(position: SqlPosition, role: Role, expression: Expression, referentAt: ReferentAt): Problem[] {
  if (role === 'formula')
    return [
      ...checkFormula(position, expression, referentAt),
      ...checkNested(expression, referentAt),
      ...checkFilters(position),
    ];
  if (role === 'subQuery') return checkSubQuery(position, referentAt);
  const measures = expression.references.flatMap((token): Problem[] => {
    const measure = measureIn(referentAt(token));
    return measure ? [misplaced(token, `\`${measure.name}\` is a measure`, role, position)] : [];
  });
  const calls = expression.aggregates.map((token) => misplaced(token, `\`${token.text}\` aggregates`, role, position));
  return [...measures, ...calls];
}

/** Returns a measure, unless it is a multi-stage one: what that becomes depends on the query. */
function measureIn(referent: Referent | undefined): Effective | undefined {
  if (referent?.is !== 'member' || referent.member.kind !== 'measure') return undefined;
  const { member } = referent.member;
  return member.isOpen || member.has('multi_stage', 'multiStage') ? undefined : referent.member;
}

const PLACES: Readonly<Record<string, string>> = {
  dimensions:
    'a dimension is computed for each row. Make it a measure, or add `sub_query: true` where the measure belongs to another cube.',
  segments: 'a segment chooses rows before anything is aggregated. Filter by the measure in the query.',
  joins: 'a join compares rows. Join by columns.',
  measures: 'the filter of a measure chooses the rows that it aggregates. Use columns or dimensions.',
};

function misplaced({ start, end }: SqlToken, what: string, role: Role, { member, list }: SqlPosition): Problem {
  if (role === 'row') {
    const why = own(PLACES, list ?? '') ?? 'a value of one row is expected here.';
    return { code: 'aggregate-of-row', start, end, message: `${what}, but ${why}` };
  }
  const type = (member && textOf(member, 'type')) ?? '';
  const message = `${what}, and \`type: ${type}\` aggregates it again, which databases refuse. Use \`type: number\` for a formula of aggregates.`;
  return { code: 'nested-aggregate', start, end, message };
}

/** Reports what an aggregate of a formula aggregates although it is one already. */
function checkNested({ aggregated }: Expression, referentAt: ReferentAt): Problem[] {
  return aggregated.flatMap((token): Problem[] => {
    const { start, end } = token;
    const measure = token.kind === 'reference' ? measureIn(referentAt(token)) : undefined;
    if (token.kind === 'reference' && !measure) return [];
    const what = measure ? `\`${measure.name}\` is a measure` : `\`${token.text.toUpperCase()}\` aggregates`;
    const message = `${what}, and the function around it aggregates it again, which databases refuse. Remove one of the two.`;
    return [{ code: 'nested-aggregate', start, end, message }];
  });
}

/** Reports row values in a formula of aggregates: they are neither grouped nor aggregated. */
function checkFormula({ member }: SqlPosition, { rows }: Expression, referentAt: ReferentAt): Problem[] {
  const isNumber = member !== undefined && textOf(member, 'type') === 'number';
  return rows.flatMap((token): Problem[] => {
    const { start, end } = token;
    // A text or a date is fine in queries that group by it.
    if (token.kind === 'word' && !isNumber) return [];
    const referent = token.kind === 'reference' ? referentAt(token) : undefined;
    const dimension = dimensionIn(referent);
    if (token.kind === 'reference' && referent?.is !== 'self' && !dimension) return [];
    const name = dimension ? `\`${dimension.name}\` is a dimension` : 'This is a column';
    const message = `${name}, which nothing aggregates: queries that do not group by it fail. Put an aggregate such as \`MAX(…)\` around it, or make this a dimension.`;
    return [{ code: 'missing-aggregate', start, end, message }];
  });
}

/** Checks for a table or a dimension: certainly no measure. */
function isOfRow(referent: Referent | undefined): boolean {
  return referent?.is === 'self' || referent?.is === 'entity' || dimensionIn(referent) !== undefined;
}

/** Returns a dimension, or the time dimension of a granularity. */
function dimensionIn(referent: Referent | undefined): Effective | undefined {
  if (referent?.is === 'granularity') return referent.of;
  return referent?.is === 'member' && referent.member.kind === 'dimension' ? referent.member : undefined;
}

/** Reports filters of a formula: the engine puts them around its aggregates, where there are no rows left to filter. */
function checkFilters({ member }: SqlPosition): Problem[] {
  const filters = member && findPair(member, 'filters');
  if (!filters || (filters.value?.kind === 'seq' && filters.value.items.length === 0)) return [];
  const { start, end } = filters.key;
  const message =
    'These filters stand around the finished aggregates, not around the rows, so that queries fail. Filter the measures that the formula uses.';
  return [{ code: 'missing-aggregate', start, end, message }];
}

/** Checks a sub query: the engine makes a query of the measures that it names, and needs one at least. */
function checkSubQuery({ node, sql: { tokens } }: SqlPosition, referentAt: ReferentAt): Problem[] {
  const names = tokens.filter(({ kind }) => kind === 'reference').map(referentAt);
  const calls = tokens.some(({ kind }) => kind === 'open');
  // A function could aggregate the dimensions among its arguments.
  if (names.some((referent) => referent?.is !== 'self' && (calls || !isOfRow(referent)))) return [];
  const { start, end } = node;
  const message =
    '`sub_query` needs a measure of another cube, such as `{orders.count}`: queries of this dimension fail.';
  return [{ code: 'missing-aggregate', start, end, message }];
}
