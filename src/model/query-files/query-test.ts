import { unifiedOrder } from './row-order.ts';
import { columnsOf, isSame, rowKey, shownRow, type TestRow, valueText } from './test-rows.ts';
import { type QueryOrSql, isMap, type JsonMap, type JsonValue } from './query-file.ts';
import { ageText, durationOf, parseTime } from './test-times.ts';

/** The server's answer to the query of a test. */
export interface TestAnswer {
  readonly rows: readonly TestRow[];
  /** When the data was read from the database. */
  readonly lastRefreshTime?: string | undefined;
}

export interface TestPorts {
  /** Runs a query, under a security context if the test names one. An error that it throws fails the test. */
  readonly run: (query: QueryOrSql, securityContext: JsonMap | undefined) => Promise<TestAnswer>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** The result of a test; `wrong`: it cannot be input because of how it is written. */
export type TestOutcome =
  | { readonly state: 'passed' }
  | {
      readonly state: 'failed';
      readonly message: string;
      /** Expected and actual rows, to be compared line by line. */
      readonly expected?: string | undefined;
      readonly actual?: string | undefined;
    }
  | { readonly state: 'wrong'; readonly message: string };

interface TestInput {
  readonly query: QueryOrSql;
  readonly answer: TestAnswer;
  readonly expected: JsonValue;
  /** Runs another query as the same identity. */
  readonly run: (query: JsonMap) => Promise<TestAnswer>;
  readonly now: () => number;
}

const passed: TestOutcome = { state: 'passed' };
const wrong = (message: string): TestOutcome => ({ state: 'wrong', message });
const failed = (message: string, expected?: string, actual?: string): TestOutcome => ({
  state: 'failed',
  message,
  expected,
  actual,
});

/** Runs the query of a file and evaluators its answer by one test (docs/query-files.md#tests). Throws whatever `run` throws. */
export async function runQueryTest(query: QueryOrSql, definition: JsonMap, ports: TestPorts): Promise<TestOutcome> {
  const names = Object.keys(evaluators).filter((name) => Object.hasOwn(definition, name));
  const [name, ...others] = names;
  const evaluate = name === undefined ? undefined : evaluators[name];
  if (name === undefined || !evaluate || others.length > 0)
    return wrong(`A test has exactly one of ${Object.keys(evaluators).join(', ')}.`);
  const identity = definition['as'];
  if (identity !== undefined && !isMap(identity)) return wrong('“as” must be a security context: keys with values.');
  const run = (asked: QueryOrSql): Promise<TestAnswer> => ports.run(asked, identity);
  return evaluate({ query, answer: await run(query), expected: definition[name] ?? null, run, now: ports.now });
}

const evaluators: Readonly<Record<string, (input: TestInput) => TestOutcome | Promise<TestOutcome>>> = {
  rowCount: evaluateCount,
  rows: evaluateRows,
  value: evaluateValue,
  unique: evaluateUnique,
  notNull: evaluateNotNull,
  compare: evaluateComparison,
  noFanOut: evaluateFanOut,
  freshness: evaluateFreshness,
};

function evaluateCount({ answer: { rows }, expected }: TestInput): TestOutcome {
  const count = rows.length;
  if (typeof expected === 'number')
    return count === expected ? passed : failed('The number of rows is wrong.', String(expected), String(count));
  const range = rangeOf(expected);
  if (!range) return wrong('“rowCount” must be a number, or min and max.');
  return isIn(count, range) ? passed : failed('The number of rows is wrong.', rangeText(range), String(count));
}

interface Range {
  readonly min: number | undefined;
  readonly max: number | undefined;
}

function rangeOf(value: JsonValue): Range | undefined {
  if (!isMap(value)) return undefined;
  const { min, max } = value;
  const isGiven = typeof min === 'number' || typeof max === 'number';
  return isGiven
    ? { min: typeof min === 'number' ? min : undefined, max: typeof max === 'number' ? max : undefined }
    : undefined;
}

function isIn(value: number, { min = -Infinity, max = Infinity }: Range): boolean {
  return min <= value && value <= max;
}

function rangeText({ min, max }: Range): string {
  if (min === undefined) return `at most ${max}`;
  return max === undefined ? `at least ${min}` : `from ${min} to ${max}`;
}

function evaluateRows({ query, answer, expected }: TestInput): TestOutcome {
  if (!Array.isArray(expected)) return wrong('“rows” must be a list of rows.');
  const wanted = (expected as readonly JsonValue[]).filter(isMap);
  if (wanted.length < expected.length) return wrong('Each of “rows” must be members with values.');
  const columns = [...new Set(wanted.flatMap((row) => Object.keys(row)))];
  const shown = wanted.length === 0 ? columnsIn(query, answer.rows) : columns;
  // Members that the expected row omits may have any value.
  const isRow = (actual: TestRow, row: JsonMap): boolean =>
    Object.entries(row).every(([member, value]) => isSame(actual[member], value));
  const there = !isOrdered(query) ? unifiedOrder(answer.rows, wanted, isRow) : answer.rows;
  const isEqual = there.length === wanted.length && wanted.every((row, at) => isRow(there[at] ?? {}, row));
  if (isEqual) return passed;
  const lines = (rows: readonly TestRow[], names: readonly string[]): string =>
    rows.map((row) => shownRow(row, names)).join('\n');
  return failed('The rows are different.', lines(wanted, shown), lines(there, shown));
}

function evaluateValue({ answer: { rows }, expected }: TestInput): TestOutcome {
  const member = isMap(expected) ? expected['member'] : undefined;
  if (!isMap(expected) || typeof member !== 'string') return wrong('“value” needs a member.');
  const [first] = rows;
  if (!first) return failed('There is no row.', shownRow({ [member]: expected['is'] ?? '…' }, [member]), '');
  if (!Object.hasOwn(first, member)) return wrong(`The query does not ask for “${member}”.`);
  return Object.hasOwn(expected, 'is')
    ? evaluateEqual(first[member], expected, member)
    : evaluateRange(first[member], expected, member);
}

function evaluateEqual(actual: unknown, { is = null, within }: JsonMap, member: string): TestOutcome {
  const distance = Math.abs((numberOf(actual) ?? NaN) - (numberOf(is) ?? NaN));
  const isNear = typeof within === 'number' && distance <= within;
  return isNear || isSame(actual, is) ? passed : failed(`“${member}” is wrong.`, valueText(is), valueText(actual));
}

function evaluateRange(actual: unknown, expected: JsonMap, member: string): TestOutcome {
  const range = rangeOf(expected);
  if (!range) return wrong('“value” needs one of is, min and max.');
  const value = numberOf(actual);
  return value !== undefined && isIn(value, range)
    ? passed
    : failed(`“${member}” is out of range.`, rangeText(range), valueText(actual));
}

/** Returns the columns of an answer: a query names them itself, those of SQL are in the answer. */
function columnsIn(query: QueryOrSql, rows: readonly TestRow[]): readonly string[] {
  return typeof query === 'string' ? Object.keys(rows[0] ?? {}) : columnsOf(query);
}

/** Checks whether the order of rows matters. For SQL it does not: servers may return equal rows in any order. */
function isOrdered(query: QueryOrSql): boolean {
  return typeof query !== 'string' && query['order'] !== undefined;
}

/** Parses a number, even if the server returns it as text. */
function numberOf(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** Returns the members that an expectation lists, all of which the query must request. */
function listed({ query, answer, expected }: TestInput, name: string): readonly string[] | string {
  if (!Array.isArray(expected) || expected.length === 0) return `“${name}” must be a list of members.`;
  const members = expected.map(String);
  const columns = columnsIn(query, answer.rows);
  // Without rows, the columns of SQL are unknown.
  if (typeof query === 'string' && answer.rows.length === 0) return members;
  const absent = members.find((member) => !columns.includes(member));
  return absent === undefined ? members : `The query does not ask for “${absent}”.`;
}

/** Maximum number of rows of each kind in a message. */
const mostShown = 10;

function evaluateUnique(input: TestInput): TestOutcome {
  const members = listed(input, 'unique');
  if (typeof members === 'string') return wrong(members);
  const groups = Map.groupBy(input.answer.rows, (row) => rowKey(row, members));
  const repeated = [...groups.values()].filter((rows) => rows.length > 1);
  if (repeated.length === 0) return passed;
  const lines = repeated.slice(0, mostShown).map((rows) => `${shownRow(rows[0] ?? {}, members)} (${rows.length} rows)`);
  return failed('Several rows have the same values.', 'each once', lines.join('\n'));
}

function evaluateNotNull(input: TestInput): TestOutcome {
  const members = listed(input, 'notNull');
  if (typeof members === 'string') return wrong(members);
  const bad = input.answer.rows.filter((row) => members.some((member) => (row[member] ?? null) === null));
  if (bad.length === 0) return passed;
  const lines = bad.slice(0, mostShown).map((row) => shownRow(row, columnsIn(input.query, input.answer.rows)));
  return failed(
    `${bad.length} of ${input.answer.rows.length} rows lack a value.`,
    'a value in every row',
    lines.join('\n'),
  );
}

/** A row as it is compared with others, and as it is shown. */
interface ComparedRow {
  readonly key: string;
  readonly text: string;
}

async function evaluateComparison({ query, answer, expected, run }: TestInput): Promise<TestOutcome> {
  const other = isMap(expected) ? expected['query'] : undefined;
  if (!isMap(expected) || !isMap(other)) return wrong('“compare” needs a query.');
  const others = (await run(other)).rows;
  if (expected['by'] === 'rowCount') {
    const [wanted, there] = [others.length, answer.rows.length];
    return wanted === there ? passed : failed('The number of rows differs.', String(wanted), String(there));
  }
  const theirs = columnsOf(other);
  const own = columnsIn(query, answer.rows);
  // SQL without rows has no columns to count.
  if (own.length !== theirs.length && (typeof query !== 'string' || answer.rows.length > 0))
    return wrong('Both queries must ask for the same number of members.');
  const sorted = (rows: readonly TestRow[], columns: readonly string[]): readonly ComparedRow[] => {
    const compared = rows.map((row) => ({
      key: rowKey(row, columns),
      text: columns.map((column) => valueText(row[column])).join(', '),
    }));
    return isOrdered(query) ? compared : compared.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  };
  const actual = sorted(answer.rows, own);
  const wanted = sorted(others, theirs);
  const isEqual = actual.length === wanted.length && actual.every(({ key }, at) => key === wanted[at]?.key);
  const lines = (rows: readonly ComparedRow[]): string => rows.map(({ text }) => text).join('\n');
  return isEqual ? passed : failed('The rows of both queries differ.', lines(wanted), lines(actual));
}

/** Tolerance for rounding in sums of decimals. */
const tolerance = 1e-9;

async function evaluateFanOut(input: TestInput): Promise<TestOutcome> {
  const measures = listed(input, 'noFanOut');
  if (typeof measures === 'string') return wrong(measures);
  const { query, answer, run } = input;
  if (typeof query === 'string') return wrong('“noFanOut” needs “query”: the totals of SQL are not known.');
  if (answer.rows.length === query['limit'])
    return wrong('The limit of the query cuts rows off, so that they cannot be added up.');
  const [totals = {}] = (await run(totalOf(query, measures))).rows;
  for (const measure of measures) {
    const total = numberOf(totals[measure]) ?? 0;
    const sum = answer.rows.reduce((added, row) => added + (numberOf(row[measure]) ?? 0), 0);
    if (Math.abs(sum - total) > tolerance * Math.max(1, Math.abs(total)))
      return failed(
        `The rows of “${measure}” do not add up to its total: a join counts something twice, or leaves it out.`,
        String(total),
        String(sum),
      );
  }
  return passed;
}

/** Returns the query without its grouping. */
function totalOf(query: JsonMap, measures: readonly string[]): JsonMap {
  const { dimensions: _, order: __, limit: ___, offset: ____, timeDimensions, ...rest } = query;
  const times = Array.isArray(timeDimensions) ? (timeDimensions as readonly JsonValue[]).filter(isMap) : [];
  const ranges = times.flatMap(({ granularity: _____, ...time }) => (time['dateRange'] === undefined ? [] : [time]));
  return { ...rest, measures, ...(ranges.length > 0 ? { timeDimensions: ranges } : {}) };
}

function evaluateFreshness({ answer, expected, now }: TestInput): TestOutcome {
  const { member, within } = isMap(expected) ? expected : {};
  const text = typeof within === 'string' ? within : '';
  const most = durationOf(text);
  if (most === undefined) return wrong('“freshness” needs “within”, for example 24 hours.');
  const texts = typeof member === 'string' ? answer.rows.map((row) => row[member]) : [answer.lastRefreshTime];
  const times = texts.flatMap((text) => parseTime(text) ?? []);
  if (times.length === 0)
    return failed(
      typeof member === 'string'
        ? `No row has a time in “${member}”.`
        : 'The server does not say when it read the data.',
    );
  const age = now() - times.reduce((newest, time) => Math.max(newest, time), -Infinity);
  return age <= most ? passed : failed('The newest data is too old.', `at most ${text}`, ageText(age));
}
