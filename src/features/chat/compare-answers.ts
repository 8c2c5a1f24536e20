import { asError, mapLimited } from '#base/async.ts';
import { type Column, cellText, type Row } from '#base/cells.ts';
import { compareRows, rowDifferenceText, type RowDifference } from '#base/compare-rows.ts';
import { markdown } from '#base/row-text.ts';
import { plural } from '#base/words.ts';
import type { QueryOutcome } from '#features/data/index.ts';
import { type QueryOrSql, parseQueryFile } from '#model/query-files/query-file.ts';
import { valueText } from '#model/query-files/test-rows.ts';

/** A question that was saved with its query (docs/query-files.md#saved-answers). */
export interface SavedQuestion {
  readonly path: string;
  readonly question: string;
  readonly queryOrSql: QueryOrSql;
}

/** One of the two branches; `run` does not throw, whatever a server returns. */
export interface AnswerSide {
  readonly name: string;
  readonly run: (queryOrSql: QueryOrSql) => Promise<QueryOutcome>;
}

/** The outcome of a question on both branches. */
export interface ComparedAnswer {
  readonly question: SavedQuestion;
  readonly state: 'same' | 'different' | 'unknown';
  /** The difference, or why it is unknown, as a sentence. */
  readonly text: string;
  readonly difference?: RowDifference | undefined;
}

/** The number of questions that run at the same time. */
const atOnce = 2;

/** Returns the saved questions among query files (`files` is keyed by path). */
export function savedQuestions(files: ReadonlyMap<string, string>): readonly SavedQuestion[] {
  return [...files].flatMap(([path, text]) => {
    const { question, queryOrSql } = parseQueryFile(text);
    return question === undefined || queryOrSql === undefined ? [] : [{ path, question, queryOrSql }];
  });
}

/** Runs each question once on both branches and compares the rows; `sides` are the branches before and after. */
export async function compareAnswers(
  questions: readonly SavedQuestion[],
  sides: readonly [AnswerSide, AnswerSide],
): Promise<readonly ComparedAnswer[]> {
  return mapLimited(questions, atOnce, async (question) => {
    const [before, after] = await Promise.all(sides.map(async ({ run }) => run(question.queryOrSql).catch(asError)));
    return { question, ...comparedOutcomes([before, after], [sides[0].name, sides[1].name]) };
  });
}

type Outcomes = readonly [QueryOutcome | Error | undefined, QueryOutcome | Error | undefined];

function comparedOutcomes(
  [before, after]: Outcomes,
  names: readonly [string, string],
): Pick<ComparedAnswer, 'state' | 'text' | 'difference'> {
  if (!isAnswered(before) || !isAnswered(after)) {
    const failed = [before, after].flatMap((each, at) => (isAnswered(each) ? [] : [`${names[at]}: ${reasonOf(each)}`]));
    // A question that only one branch can answer is a difference; one that none can answer says nothing about the merge.
    const isOneSided = isAnswered(before) && after !== undefined && !(after instanceof Error);
    const state = isOneSided && after.kind === 'wrongQuery' ? 'different' : 'unknown';
    return { state, text: failed.join(' ') };
  }
  const columns = columnsIn([...before.rows, ...after.rows]);
  const cells = (rows: typeof before.rows): readonly Row[] =>
    inOneOrder(rows.map((row) => columns.map(({ name }) => row[name] ?? null)));
  const keys = new Set(columns.filter(({ type }) => type !== 'number').map(({ name }) => name));
  const difference = compareRows(columns, keys, [cells(before.rows), cells(after.rows)], names);
  const { changed, onlyFirst, onlySecond } = difference;
  const state = changed + onlyFirst + onlySecond === 0 ? 'same' : 'different';
  return { state, text: rowDifferenceText(difference, names), difference };
}

/** Sorts rows, so that equal answers compare equal even when no column identifies a row. */
function inOneOrder(rows: readonly Row[]): readonly Row[] {
  const keyed = rows.map((row) => ({ row, key: JSON.stringify(row.map((cell) => valueText(cell))) }));
  return keyed.toSorted((one, other) => (one.key < other.key ? -1 : 1)).map(({ row }) => row);
}

type Answered = Extract<QueryOutcome, { readonly kind: 'rows' }>;

function isAnswered(outcome: QueryOutcome | Error | undefined): outcome is Answered {
  return outcome !== undefined && !(outcome instanceof Error) && outcome.kind === 'rows';
}

function reasonOf(outcome: QueryOutcome | Error | undefined): string {
  const message = outcome && 'message' in outcome ? outcome.message : 'There is no answer.';
  return /[.!?]$/.test(message) ? message : `${message}.`;
}

/** Returns the columns of rows. Columns with only numbers are measures; the others identify a row. */
function columnsIn(rows: readonly Readonly<Record<string, unknown>>[]): readonly Column[] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const isNumber = (value: unknown): boolean => {
    const text = cellText(value);
    return text === null || (text.trim() !== '' && Number.isFinite(Number(text)));
  };
  return names.map((name) => ({
    name,
    type:
      rows.every((row) => isNumber(row[name])) && rows.some((row) => (row[name] ?? null) !== null)
        ? 'number'
        : 'string',
  }));
}

/** Summarizes the results of all questions in one sentence. */
export function answersSummary(compared: readonly ComparedAnswer[]): string {
  const count = (state: ComparedAnswer['state']): number => compared.filter((each) => each.state === state).length;
  const [same, different, unknown] = [count('same'), count('different'), count('unknown')];
  const texts = [
    ...(different > 0 ? [`${plural(different, 'answer')} changed`] : []),
    ...(same > 0 ? [`${same} the same`] : []),
    ...(unknown > 0 ? [`${unknown} could not be compared`] : []),
  ];
  return texts.join(', ');
}

/** Returns a Markdown document with each question and its differences; `names` are the branches before and after. */
export function answersReport(compared: readonly ComparedAnswer[], names: readonly [string, string]): string {
  const parts = compared.map(({ question, text, difference }) => {
    const table = difference && difference.rows.length > 0 ? `\n\n${markdown(difference)}` : '';
    return `## ${question.question.replaceAll(/\s+/g, ' ').trim()}\n\n${text}${table}\n\nSaved in \`${question.path}\`.\n`;
  });
  return [`# Answers of ${names[1]} compared with ${names[0]}\n\n${answersSummary(compared)}.\n`, ...parts].join('\n');
}
