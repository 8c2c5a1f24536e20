import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { queryProblems } from '#model/query-files/check-query-file.ts';
import { type JsonMap, parseQueryFile } from '#model/query-files/query-file.ts';
import { runQueryTest } from '#model/query-files/query-test.ts';

const EXPECTATIONS = ['rowCount', 'rows', 'value', 'unique', 'notNull', 'compare', 'noFanOut', 'freshness', 'as'];

/** Any JSON, and texts that look like members and spans. */
const shape = fc.oneof(
  fc.jsonValue({ maxDepth: 3 }),
  fc.constantFrom('orders.count', 'orders.nope', '24 hours', '-1 days', '', '__proto__', Number.MAX_VALUE, -0),
  fc.array(fc.constantFrom('orders.count', 'orders.status', null, 3), { maxLength: 4 }),
  fc.dictionary(fc.constantFrom('member', 'within', 'query', 'equals', 'min', 'max', 'constructor'), fc.jsonValue()),
);

/** Cells as databases return them. */
const cell = fc.constantFrom<unknown>(
  ...[null, true, '', '9007199254740993', '0.10', 'NaN', '2026-03-29T02:30:00.000', 'ü "quoted"', 1e300],
  { unit: null },
  [],
);

describe('a test with an expectation of any shape', () => {
  it('passes or fails with a reason, and never throws', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...EXPECTATIONS),
        shape,
        fc.array(fc.dictionary(fc.constantFrom('orders.count', 'orders.status'), cell), { maxLength: 3 }),
        async (kind, expected, rows) => {
          const definition = { name: 'It', [kind]: expected } as JsonMap;
          const query = { measures: ['orders.count'], dimensions: ['orders.status'] };
          const outcome = await runQueryTest(query, definition, { now: () => 0, run: () => Promise.resolve({ rows }) });
          expect(outcome.state === 'passed' ? 'passed' : outcome.message).toMatch(/\S/);
        },
      ),
    );
  });
});

describe('a query file', () => {
  const lines = [
    '# Paid orders',
    'title: "Übersicht" # for Ada',
    'query:',
    '  measures: [orders.count]',
    'tests:',
    '  - name: One row',
    '    rowCount: 1',
    '',
  ];

  it('says the same with a byte order mark, with Windows line ends and with comments', () => {
    const plain = parseQueryFile(lines.join('\n'));
    for (const text of [`\uFEFF${lines.join('\n')}`, lines.join('\r\n'), `\uFEFF${lines.join('\r\n')}`]) {
      const file = parseQueryFile(text);
      expect(queryProblems(file, undefined)).toEqual([]);
      expect([file.query, file.tests.map(({ definition }) => definition)]).toEqual([
        plain.query,
        plain.tests.map(({ definition }) => definition),
      ]);
    }
    expect(plain.query).toEqual({ measures: ['orders.count'] });
  });

  it('of any text is read without an exception', () => {
    const word = fc.constantFrom(
      'query:',
      'tests:',
      '- ',
      '  ',
      '\r\n',
      '\n',
      '&a ',
      '*a',
      '<<: ',
      '{',
      ']',
      '"',
      '\uFEFF',
      'sql: |',
      '\t',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(word, fc.string({ maxLength: 6 })), { maxLength: 25 }), (words) => {
        expect(queryProblems(parseQueryFile(words.join('')), undefined)).toBeInstanceOf(Array);
      }),
    );
  });
});
