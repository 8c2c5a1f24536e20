import { columnOf, isColumn, readExpression, type Column, type Expression, type Piece } from './expression.ts';
import type { PlanContext, Sql } from './plan.ts';
import type { Scope } from './scope.ts';
import type { Select } from './statement.ts';
import { isSymbol, isWord, render, SqlError, type Token } from './tokens.ts';
import { readWhere } from './where.ts';

type Tokens = readonly Token[];

interface SelectContext extends PlanContext {
  /** The parameters inside already planned subqueries among these tokens. */
  params(tokens: Tokens): Sql['params'];
}

interface Item extends Expression {
  /** The output column's name. */
  readonly name: string;
  readonly source: Tokens;
}

/** Plans one SELECT from cubes or views; see `planSql`. */
export async function planSelect(select: Select, scope: Scope, context: SelectContext): Promise<Sql> {
  const items = readItems(select, scope);
  const having = readExpression(select.having, scope);
  const orderBy = select.orderBy.map((tokens) => readOrder(tokens, items, scope));
  const groupBy = select.groupBy.map((tokens) => readGroup(tokens, items, scope));
  const all = [...items, having, ...orderBy, ...groupBy];
  const columns = uniqueColumns(all.flatMap((expression) => expression.columns));
  const mode = modeOf({ select, all, columns });
  if (mode === 'groups') checkGroups({ items: [...items, having, ...orderBy], groupBy });
  if (columns.length === 0) throw new SqlError('Select at least one measure or dimension.');

  const conditions = readWhere(select.where, scope, context.now);
  const generated = await context.generate({
    measures: paths(columns, 'measure'),
    dimensions: [...paths(columns, 'dimension'), ...(mode === 'rows' ? timeMembers(columns) : [])],
    timeDimensions: mode === 'rows' ? [] : columns.flatMap(toTimeDimension),
    filters: conditions.filters,
    segments: conditions.segments,
    order: [],
    timezone: 'UTC',
    limit: null,
    offset: 0,
    ...(mode === 'rows' ? { ungrouped: true } : {}),
  });
  if (!generated.ok) throw new SqlError(generated.error);
  const { sql, params } = generated.value;
  const names = new Map(Object.entries(generated.value.columns).map(([alias, member]) => [member, alias]));
  const write = (expression: Expression): Sql => writeExpression(expression, names, context);
  const listed = items.map((item) => suffix(write(item), ` AS ${quote(item.name)}`));
  const regroup = mode === 'rows' ? clause('GROUP BY', groupBy.map(write)) : [];
  const filter = clause(mode === 'rows' ? 'HAVING' : 'WHERE', having.pieces.length > 0 ? [write(having)] : []);
  return join([
    text(select.distinct ? 'SELECT DISTINCT ' : 'SELECT '),
    ...commaSeparated(listed),
    text(' FROM ('),
    { sql, params },
    text(') AS model'),
    ...(mode === 'rows' ? [...regroup, ...filter] : filter),
    ...clause('ORDER BY', orderBy.map(write)),
    text(select.limit.length > 0 ? ` ${render(select.limit)}` : ''),
  ]);
}

/** `rows`: the query beneath answers single rows; `groups`: it groups and aggregates. */
type Mode = 'rows' | 'groups';

function modeOf(query: { select: Select; all: readonly Expression[]; columns: readonly Column[] }): Mode {
  const { select, all, columns } = query;
  const measure = columns.find((column) => column.kind === 'measure');
  if (all.some((expression) => expression.aggregatesRows)) {
    if (measure) {
      throw new SqlError(
        `'${measure.member}' and an aggregate of a dimension cannot be in one SELECT. Use two queries.`,
      );
    }
    return 'rows';
  }
  if (select.groupBy.length > 0 || select.distinct) return 'groups';
  const aggregated = select.items.some(({ expression }) =>
    expression.some((token, at) => isCall(expression, at, token)),
  );
  return aggregated ? 'groups' : 'rows';
}

function isCall(tokens: Tokens, at: number, token: Token): boolean {
  return isSymbol(tokens[at + 1], '(') && isWord(token, 'MEASURE', 'COUNT', 'SUM', 'AVG', 'MIN', 'MAX');
}

function readItems(select: Select, scope: Scope): readonly Item[] {
  return select.items.flatMap(({ expression, alias }) => {
    if (expression.length === 1 && isSymbol(expression[0], '*')) {
      return scope.members
        .filter((member) => member.kind !== 'segment' && member.type !== 'geo')
        .map((member) => {
          const column = columnOf(member);
          return {
            pieces: [column],
            columns: [column],
            aggregatesRows: false,
            name: lastPart(member.name),
            source: [],
          };
        });
    }
    const read = readExpression(expression, scope);
    const [only] = read.pieces;
    const plain = read.pieces.length === 1 && only !== undefined && isColumn(only) ? lastPart(only.member) : undefined;
    return [{ ...read, name: alias ?? plain ?? render(expression).toLowerCase(), source: expression }];
  });
}

/** `GROUP BY 1`, an alias, a column or `DATE_TRUNC(…)`. */
function readGroup(tokens: Tokens, items: readonly Item[], scope: Scope): Expression {
  return referredItem(tokens, items, scope) ?? readExpression(tokens, scope);
}

function readOrder(tokens: Tokens, items: readonly Item[], scope: Scope): Expression {
  const end = tokens.findIndex((token) => isWord(token, 'ASC', 'DESC', 'NULLS'));
  const subject = end === -1 ? tokens : tokens.slice(0, end);
  const direction = end === -1 ? [] : tokens.slice(end);
  const item = referredItem(subject, items, scope);
  const expression = item
    ? { pieces: [quote(item.name)], columns: [], aggregatesRows: false }
    : readExpression(subject, scope);
  return { ...expression, pieces: [...expression.pieces, ...direction] };
}

function referredItem(tokens: Tokens, items: readonly Item[], scope: Scope): Item | undefined {
  const [token] = tokens;
  if (!token || tokens.length !== 1) return items.find((item) => item.source.length > 0 && same(item.source, tokens));
  if (token.kind === 'number') {
    const item = items[Number(token.value) - 1];
    if (!item) throw new SqlError(`There is no column number ${token.value} in the SELECT.`);
    return item;
  }
  const named = items.find((item) => item.name === token.value);
  // A member of that name wins over an alias unless it is the very same column.
  return named && (!scope.memberAt(tokens, 0) || same(named.source, tokens)) ? named : undefined;
}

function same(a: Tokens, b: Tokens): boolean {
  return a.length === b.length && a.every((token, at) => token.value.toLowerCase() === b[at]?.value.toLowerCase());
}

/** In a grouped query, whatever is not a measure must be one of the groups. */
function checkGroups(query: { items: readonly Expression[]; groupBy: readonly Expression[] }): void {
  query.groupBy.forEach(checkGroup);
  if (query.groupBy.length === 0 && query.items.every((item) => item.columns.every(({ kind }) => kind !== 'measure')))
    return;
  const groups = new Set(query.groupBy.flatMap((group) => group.columns.map((column) => column.path)));
  for (const column of query.items.flatMap((item) => item.columns)) {
    if (column.kind === 'measure' || groups.has(column.path)) continue;
    throw new SqlError(`Projection references non-aggregate values: '${column.path}' must be in GROUP BY.`);
  }
}

function checkGroup(group: Expression): void {
  const [column] = group.columns;
  if (!column || group.columns.length > 1 || column.kind === 'measure') {
    throw new SqlError('GROUP BY takes dimensions and DATE_TRUNC(…) of time dimensions.');
  }
  if (group.pieces.length > 1 && column.kind !== 'time') {
    throw new SqlError(`GROUP BY an expression of '${column.member}' is not supported: group by the column itself.`);
  }
}

function writeExpression(expression: Expression, names: ReadonlyMap<string, string>, context: SelectContext): Sql {
  const tokens = expression.pieces.filter((piece): piece is Token => typeof piece !== 'string' && !isColumn(piece));
  return { sql: expression.pieces.map((piece) => writePiece(piece, names)).join(' '), params: context.params(tokens) };
}

function writePiece(piece: Piece, names: ReadonlyMap<string, string>): string {
  if (typeof piece === 'string') return piece;
  if (!isColumn(piece)) return piece.raw;
  const name = names.get(piece.path);
  if (name !== undefined) return quote(name);
  const whole = names.get(piece.member);
  if (whole === undefined) throw new SqlError(`Column '${piece.member}' is not in the query beneath.`);
  return piece.granularity === undefined ? quote(whole) : `date_trunc('${piece.granularity}', ${quote(whole)})`;
}

function toTimeDimension(column: Column): readonly { dimension: string; granularity: string | undefined }[] {
  return column.kind === 'time' ? [{ dimension: column.member, granularity: column.granularity }] : [];
}

function timeMembers(columns: readonly Column[]): readonly string[] {
  const plain = new Set(paths(columns, 'dimension'));
  const times = columns
    .filter((column) => column.kind === 'time' && !plain.has(column.member))
    .map(({ member }) => member);
  return [...new Set(times)];
}

function paths(columns: readonly Column[], kind: Column['kind']): readonly string[] {
  return columns.filter((column) => column.kind === kind).map((column) => column.path);
}

function uniqueColumns(columns: readonly Column[]): readonly Column[] {
  return [...new Map(columns.map((column) => [column.path, column])).values()];
}

function clause(keyword: string, parts: readonly Sql[]): readonly Sql[] {
  return parts.length === 0 ? [] : [text(` ${keyword} `), ...commaSeparated(parts)];
}

function commaSeparated(parts: readonly Sql[]): readonly Sql[] {
  return parts.flatMap((part, index) => (index === 0 ? [part] : [text(', '), part]));
}

function join(parts: readonly Sql[]): Sql {
  return { sql: parts.map((part) => part.sql).join(''), params: parts.flatMap((part) => part.params) };
}

function suffix(part: Sql, tail: string): Sql {
  return { sql: part.sql + tail, params: part.params };
}

function text(sql: string): Sql {
  return { sql, params: [] };
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function lastPart(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1);
}
