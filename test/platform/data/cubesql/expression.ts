import type { Member, Scope } from './scope.ts';
import { afterGroup, isSymbol, isWord, splitAtCommas, SqlError, type Token } from './tokens.ts';

type Tokens = readonly Token[];

/** A column of the semantic query beneath: a member, or a time dimension cut to a granularity. */
export interface Column {
  readonly kind: 'measure' | 'dimension' | 'time';
  /** `cube.member`, or `cube.member.granularity` for a time. */
  readonly path: string;
  readonly member: string;
  readonly granularity?: string | undefined;
}

/** SQL text with holes for columns, whose names are known only when the engine has written the query beneath. */
export type Piece = string | Column | Token;

export interface Expression {
  readonly pieces: readonly Piece[];
  readonly columns: readonly Column[];
  /** Whether it aggregates dimensions itself (`COUNT(DISTINCT city)`), so needs rows rather than groups beneath. */
  readonly aggregatesRows: boolean;
}

/** Replaces member references, `MEASURE(x)`, aggregates of measures and `DATE_TRUNC` in an expression by columns. */
export function readExpression(tokens: Tokens, scope: Scope): Expression {
  const pieces: Piece[] = [];
  let aggregatesRows = false;
  for (let at = 0; at < tokens.length;) {
    const token = tokens[at];
    if (!token) break;
    const call = isSymbol(tokens[at + 1], '(') && token.kind === 'word' ? readCall(tokens, at, scope) : undefined;
    if (call) {
      pieces.push(...call.pieces);
      aggregatesRows ||= call.aggregatesRows;
      at = call.end;
      continue;
    }
    const found = scope.memberAt(tokens, at);
    if (found) {
      pieces.push(columnOf(found.member));
      at = found.end;
      continue;
    }
    requireKnown(tokens, at);
    pieces.push(token);
    at++;
  }
  return { pieces, columns: pieces.filter(isColumn), aggregatesRows };
}

export function isColumn(piece: Piece): piece is Column {
  return typeof piece !== 'string' && 'path' in piece;
}

interface Call {
  readonly pieces: readonly Piece[];
  readonly end: number;
  readonly aggregatesRows: boolean;
}

/** A function call that means something to the model; any other call is left to the database. */
function readCall(tokens: Tokens, at: number, scope: Scope): Call | undefined {
  const name = tokens[at]?.value.toUpperCase() ?? '';
  const end = afterGroup(tokens, at + 1);
  const inside = tokens.slice(at + 2, end - 1);
  if (name === 'MEASURE') {
    const member = wholeMember(inside, scope);
    if (member?.kind !== 'measure') throw new SqlError(`MEASURE(…) takes a measure of the model.`);
    return { pieces: [columnOf(member)], end, aggregatesRows: false };
  }
  if (name === 'DATE_TRUNC') return dateTrunc(inside, end, scope);
  if (name === 'EXTRACT') return extractYear(inside, end, scope);
  return aggregates.has(name) ? aggregate(name, inside, { end, scope }) : undefined;
}

const aggregates = new Map<string, readonly string[]>([
  ['COUNT', ['count', 'countDistinct', 'countDistinctApprox', 'number']],
  ['SUM', ['sum', 'number', 'count']],
  ['AVG', ['avg', 'number']],
  ['MIN', ['min', 'number']],
  ['MAX', ['max', 'number']],
  ['APPROX_COUNT_DISTINCT', ['countDistinctApprox', 'number']],
]);

function aggregate(name: string, inside: Tokens, { end, scope }: { end: number; scope: Scope }): Call {
  if (name === 'COUNT' && isSymbol(inside[0], '*')) {
    const counts = scope.members.filter((member) => member.kind === 'measure' && member.aggType === 'count');
    const count = counts.find((member) => /[._]count$/.test(member.name)) ?? counts[0];
    if (!count) throw new SqlError('COUNT(*) needs a measure of type count in the cube or view.');
    return { pieces: [columnOf(count)], end, aggregatesRows: false };
  }
  const distinct = isWord(inside[0], 'DISTINCT');
  const argument = distinct ? inside.slice(1) : inside;
  const member = wholeMember(argument, scope);
  if (member?.kind === 'measure') {
    const allowed = aggregates.get(name) ?? [];
    if (!allowed.includes(member.aggType ?? '')) {
      const is = (member.aggType ?? 'number').toUpperCase();
      throw new SqlError(
        `Measure aggregation type doesn't match. The aggregation type for '${member.name}' is '${is}()' but '${name}()' was provided. Use MEASURE(${member.name}).`,
      );
    }
    return { pieces: [columnOf(member)], end, aggregatesRows: false };
  }
  const inner = readExpression(argument, scope);
  const measure = inner.columns.find((column) => column.kind === 'measure');
  if (measure)
    throw new SqlError(`'${measure.member}' is aggregated by the model already: use MEASURE(${measure.member}).`);
  return { pieces: [`${name}(${distinct ? 'DISTINCT ' : ''}`, ...inner.pieces, ')'], end, aggregatesRows: true };
}

function dateTrunc(inside: Tokens, end: number, scope: Scope): Call | undefined {
  const [unit, of] = splitAtCommas(inside);
  const member = of && wholeMember(of, scope);
  const granularity = unit?.[0]?.value.toLowerCase();
  if (member?.type !== 'time' || granularity === undefined) return undefined;
  return { pieces: [timeColumn(member, granularity)], end, aggregatesRows: false };
}

/** The year of a time is the same for all of its rows when they are grouped by year; no other part is. */
function extractYear(inside: Tokens, end: number, scope: Scope): Call | undefined {
  const member = isWord(inside[1], 'FROM') ? wholeMember(inside.slice(2), scope) : undefined;
  if (member?.type !== 'time') return undefined;
  if (!isWord(inside[0], 'YEAR')) {
    throw new SqlError(`EXTRACT(${inside[0]?.value ?? ''} FROM …) cannot be grouped by. Use DATE_TRUNC.`);
  }
  return { pieces: ['EXTRACT(YEAR FROM ', timeColumn(member, 'year'), ')'], end, aggregatesRows: false };
}

function wholeMember(tokens: Tokens, scope: Scope): Member | undefined {
  const found = scope.memberAt(tokens, 0);
  return found?.end === tokens.length ? found.member : undefined;
}

export function columnOf(member: Member): Column {
  if (member.kind === 'segment') throw new SqlError(`'${member.name}' is a segment: it can only be used in WHERE.`);
  return { kind: member.kind, path: member.name, member: member.name };
}

function timeColumn(member: Member, granularity: string): Column {
  return { kind: 'time', path: `${member.name}.${granularity}`, member: member.name, granularity };
}

const keywords = new Set(
  `CASE WHEN THEN ELSE END AND OR NOT IN IS NULL LIKE ILIKE BETWEEN AS ASC DESC NULLS FIRST LAST DISTINCT INTERVAL DATE
  TIMESTAMP TIME TRUE FALSE OVER PARTITION BY ORDER ROWS RANGE UNBOUNDED PRECEDING FOLLOWING CURRENT ROW CURRENT_DATE
  INTEGER INT BIGINT SMALLINT DOUBLE PRECISION VARCHAR TEXT CHAR NUMERIC DECIMAL BOOLEAN FLOAT REAL YEAR QUARTER MONTH
  WEEK DAY HOUR MINUTE SECOND FROM DOW DOY EPOCH FILTER WHERE WITHIN GROUP COLLATE`.split(/\s+/),
);

/** A word that is neither a member, a function nor a keyword is a column that does not exist: say so here, by name. */
function requireKnown(tokens: Tokens, at: number): void {
  const token = tokens[at];
  if (token?.kind !== 'name' && token?.kind !== 'word') return;
  if (token.kind === 'word' && keywords.has(token.value.toUpperCase())) return;
  if (isSymbol(tokens[at + 1], '(') || isSymbol(tokens[at - 1], '::')) return;
  throw new SqlError(`Column '${token.value}' not found.`);
}
