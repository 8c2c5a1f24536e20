import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { evaluationQuestions, namesOfQuestions } from '#model/query-files/evaluation-questions.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { runQueryTest } from '#model/query-files/query-test.ts';
import { queryFileName } from '#model/query-files/query-file-name.ts';
import { type AnswerToSave, answerFileText } from '#model/query-files/write-answer.ts';
import { queriedModel } from '#support/language/queries.ts';
import { yaml } from '#support/language/raw.ts';

const answer: AnswerToSave = {
  question: 'How did revenue change from month to month?',
  title: 'Revenue by month',
  sql: 'SELECT month, MEASURE(orders.revenue) AS revenue\nFROM orders\nGROUP BY 1',
  columns: [
    { name: 'month', type: 'Timestamp' },
    { name: 'revenue', type: 'Decimal(10, 2)' },
  ],
  rows: [
    ['2026-01-01T00:00:00.000', '1200.50'],
    ['2026-02-01T00:00:00.000', null],
  ],
  total: 2,
  day: '2026-11-27',
};

/** Judges rows by the tests of a file. */
async function states(text: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<readonly string[]> {
  const { queryOrSql, tests } = parseQueryFile(text);
  const run = () => Promise.resolve({ rows });
  const outcomes = tests.map(async ({ definition }) =>
    runQueryTest(queryOrSql ?? {}, definition, { run, now: () => 0 }).then(({ state }) => state),
  );
  return Promise.all(outcomes);
}

describe('a saved answer', () => {
  it('is a query file with the question, the SQL and the numbers', () => {
    expect(answerFileText(answer)).toMatchInlineSnapshot(`
      "title: Revenue by month
      question: How did revenue change from month to month?
      sql: |
        SELECT month, MEASURE(orders.revenue) AS revenue
        FROM orders
        GROUP BY 1
      tests:
        - name: The rows are those of 2026-11-27
          rows:
            - month: 2026-01-01T00:00:00.000
              revenue: 1200.5
            - month: 2026-02-01T00:00:00.000
              revenue: null
      "
    `);
  });

  it('passes with its own numbers in any order, and fails with another one', async () => {
    const text = answerFileText(answer);
    const rows = [
      { month: '2026-02-01T00:00:00.000', revenue: null },
      { month: '2026-01-01T00:00:00.000', revenue: '1200.500' },
    ];
    expect(await states(text, rows)).toEqual(['passed']);
    expect(await states(text, [...rows.slice(1), { month: '2026-02-01T00:00:00.000', revenue: '0' }])).toEqual([
      'failed',
    ]);
  });

  it('expects the number of rows where the agent read only some of them', async () => {
    const text = answerFileText({ ...answer, total: 10_000 });
    expect(parseQueryFile(text).tests.map(({ definition }) => definition)).toEqual([
      { name: 'There are as many rows as on 2026-11-27', rowCount: 10_000 },
    ]);
    expect(
      await states(
        text,
        answer.rows.map(() => ({})),
      ),
    ).toEqual(['failed']);
  });

  it('has no problems, although its columns are not members of the model', () => {
    expect(queryProblems(parseQueryFile(answerFileText(answer)), queriedModel())).toEqual([]);
  });

  it('is read back as it was written, whatever was queryOrSql and answered', async () => {
    const cell = fc.oneof(
      fc.constant(null),
      fc.string(),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.string({ minLength: 1 }),
        fc.string({ minLength: 1 }),
        fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
        async (question, sql, rows) => {
          fc.pre(question.trim() !== '' && sql.trim() !== '');
          const text = answerFileText({ ...answer, question, sql, rows, total: rows.length });
          const file = parseQueryFile(text);
          expect(file.problems).toEqual([]);
          expect(file.question).toBe(question);
          expect(typeof file.queryOrSql === 'string' ? file.queryOrSql.trim() : file.queryOrSql).toBe(sql.trim());
          expect(
            await states(
              text,
              rows.map(([month, revenue]) => ({ month, revenue })),
            ),
          ).toEqual(['passed']);
        },
      ),
    );
  });

  it.each([
    ['How did revenue change from month to month?', 'how-did-revenue-change-from-month-to-month.query.yml'],
    ['Umsätze 2026: wie viele?', 'umsatze-2026-wie-viele.query.yml'],
    ['売上は？', 'answer.query.yml'],
    ['../../etc/passwd', 'etc-passwd.query.yml'],
    [`${'very '.repeat(40)}long`, `${'very-'.repeat(11)}very.query.yml`],
  ])('gets a name from %s', (question, name) => {
    expect(queryFileName(question, 'answer')).toBe(name);
  });
});

describe('SQL in a query file', () => {
  const states = async (expectation: string, rows: readonly Readonly<Record<string, unknown>>[]): Promise<string> => {
    const { queryOrSql, tests, problems } = parseQueryFile(`sql: SELECT 1\ntests:\n  - name: It\n    ${expectation}\n`);
    expect(problems).toEqual([]);
    const run = (query: unknown) => Promise.resolve({ rows: query === 'SELECT 1' ? rows : [{ 'orders.count': 2 }] });
    return (await runQueryTest(queryOrSql ?? {}, tests[0]?.definition ?? {}, { run, now: () => 0 })).state;
  };

  it.each([
    ['unique: [n]', [{ n: 1 }, { n: 1 }], 'failed'],
    ['unique: [m]', [{ n: 1 }], 'wrong'],
    ['notNull: [n]', [], 'passed'],
    ['value: { member: n, is: 1 }', [{ n: '1.0' }], 'passed'],
    ['compare: { query: { measures: [orders.count] } }', [{ n: 2 }], 'passed'],
    ['compare: { query: { measures: [orders.count] } }', [], 'failed'],
    ['noFanOut: [n]', [{ n: 1 }], 'wrong'],
  ])('is judged by %s', async (expectation, rows, state) => {
    expect(await states(expectation, rows)).toBe(state);
  });

  it('and a query in one file ask nothing, and say so', () => {
    const file = parseQueryFile(yaml`
      query: {}
      sql: SELECT 1
    `);
    expect(file.queryOrSql).toBeUndefined();
    expect(queryProblems(file, undefined).map(({ problem }) => problem.code)).toEqual(['exclusive-keys']);
  });
});

describe('evaluation questions', () => {
  const files = new Map([
    ['queries/revenue.query.yml', answerFileText(answer)],
    ['model/revenue.query.yml', answerFileText({ ...answer, question: 'And of that?', sql: 'SELECT 1' })],
    ['queries/plain.query.yml', 'query: { measures: [orders.count] }\n'],
    [
      'queries/members.query.yml',
      yaml`
        question: How many?
        query: { measures: [orders.count] }
      `,
    ],
  ]);

  it('have the platform’s keys, names of their own, and the SQL as the right answer', () => {
    const { text, count, withoutSql } = evaluationQuestions(files, new Set(['revenue_2']));
    expect({ count, withoutSql }).toEqual({ count: 2, withoutSql: ['queries/members.query.yml'] });
    expect(text).toMatchInlineSnapshot(`
      "# Written by Modelbench from the questions that are saved in query files. Change those, and export them again.
      eval_questions:
        - name: revenue
          question: And of that?
          sql: |
            SELECT 1
        - name: revenue_3
          question: How did revenue change from month to month?
          sql: |
            SELECT month, MEASURE(orders.revenue) AS revenue
            FROM orders
            GROUP BY 1
      "
    `);
    expect(namesOfQuestions(text)).toEqual(['revenue', 'revenue_3']);
  });

  it.each([
    '',
    'eval_questions: 1',
    yaml`
      eval_questions:
        - question: x
        -`,
    '- a',
    '{',
  ])('have no names in %j', (text) => {
    expect(namesOfQuestions(text)).toEqual([]);
  });
});
