import { append } from '#base/long-lists.ts';
import { type SqlTokenReader, Unreadable } from './sql-token-reader.ts';

/** A filter of the data API (docs/data-api.md#filters). */
export interface SqlFilter {
  readonly member: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

/** The conditions of a clause, all of which must hold. */
export interface SqlConditions {
  readonly filters: readonly (SqlFilter | { readonly or: readonly SqlFilter[] })[];
  readonly segments: readonly string[];
  /** Ranges of whole days, both included, outside of parentheses: candidates for the date range of the time dimension. */
  readonly ranges: readonly SqlRange[];
}

export interface SqlRange {
  readonly member: string;
  readonly dateRange: readonly [string, string];
}

/** How the members of a clause are written. */
export interface MemberSyntax {
  /** Takes a member; throws `Unreadable` if the clause cannot contain it. */
  readonly takeMember: (cursor: SqlTokenReader) => string;
}

/** Reads the conditions of a `WHERE` or `HAVING`; throws `Unreadable` if no filters of the data API are equivalent. */
export function readConditions(cursor: SqlTokenReader, syntax: MemberSyntax): SqlConditions {
  const filters: (SqlFilter | { readonly or: readonly SqlFilter[] })[] = [];
  const segments: string[] = [];
  const ranges: SqlRange[] = [];
  const all = conjuncts(alternatives(cursor, syntax));
  for (let at = 0; at < all.length; at++) {
    const node = all[at];
    const range = rangeOf(all.slice(at, at + 2));
    if (range) {
      ranges.push(range);
      at += 1;
    } else if (node?.is === 'segment') segments.push(node.member);
    else if (node && !isRepeated(node, filters)) filters.push(filterOf(node));
  }
  return { filters, segments, ranges };
}

function isRepeated(node: Node, filters: SqlConditions['filters']): boolean {
  if (node.is !== 'filter' || node.isImplied !== true) return false;
  const { member } = node.filter;
  return filters.some((each) => 'operator' in each && each.operator === 'set' && each.member === member);
}

type Node =
  | { readonly is: 'and' | 'or'; readonly of: readonly Node[]; readonly isGrouped: boolean }
  | { readonly is: 'not'; readonly of: Node }
  | { readonly is: 'segment'; readonly member: string }
  /** The end of a range of whole days: the member is before the day after `day`. */
  | { readonly is: 'upTo'; readonly member: string; readonly day: string }
  /** `isImplied`: a negative condition leaves out rows without a value, which its filter alone does not. */
  | { readonly is: 'filter'; readonly filter: SqlFilter; readonly isLike?: boolean; readonly isImplied?: boolean };

function alternatives(cursor: SqlTokenReader, syntax: MemberSyntax): Node {
  const of = [conjunction(cursor, syntax)];
  while (cursor.skip('or')) of.push(conjunction(cursor, syntax));
  return of.length === 1 && of[0] ? of[0] : { is: 'or', of, isGrouped: false };
}

function conjunction(cursor: SqlTokenReader, syntax: MemberSyntax): Node {
  const of = [...negation(cursor, syntax)];
  while (cursor.skip('and')) append(of, negation(cursor, syntax));
  return of.length === 1 && of[0] ? of[0] : { is: 'and', of, isGrouped: false };
}

function negation(cursor: SqlTokenReader, syntax: MemberSyntax): readonly Node[] {
  if (cursor.skip('not', '(')) return [{ is: 'not', of: grouped(cursor, syntax) }];
  return cursor.skip('(') ? [grouped(cursor, syntax)] : comparison(cursor, syntax);
}

function grouped(cursor: SqlTokenReader, syntax: MemberSyntax): Node {
  const node = alternatives(cursor, syntax);
  cursor.take(')');
  if (node.is === 'and' || node.is === 'or') return { ...node, isGrouped: true };
  // A pattern in parentheses of its own stays a filter of its own.
  return node.is === 'filter' ? { is: 'filter', filter: node.filter } : node;
}

/** Reads one comparison; `BETWEEN` and negative ones are two filters. */
function comparison(cursor: SqlTokenReader, { takeMember }: MemberSyntax): readonly Node[] {
  const member = takeMember(cursor);
  const filter = (operator: string, ...values: readonly string[]): Node => ({
    is: 'filter',
    filter: values.length === 0 ? { member, operator } : { member, operator, values },
  });
  const implied: Node = { is: 'filter', filter: { member, operator: 'set' }, isImplied: true };
  if (cursor.skip('is')) {
    if (cursor.skip('true')) return [{ is: 'segment', member }];
    const operator = cursor.skip('not') ? 'set' : 'notSet';
    cursor.take('null');
    return [filter(operator)];
  }
  if (cursor.skip('between')) {
    const from = ordered(cursor, '>=');
    cursor.take('and');
    const to = ordered(cursor, '<=');
    return [filter(from.operator, from.value), filter(to.operator, to.value)];
  }
  const isNot = cursor.skip('not');
  const found = matching(cursor, member, isNot);
  if (found) return isNot ? [found, implied] : [found];
  if (isNot) throw new Unreadable();
  if (cursor.skip('=')) return [filter('equals', value(cursor))];
  if (cursor.skip('<>') || cursor.skip('!=')) return [filter('notEquals', value(cursor)), implied];
  return [inequality(cursor, member)];
}

/** Reads a list or a pattern, if one follows. */
function matching(cursor: SqlTokenReader, member: string, isNot: boolean): Node | undefined {
  if (cursor.skip('in', '(')) {
    return { is: 'filter', filter: { member, operator: isNot ? 'notEquals' : 'equals', values: list(cursor) } };
  }
  const isCased = cursor.skip('like');
  if (!isCased && !cursor.skip('ilike')) return undefined;
  const { operator, value } = pattern(cursor.takeText());
  // Filters ignore case.
  if (isCased && value.toLowerCase() !== value.toUpperCase()) throw new Unreadable();
  const name = isNot ? `not${operator.charAt(0).toUpperCase()}${operator.slice(1)}` : operator;
  return { is: 'filter', filter: { member, operator: name, values: [value] }, isLike: true };
}

function inequality(cursor: SqlTokenReader, member: string): Node {
  const sign = (['>=', '<=', '>', '<'] as const).find((each) => cursor.skip(each));
  if (!sign) throw new Unreadable();
  const { operator, value: found } = ordered(cursor, sign);
  if (!cursor.skip('+')) return { is: 'filter', filter: { member, operator, values: [found] } };
  cursor.take('interval');
  if (operator !== 'beforeDate' || found.length !== 10 || cursor.takeText() !== '1 day') throw new Unreadable();
  return { is: 'upTo', member, day: found };
}

const OPERATORS = {
  '>=': { number: 'gte', date: 'afterOrOnDate' },
  '<=': { number: 'lte', date: 'beforeOrOnDate' },
  '>': { number: 'gt', date: 'afterDate' },
  '<': { number: 'lt', date: 'beforeDate' },
} as const;
const DATE = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?$/;

/** Reads the value of an inequality. Filters compare numbers and times only. */
function ordered(
  cursor: SqlTokenReader,
  sign: keyof typeof OPERATORS,
): { readonly operator: string; readonly value: string } {
  const number = cursor.nextNumber();
  if (number !== undefined) return { operator: OPERATORS[sign].number, value: number };
  const isDay = cursor.skip('date');
  if (!isDay) cursor.skip('timestamp');
  const date = cursor.takeText();
  if (!DATE.test(date) || (isDay && date.length > 10)) throw new Unreadable();
  return { operator: OPERATORS[sign].date, value: date.replace(' ', 'T') };
}

function value(cursor: SqlTokenReader): string {
  const found = cursor.nextText() ?? cursor.nextNumber();
  if (found !== undefined) return found;
  if (cursor.skip('true')) return 'true';
  cursor.take('false');
  return 'false';
}

function list(cursor: SqlTokenReader): readonly string[] {
  const values = [value(cursor)];
  while (cursor.skip(',')) values.push(value(cursor));
  cursor.take(')');
  return values;
}

/** Reads a pattern of `LIKE`: a text with `%` before it, behind it, or both. */
function pattern(text: string): { readonly operator: string; readonly value: string } {
  const [, before = '', inner, after = ''] = /^(%?)((?:[^\\%_]|\\[\\%_])+)(%?)$/.exec(text) ?? [];
  const operator = { '%%': 'contains', '%': before ? 'endsWith' : 'startsWith' }[before + after];
  if (inner === undefined || operator === undefined) throw new Unreadable();
  return { operator, value: inner.replaceAll(/\\(.)/g, '$1') };
}

/** Returns the conditions that all hold, without parentheses that change nothing. */
function conjuncts(node: Node): readonly Node[] {
  if (node.is !== 'and' || (node.isGrouped && oneFilter(node))) return [node];
  return node.of.flatMap((each) => conjuncts(each));
}

function filterOf(node: Node): SqlFilter | { readonly or: readonly SqlFilter[] } {
  const one = oneFilter(node);
  if (one) return one;
  if (node.is !== 'or') throw new Unreadable();
  return { or: node.of.flatMap((each) => choices(each)) };
}

function choices(node: Node): readonly SqlFilter[] {
  const one = oneFilter(node);
  if (one) return [one];
  if (node.is !== 'or') throw new Unreadable();
  return node.of.flatMap((each) => choices(each));
}

/** Returns the single filter that is equivalent to a node; undefined if there is none. */
function oneFilter(node: Node): SqlFilter | undefined {
  if (node.is === 'filter') return node.filter;
  if (node.is === 'not') {
    const range = node.of.is === 'and' ? rangeOf(node.of.of) : undefined;
    return range && { member: range.member, operator: 'notInDateRange', values: range.dateRange };
  }
  if ((node.is !== 'and' && node.is !== 'or') || !node.isGrouped) return undefined;
  if (node.is === 'or') return samePattern(node.of) ?? negative(node.of);
  const range = node.of.length === 2 ? rangeOf(node.of) : undefined;
  return range && { member: range.member, operator: 'inDateRange', values: range.dateRange };
}

/** Returns patterns for one member as one filter, which holds if one of its values matches. */
function samePattern(nodes: readonly Node[]): SqlFilter | undefined {
  const filters = nodes.flatMap((node) => (node.is === 'filter' && node.isLike ? [node.filter] : []));
  return filters.length === nodes.length ? merged(filters) : undefined;
}

/** Returns the negative filter that is equivalent to `x NOT IN (…) OR x IS NULL`; with patterns, none of them may match. */
function negative([condition, empty, ...others]: readonly Node[]): SqlFilter | undefined {
  if (condition?.is !== 'and' || empty?.is !== 'filter' || others.length > 0) return undefined;
  const { member, operator } = empty.filter;
  const filters = condition.of.flatMap((node) => (node.is === 'filter' ? [node.filter] : []));
  const isOfMember = filters.length === condition.of.length && filters.every((filter) => filter.member === member);
  if (operator !== 'notSet' || !isOfMember) return undefined;
  const negatives = filters.filter((filter) => filter.operator !== 'set');
  return negatives.every((filter) => filter.operator.startsWith('not')) ? merged(negatives) : undefined;
}

/** Returns the filters as one with all of their values, if they have one member and operator. */
function merged([first, ...others]: readonly SqlFilter[]): SqlFilter | undefined {
  const isSame = others.every(({ member, operator }) => member === first?.member && operator === first.operator);
  if (!first || !isSame || (others.length > 0 && first.operator === 'notEquals')) return undefined;
  return { ...first, values: [first, ...others].flatMap(({ values = [] }) => values) };
}

/** Returns the days of `x >= 'FROM' AND x < DATE 'TO' + INTERVAL '1 day'`. */
function rangeOf(nodes: readonly Node[]): SqlRange | undefined {
  const [from, to, ...others] = nodes;
  if (from?.is !== 'filter' || to?.is !== 'upTo' || others.length > 0) return undefined;
  const { member, operator, values: [day] = [] } = from.filter;
  if (member !== to.member || operator !== 'afterOrOnDate' || day === undefined) return undefined;
  return { member, dateRange: [day, to.day] };
}
