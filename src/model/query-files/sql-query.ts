import { type ColumnName, SqlTokenReader, Unreadable } from './sql-token-reader.ts';
import { readConditions, type SqlConditions } from './sql-conditions.ts';

/** The most rows that a query of the data API can ask for. */
const MOST_ROWS = 50_000;
/** Longer statements are not read. */
const LONGEST = 20_000;

/**
 * Returns the query of the data API that is equivalent to a statement of the SQL API (docs/data-api.md#runcubesql); `undefined` if the
 * statement contains anything that such a query cannot express.
 */
export function queryOfSql(sql: string): Readonly<Record<string, unknown>> | undefined {
  if (sql.length > LONGEST) return undefined;
  try {
    return new StatementReader(sql).read();
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** An expression that can be selected: a column, a grouped time or a measure, before its cube is known. */
interface Expression {
  readonly kind: 'dimension' | 'time' | 'measure';
  readonly column: ColumnName;
  readonly granularity?: string;
}

/** A column of the statement; `alias` is its name in the answer. */
interface Item {
  readonly kind: Expression['kind'];
  readonly member: string;
  readonly granularity: string | undefined;
  readonly alias: string | undefined;
}

const GRANULARITIES: ReadonlySet<string> = new Set([
  'second',
  'minute',
  'hour',
  'day',
  'week',
  'month',
  'quarter',
  'year',
]);
/** The aggregate functions that the SQL API takes as the measure they are applied to. */
const AGGREGATES = ['measure', 'sum', 'avg', 'min', 'max'] as const;
const NO_CONDITIONS: SqlConditions = { filters: [], segments: [], ranges: [] };

class StatementReader {
  readonly #cursor: SqlTokenReader;
  /** The cubes and views by their names or aliases in the statement. */
  readonly #cubes = new Map<string, string>();
  /** The cubes and views of which the statement uses a member. */
  readonly #used = new Set<string>();

  constructor(sql: string) {
    this.#cursor = new SqlTokenReader(sql);
  }

  read(): Readonly<Record<string, unknown>> {
    const cursor = this.#cursor;
    cursor.take('select');
    const isDistinct = cursor.skip('distinct');
    const selected = this.#list(() => ({ expression: this.#expression(), alias: this.#alias() }));
    this.#from();
    const items = selected.map(({ expression, alias }) => ({ ...this.#resolved(expression), alias }));
    const where = cursor.skip('where')
      ? readConditions(cursor, { takeMember: () => this.#member(cursor.takeColumn()) })
      : NO_CONDITIONS;
    this.#checkGroups(items, isDistinct);
    const having = cursor.skip('having')
      ? readConditions(cursor, { takeMember: () => this.#measure() })
      : NO_CONDITIONS;
    if (having.segments.length + having.ranges.length > 0) throw new Unreadable();
    const order = cursor.skip('order', 'by') ? this.#list(() => this.#order(items)) : [];
    const limit = cursor.skip('limit') ? cursor.takeCount() : MOST_ROWS;
    cursor.skip(';');
    // A joined cube that is otherwise unused may still remove or repeat rows.
    if (!cursor.isAtEnd || limit > MOST_ROWS || this.#used.size < new Set(this.#cubes.values()).size)
      throw new Unreadable();
    return queryOf(items, { where, having, order, limit });
  }

  #list<T>(read: () => T): readonly T[] {
    const items = [read()];
    while (this.#cursor.skip(',')) items.push(read());
    return items;
  }

  #alias(): string | undefined {
    return this.#cursor.skip('as') ? this.#cursor.takeName() : this.#cursor.nextName();
  }

  #expression(): Expression {
    const cursor = this.#cursor;
    if (cursor.skip('date_trunc', '(')) {
      const granularity = cursor.takeText();
      cursor.take(',');
      const column = this.#closed();
      if (!GRANULARITIES.has(granularity)) throw new Unreadable();
      return { kind: 'time', column, granularity };
    }
    if (cursor.skip('count', '(', 'distinct') || AGGREGATES.some((name) => cursor.skip(name, '(')))
      return { kind: 'measure', column: this.#closed() };
    return { kind: 'dimension', column: cursor.takeColumn() };
  }

  #closed(): ColumnName {
    const column = this.#cursor.takeColumn();
    this.#cursor.take(')');
    return column;
  }

  #from(): void {
    const cursor = this.#cursor;
    cursor.take('from');
    do {
      const cube = cursor.takeName();
      const name = this.#alias() ?? cube;
      if (this.#cubes.has(name) || [...this.#cubes.values()].includes(cube)) throw new Unreadable();
      this.#cubes.set(name, cube);
    } while (cursor.skip('cross', 'join'));
  }

  #resolved({ kind, column, granularity }: Expression): Omit<Item, 'alias'> {
    return { kind, member: this.#member(column), granularity };
  }

  /** Returns the full name of a member. Without an owner it is known only where there is one cube or view. */
  #member({ owner, name }: ColumnName): string {
    const [only, ...others] = this.#cubes.values();
    const cube = owner === undefined ? (others.length === 0 ? only : undefined) : this.#cubes.get(owner);
    // Such a name would be read as that of another member.
    if (cube === undefined || /\./.test(cube + name)) throw new Unreadable();
    this.#used.add(cube);
    return `${cube}.${name}`;
  }

  #measure(): string {
    const { kind, member } = this.#resolved(this.#expression());
    if (kind !== 'measure') throw new Unreadable();
    return member;
  }

  /** Throws unless the statement is grouped by exactly the members that it selects. */
  #checkGroups(items: readonly Item[], isDistinct: boolean): void {
    const keys = items.filter(({ kind }) => kind !== 'measure');
    const groups = this.#cursor.skip('group', 'by') ? this.#list(() => this.#itemOf(items, false)) : undefined;
    if (isDistinct && (groups !== undefined || keys.length < items.length)) throw new Unreadable();
    const isGrouped = groups
      ? keys.every((key) => groups.includes(key)) && groups.every((group) => keys.includes(group))
      : isDistinct || keys.length === 0;
    if (!isGrouped) throw new Unreadable();
  }

  #order(items: readonly Item[]): readonly [Item, 'asc' | 'desc'] {
    const item = this.#itemOf(items, true);
    if (this.#cursor.skip('desc')) return [item, 'desc'];
    this.#cursor.skip('asc');
    return [item, 'asc'];
  }

  /** Takes a reference to a selected column: its position, name, or expression. */
  #itemOf(items: readonly Item[], isAliasFirst: boolean): Item {
    const position = this.#cursor.nextNumber();
    const found = position === undefined ? this.#named(items, isAliasFirst) : items[Number(position) - 1];
    if (!found) throw new Unreadable();
    return found;
  }

  #named(items: readonly Item[], isAliasFirst: boolean): Item | undefined {
    const expression = this.#expression();
    const { kind, column, granularity } = expression;
    const aliased =
      kind === 'dimension' && column.owner === undefined ? items.filter(({ alias }) => alias === column.name) : [];
    if (aliased.length > 0 && isAliasFirst) return aliased.length === 1 ? aliased[0] : undefined;
    const isKnown = column.owner !== undefined || this.#cubes.size === 1;
    const member = isKnown ? this.#member(column) : undefined;
    const same = items.filter((item) => item.member === member && (kind !== 'dimension' || item.kind !== 'measure'));
    const exact = same.find((item) => item.kind === kind && item.granularity === granularity);
    if (aliased.length === 0) return exact;
    // A name after GROUP BY may mean the member of that name instead of the column.
    const isClear = aliased.length === 1 && same.every((item) => item === aliased[0] && item === exact);
    return isClear ? aliased[0] : undefined;
  }
}

interface Clauses {
  readonly where: SqlConditions;
  readonly having: SqlConditions;
  readonly order: readonly (readonly [Item, 'asc' | 'desc'])[];
  readonly limit: number;
}

function queryOf(items: readonly Item[], { where, having, order, limit }: Clauses): Readonly<Record<string, unknown>> {
  const membersOf = (kind: Item['kind']): readonly string[] =>
    items.flatMap((item) => (item.kind === kind ? [item.member] : []));
  const [dimensions, measures] = [membersOf('dimension'), membersOf('measure')];
  const [time, ...otherTimes] = items.filter(({ kind }) => kind === 'time');
  const names = [...dimensions, ...measures];
  if (otherTimes.length > 0 || new Set(names).size < names.length) throw new Unreadable();
  const range = where.ranges.find(({ member }) => !time || member === time.member);
  const otherRanges = where.ranges
    .filter((each) => each !== range)
    .map(({ member, dateRange }) => ({ member, operator: 'inDateRange', values: dateRange }));
  // The data API sorts a grouped time by the dimension’s name, which names another column where both are selected.
  const columnOf = ({ member, granularity }: Item): string =>
    granularity !== undefined && dimensions.includes(member) ? `${member}.${granularity}` : member;
  return {
    ...listed('measures', measures),
    ...listed('dimensions', dimensions),
    ...listed('segments', where.segments),
    ...listed('timeDimensions', timeDimensions(time, range)),
    ...listed('filters', [...otherRanges, ...where.filters, ...having.filters]),
    ...listed(
      'order',
      order.map(([item, direction]) => [columnOf(item), direction]),
    ),
    limit,
  };
}

function timeDimensions(
  time: Item | undefined,
  range: SqlConditions['ranges'][number] | undefined,
): readonly unknown[] {
  const dimension = time?.member ?? range?.member;
  if (dimension === undefined) return [];
  const granularity = time ? { granularity: time.granularity } : {};
  return [{ dimension, ...granularity, ...(range ? { dateRange: range.dateRange } : {}) }];
}

function listed(name: string, values: readonly unknown[]): Readonly<Record<string, unknown>> {
  return values.length === 0 ? {} : { [name]: values };
}
