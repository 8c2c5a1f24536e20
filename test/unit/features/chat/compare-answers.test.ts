import { describe, expect, it } from 'vitest';
import {
  answersReport,
  answersSummary,
  compareAnswers,
  type SavedQuestion,
  savedQuestions,
} from '#features/chat/compare-answers.ts';
import type { QueryOutcome } from '#features/data/query-service.ts';
import { yaml } from '#support/language/raw.ts';

type Rows = readonly Readonly<Record<string, unknown>>[];
const rows = (...answered: Rows): QueryOutcome => ({
  kind: 'rows',
  rows: answered,
  annotation: { measures: {}, dimensions: {}, timeDimensions: {} },
  facts: { source: 'Shop', milliseconds: 1, preAggregations: [] },
});
const refused: QueryOutcome = { kind: 'wrongQuery', message: 'No column “revenue”' };

const question = (queryOrSql: string): SavedQuestion => ({
  path: `queries/${queryOrSql}.query.yml`,
  question: `${queryOrSql}?`,
  queryOrSql,
});

/** Compares the answers of two branches to one question. */
async function compared(main: QueryOutcome | Error, dev: QueryOutcome | Error, queryOrSql = 'revenue') {
  const side = (name: string, outcome: QueryOutcome | Error) => ({
    name,
    run: () => (outcome instanceof Error ? Promise.reject(outcome) : Promise.resolve(outcome)),
  });
  return compareAnswers([question(queryOrSql)], [side('main', main), side('dev-ada', dev)]);
}

const january = { month: '2026-01', revenue: '100.50' };

describe('saved questions', () => {
  it('are query files that have a question, and something to ask', () => {
    const files = new Map([
      [
        'a.query.yml',
        yaml`
          question: How much?
          sql: SELECT 1
        `,
      ],
      ['b.query.yml', 'query: { measures: [orders.count] }\n'],
      [
        'c.query.yml',
        yaml`
          question: How many?
          query: { measures: [orders.count] }
        `,
      ],
      ['d.query.yml', 'question: Nothing?\n'],
    ]);
    expect(savedQuestions(files)).toEqual([
      { path: 'a.query.yml', question: 'How much?', queryOrSql: 'SELECT 1' },
      { path: 'c.query.yml', question: 'How many?', queryOrSql: { measures: ['orders.count'] } },
    ]);
  });
});

describe('the answers of two branches', () => {
  it('are the same whatever the order of rows and the zeros behind the point', async () => {
    const february = { month: '2026-02', revenue: '7' };
    const [answer] = await compared(rows(january, february), rows(february, { ...january, revenue: '100.5' }));
    expect(answer).toMatchObject({ state: 'same', text: 'Both answers have the same 2 rows.' });
  });

  it('are the same in any order where all columns are numbers', async () => {
    const [one, other] = [
      { year: 2025, count: '10' },
      { year: 2026, count: '12' },
    ];
    expect(await compared(rows(one, other), rows(other, { year: 2025, count: '10.0' }))).toMatchObject([
      { state: 'same' },
    ]);
  });

  it('differ by the rows that belong together, with both values', async () => {
    const february = { month: '2026-02', revenue: '7' };
    const answers = await compared(rows(january, february), rows({ ...january, revenue: '120' }));
    expect(answers).toMatchObject([
      { state: 'different', text: '1 row changed, 1 row only in main, 0 rows the same.' },
    ]);
    expect(answersSummary(answers)).toBe('1 answer changed');
    expect(answersReport(answers, ['main', 'dev-ada'])).toMatchInlineSnapshot(`
      "# Answers of dev-ada compared with main

      1 answer changed.

      ## revenue?

      1 row changed, 1 row only in main, 0 rows the same.

      | difference | month | revenue · main | revenue · dev-ada |
      | --- | --- | --- | --- |
      | changed | 2026-01 | 100.50 | 120 |
      | only in main | 2026-02 | 7 | — |

      Saved in \`queries/revenue.query.yml\`.
      "
    `);
  });

  it('differ where the branch cannot answer any more what the other one answers', async () => {
    expect(await compared(rows(january), refused)).toMatchObject([
      { state: 'different', text: 'dev-ada: No column “revenue”.' },
    ]);
  });

  it.each([
    ['the branch before refuses the question', refused, rows(january), 'main: No column “revenue”.'],
    ['a branch is out of reach', rows(january), new Error('Out of reach.'), 'dev-ada: Out of reach.'],
    [
      'no environment answers',
      rows(january),
      { kind: 'unavailable', message: 'Start dev mode.' } as const,
      'dev-ada: Start dev mode.',
    ],
    ['both refuse the question', refused, refused, 'main: No column “revenue”. dev-ada: No column “revenue”.'],
  ])('are not compared where %s', async (_, main, dev, text) => {
    const answers = await compared(main, dev);
    expect(answers).toMatchObject([{ state: 'unknown', text }]);
    expect(answersSummary(answers)).toBe('1 could not be compared');
  });

  it.each([
    ['the branch lost', [january, { month: '2026-02', revenue: '7' }], [january]],
    ['the branch gained', [january], [january, { month: '2026-02', revenue: '7' }]],
    ['only the branch answers with', [], [january]],
  ] as const)('differ by a row that %s', async (_, main, dev) => {
    expect(await compared(rows(...main), rows(...dev))).toMatchObject([{ state: 'different' }]);
  });

  it.each([
    ['digits beyond those of a floating-point number', '12345678901234567890', '12345678901234567891'],
    ['a zero in the place of no value', null, '0'],
  ])('differ by %s', async (_, main, dev) => {
    const [answer] = await compared(rows({ month: 'a', revenue: main }), rows({ month: 'a', revenue: dev }));
    expect(answer?.state).toBe('different');
  });

  it('differ where a column was renamed', async () => {
    const [answer] = await compared(rows(january), rows({ month: '2026-01', income: '100.50' }));
    expect(answer?.state).toBe('different');
  });

  it('differ by one row only where one is inserted among rows of numbers', async () => {
    const years = [2023, 2024, 2025].map((year) => ({ year, count: String(year * 7) }));
    const [answer] = await compared(rows(...years.slice(1)), rows(...years));
    expect(answer).toMatchObject({ state: 'different', text: '1 row only in dev-ada, 2 rows the same.' });
    expect(answer?.difference?.rows).toEqual([['only in dev-ada', '—', '2023', '—', '14161']]);
  });

  it('differ by the row that is there once less', async () => {
    const twice = { status: 'new', count: '1' };
    const [answer] = await compared(rows(twice, january, twice), rows(january, twice));
    expect(answer).toMatchObject({ state: 'different', text: '1 row only in main, 2 rows the same.' });
  });

  it.each<readonly [string, QueryOutcome, QueryOutcome, string, string]>([
    ['nobody has rows', rows(), rows(), 'same', 'Both answers have no rows.'],
    [
      'a column has no values here and numbers there',
      rows({ a: null }),
      rows({ a: '1' }),
      'different',
      '1 row changed, 0 rows the same.',
    ],
    [
      'numbers here are texts there',
      rows({ a: '1' }, { a: '2' }),
      rows({ a: 'one' }, { a: '2' }),
      'different',
      '1 row only in main, 1 row only in dev-ada, 1 row the same.',
    ],
  ])('are classified where %s', async (_, main, dev, state, text) => {
    expect(await compared(main, dev)).toMatchObject([{ state, text }]);
  });

  it('of many questions are those of each question, though one fails and others take longer', async () => {
    const questions = Array.from({ length: 9 }, (_, at) => question(`q${at}`));
    const side = (name: string, failing: string) => ({
      name,
      run: async (queryOrSql: SavedQuestion['queryOrSql']): Promise<QueryOutcome> => {
        const text = typeof queryOrSql === 'string' ? queryOrSql : '';
        // The later a question, the sooner its answer.
        for (let step = Number(text.slice(1)); step < 9; step += 1) await Promise.resolve();
        if (text === failing) throw new Error(`${name} is out of reach`);
        return rows({ queryOrSql: text, count: '1' });
      },
    });
    const answers = await compareAnswers(questions, [side('main', 'q2'), side('dev-ada', 'q5')]);
    expect(answers.map(({ question: { queryOrSql }, state }) => [queryOrSql, state])).toEqual(
      questions.map(({ queryOrSql }) => [queryOrSql, queryOrSql === 'q2' || queryOrSql === 'q5' ? 'unknown' : 'same']),
    );
    expect(answersSummary(answers)).toBe('7 the same, 2 could not be compared');
    expect(answersReport(answers, ['main', 'dev-ada'])).toContain('main: main is out of reach.');
  });
});
