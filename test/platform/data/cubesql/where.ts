import type { QueryFilter } from '../../engine/types.ts';
import type { Member, Scope } from './scope.ts';
import { afterGroup, isSymbol, isWord, render, splitAtCommas, SqlError, type Token } from './tokens.ts';

type Tokens = readonly Token[];

interface Conditions {
  readonly filters: readonly QueryFilter[];
  readonly segments: readonly string[];
}

/**
 * Turns a WHERE clause into the filters of a semantic query, which the engine applies inside the model (joins, row
 * policies and pre-aggregations included). What has no counterpart there is refused, never ignored.
 * @param now milliseconds since the epoch, for `CURRENT_DATE` and `NOW()`
 */
export function readWhere(tokens: Tokens, scope: Scope, now: number): Conditions {
  if (tokens.length === 0) return { filters: [], segments: [] };
  const reader = new Reader(tokens, scope, now);
  const filter = reader.or();
  if (!reader.atEnd) throw new SqlError(`Cannot understand '${render(tokens.slice(reader.position))}' in WHERE.`);
  const top = 'and' in filter ? filter.and : [filter];
  return {
    filters: top.filter((part) => !isSegment(part)),
    segments: top.flatMap((part) => (isSegment(part) ? [part.member] : [])),
  };
}

/** A segment on its own travels as a filter with this operator until the top level takes it out. */
const segmentOperator = 'segment';

function isSegment(filter: QueryFilter): filter is Extract<QueryFilter, { member: string }> {
  return 'member' in filter && filter.operator === segmentOperator;
}

type Literal = string | number | boolean;

class Reader {
  readonly #tokens: Tokens;
  readonly #scope: Scope;
  readonly #now: number;
  #at = 0;

  constructor(tokens: Tokens, scope: Scope, now: number) {
    this.#tokens = tokens;
    this.#scope = scope;
    this.#now = now;
  }

  get position(): number {
    return this.#at;
  }

  get atEnd(): boolean {
    return this.#at >= this.#tokens.length;
  }

  or(): QueryFilter {
    const parts = [this.#and()];
    while (this.#take('OR')) parts.push(this.#and());
    if (parts.length > 1 && parts.some(isSegment)) throw new SqlError('A segment cannot be part of an OR.');
    return parts.length === 1 ? (parts[0] as QueryFilter) : { or: parts };
  }

  #and(): QueryFilter {
    const parts = [this.#term()];
    while (this.#take('AND')) parts.push(this.#term());
    return parts.length === 1
      ? (parts[0] as QueryFilter)
      : { and: parts.flatMap((part) => ('and' in part ? part.and : [part])) };
  }

  #term(): QueryFilter {
    if (this.#take('NOT')) return negate(this.#term());
    if (isSymbol(this.#token, '(')) {
      const end = afterGroup(this.#tokens, this.#at);
      this.#at++;
      const inner = this.or();
      if (this.#at !== end - 1) this.#fail();
      this.#at = end;
      return inner;
    }
    return this.#predicate();
  }

  #predicate(): QueryFilter {
    const truncated = this.#truncation();
    if (truncated) return truncated;
    const found = this.#scope.memberAt(this.#tokens, this.#at);
    if (!found) return this.#fail();
    this.#at = found.end;
    const { member } = found;
    if (member.kind === 'measure') {
      throw new SqlError(`'${member.name}' is a measure: filter it with HAVING, not WHERE.`);
    }
    if (member.kind === 'segment') return this.#segment(member);
    return this.#comparison(member);
  }

  #segment(member: Member): QueryFilter {
    if (this.#takeSymbol('=') !== undefined || this.#take('IS')) {
      if (this.#literal() !== true) throw new SqlError(`Segment '${member.name}' can only be compared with TRUE.`);
    }
    return { member: member.name, operator: segmentOperator };
  }

  #comparison(member: Member): QueryFilter {
    const symbol = this.#takeSymbol('=', '<>', '!=', '<', '<=', '>', '>=');
    if (symbol !== undefined) return compare(member, symbol, this.#literal());
    if (this.#take('IS')) return this.#is(member);
    const not = this.#take('NOT');
    const filter = this.#inLikeBetween(member);
    if (filter) return not ? negate(filter) : filter;
    if (!not && member.type === 'boolean') return { member: member.name, operator: 'equals', values: ['true'] };
    return this.#fail();
  }

  #is(member: Member): QueryFilter {
    const not = this.#take('NOT');
    if (this.#take('NULL')) return { member: member.name, operator: not ? 'set' : 'notSet' };
    const value = this.#literal();
    return { member: member.name, operator: not ? 'notEquals' : 'equals', values: [String(value)] };
  }

  #inLikeBetween(member: Member): QueryFilter | undefined {
    if (this.#take('IN')) {
      const end = isSymbol(this.#token, '(') ? afterGroup(this.#tokens, this.#at) : this.#fail();
      const items = splitAtCommas(this.#tokens.slice(this.#at + 1, end - 1));
      this.#at = end;
      const values = items.map((item) => text(member, new Reader(item, this.#scope, this.#now).#literal()));
      return { member: member.name, operator: 'equals', values };
    }
    if (this.#take('LIKE') || this.#take('ILIKE')) return like(member, String(this.#literal()));
    if (this.#take('BETWEEN')) {
      const low = this.#literal();
      if (!this.#take('AND')) this.#fail();
      return { and: [compare(member, '>=', low), compare(member, '<=', this.#literal())] };
    }
    return undefined;
  }

  /** `DATE_TRUNC('month', created_at) = '2026-01-01'` is a range. */
  #truncation(): QueryFilter | undefined {
    if (!isWord(this.#token, 'DATE_TRUNC') || !isSymbol(this.#tokens[this.#at + 1], '(')) return undefined;
    const end = afterGroup(this.#tokens, this.#at + 1);
    const [unit, of] = splitAtCommas(this.#tokens.slice(this.#at + 2, end - 1));
    const member = of && this.#scope.memberAt(of, 0)?.member;
    this.#at = end;
    const symbol = this.#takeSymbol('=', '>=', '<');
    const granularity = unit?.[0]?.value.toLowerCase();
    if (member?.type !== 'time' || granularity === undefined || symbol === undefined) return this.#fail();
    const from = text(member, this.#literal());
    if (symbol !== '=') return compare(member, symbol, from);
    return { member: member.name, operator: 'inDateRange', values: [from, endOf(granularity, from)] };
  }

  #literal(): Literal {
    const value = this.#plainLiteral();
    while (isSymbol(this.#token, '::')) this.#at += 2;
    const sign = this.#takeSymbol('+', '-');
    if (sign === undefined) return value;
    if (!this.#take('INTERVAL')) this.#fail();
    return shift(String(value), sign === '-' ? -1 : 1, this.#interval());
  }

  #plainLiteral(): Literal {
    if (this.#take('DATE') || this.#take('TIMESTAMP')) return this.#plainLiteral();
    if (this.#take('TRUE')) return true;
    if (this.#take('FALSE')) return false;
    if (isWord(this.#token, 'CURRENT_DATE', 'NOW', 'CURRENT_TIMESTAMP')) return this.#present();
    if (isWord(this.#token, 'CAST') && isSymbol(this.#tokens[this.#at + 1], '(')) return this.#cast();
    return this.#textOrNumber();
  }

  #textOrNumber(): Literal {
    const negative = this.#takeSymbol('-') !== undefined;
    const literal = this.#token;
    this.#at++;
    if (literal?.kind === 'number') return negative ? -Number(literal.value) : Number(literal.value);
    if (literal?.kind === 'text' && !negative) return literal.value;
    throw new SqlError(`WHERE compares a column with a fixed value; '${literal?.raw ?? 'the end'}' is not one.`);
  }

  /** `CAST('2026-01-01' AS DATE)`: the value decides, not the type. */
  #cast(): Literal {
    const end = afterGroup(this.#tokens, this.#at + 1);
    this.#at += 2;
    const value = this.#plainLiteral();
    this.#at = end;
    return value;
  }

  #present(): string {
    const wholeDay = this.#take('CURRENT_DATE');
    if (!wholeDay) this.#at += isSymbol(this.#tokens[this.#at + 1], '(') ? 3 : 1;
    return new Date(this.#now).toISOString().slice(0, wholeDay ? 10 : 23);
  }

  #interval(): string {
    const first = this.#token;
    this.#at++;
    if (first?.kind === 'text' && /[a-z]/i.test(first.value)) return first.value;
    const unit = this.#token;
    this.#at++;
    return `${first?.value ?? ''} ${unit?.value ?? ''}`;
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#at];
  }

  #take(word: string): boolean {
    const found = isWord(this.#token, word);
    if (found) this.#at++;
    return found;
  }

  #takeSymbol(...symbols: readonly string[]): string | undefined {
    const token = this.#token;
    if (!isSymbol(token, ...symbols)) return undefined;
    this.#at++;
    return token?.value;
  }

  #fail(): never {
    const near = render(this.#tokens.slice(this.#at, this.#at + 4));
    throw new SqlError(near === '' ? 'WHERE ends too early.' : `Cannot understand '${near}' in WHERE.`);
  }
}

const numberOperators: Record<string, string> = { '<': 'lt', '<=': 'lte', '>': 'gt', '>=': 'gte' };
const timeOperators: Record<string, string> = {
  '<': 'beforeDate',
  '<=': 'beforeOrOnDate',
  '>': 'afterDate',
  '>=': 'afterOrOnDate',
};

function compare(member: Member, symbol: string, value: Literal): QueryFilter {
  const values = [text(member, value)];
  if (symbol === '<>' || symbol === '!=') return { member: member.name, operator: 'notEquals', values };
  if (symbol !== '=') {
    const operator = (member.type === 'time' ? timeOperators : numberOperators)[symbol] ?? 'equals';
    return { member: member.name, operator, values };
  }
  if (member.type !== 'time') return { member: member.name, operator: 'equals', values };
  return { member: member.name, operator: 'inDateRange', values: [...values, ...values] };
}

/** Times as the engine wants them; a bare date is its midnight. */
function text(member: Member, value: Literal): string {
  if (member.type !== 'time') return String(value);
  const [, date, time, fraction] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?)(?:\.(\d+))?)?/.exec(String(value)) ?? [];
  if (date === undefined) throw new SqlError(`'${String(value)}' is not a date. Write YYYY-MM-DD.`);
  const seconds = time === undefined ? '00:00:00' : time.padEnd(8, ':00');
  return `${date}T${seconds}.${(fraction ?? '').padEnd(3, '0').slice(0, 3)}`;
}

function like(member: Member, pattern: string): QueryFilter {
  const starts = pattern.endsWith('%');
  const ends = pattern.startsWith('%');
  const value = pattern.slice(ends ? 1 : 0, starts ? -1 : undefined);
  if (/[%_]/.test(value))
    throw new SqlError(`The pattern '${pattern}' is not supported: put % at the start or the end only.`);
  const operator = starts && ends ? 'contains' : starts ? 'startsWith' : ends ? 'endsWith' : 'equals';
  return { member: member.name, operator, values: [value] };
}

const opposites: Record<string, string> = {
  equals: 'notEquals', contains: 'notContains', startsWith: 'notStartsWith', endsWith: 'notEndsWith', set: 'notSet',
  gt: 'lte', gte: 'lt', inDateRange: 'notInDateRange', beforeDate: 'afterOrOnDate', afterDate: 'beforeOrOnDate',
}; // prettier-ignore
const bothWays = { ...opposites, ...Object.fromEntries(Object.entries(opposites).map(([a, b]) => [b, a])) };

function negate(filter: QueryFilter): QueryFilter {
  if ('and' in filter) return { or: filter.and.map(negate) };
  if ('or' in filter) return { and: filter.or.map(negate) };
  const operator = bothWays[filter.operator];
  if (operator === undefined) throw new SqlError('NOT cannot be applied to a segment.');
  return { ...filter, operator };
}

function endOf(granularity: string, from: string): string {
  return new Date(Date.parse(shift(from, 1, `1 ${granularity}`) + 'Z') - 1).toISOString().slice(0, 23);
}

function shift(value: string, sign: 1 | -1, interval: string): string {
  const [, count, unit] = /^\s*(\d+)\s*(second|minute|hour|day|week|month|quarter|year)s?\s*$/i.exec(interval) ?? [];
  const date = new Date(/[zZ]$/.test(value) || value.length <= 10 ? value : `${value}Z`);
  if (count === undefined || unit === undefined || Number.isNaN(date.getTime())) {
    throw new SqlError(`Cannot add the interval '${interval}' to '${value}'.`);
  }
  const steps = sign * Number(count);
  const seconds: Record<string, number> = { second: 1, minute: 60, hour: 3600, day: 86_400, week: 604_800 };
  const months: Record<string, number> = { month: 1, quarter: 3, year: 12 };
  const name = unit.toLowerCase();
  if (name in seconds) date.setTime(date.getTime() + steps * (seconds[name] ?? 0) * 1000);
  else date.setUTCMonth(date.getUTCMonth() + steps * (months[name] ?? 0));
  return date.toISOString().slice(0, 23);
}
