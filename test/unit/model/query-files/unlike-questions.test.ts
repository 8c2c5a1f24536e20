import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { evaluationQuestions, namesOfQuestions } from '#model/query-files/evaluation-questions.ts';
import { parseQueryFile } from '#model/query-files/query-file.ts';
import { answerFileText } from '#model/query-files/write-answer.ts';

const answer = { title: '', columns: [], rows: [], total: 0, day: '2026-11-29' };
const files = (question: string, sql: string): ReadonlyMap<string, string> =>
  new Map([['queries/a.query.yml', answerFileText({ ...answer, question, sql })]]);

/** The questions of an export as the platform reads them, whose parser may follow either version of YAML. */
function exported(question: string, sql: string): readonly unknown[] {
  const { text } = evaluationQuestions(files(question, sql), new Set());
  return (['1.1', '1.2'] as const).map((version) => parse(text, { version }) as unknown);
}

describe('a question with characters that mean something in YAML', () => {
  it.each([
    'Why: is it #1?',
    '- first\n- second',
    '---\nNew document\n...',
    '  indented: more\n than this',
    'ends with spaces   ',
    '\n\nbegins with empty lines',
    'tab\tin\ta line\t',
    '"quoted" and \'quoted\' \\n \\u0041',
    '!!binary & *alias %TAG @at `tick`',
    'true',
    'null',
    '2026-11-29',
    'yes',
    'On',
    '1:30',
    '012',
    '0o17',
    '1_000',
    '.inf',
    '~',
    '<<',
    '=',
    '0x1F',
    '{{ cube }} {% if %}',
    'Windows\r\nlines\r\n',
    'next\u0085line \u2028 separators \u2029',
    'zero \u0000 and \u001b[31m',
    '\uFEFFmark of order',
    'right to left \u202E הכנסות',
    '👩‍👩‍👧 how many?',
    'half \ud83d of a pair',
    'a'.repeat(5_000),
  ])('is exported as it was asked: %j', (question) => {
    const sql = `SELECT '${question}'`;
    const kept = parseQueryFile(answerFileText({ ...answer, question, sql }));
    expect(kept.question).toBe(question);
    const questions = { eval_questions: [{ name: 'a', question, sql: `${sql.trim()}\n` }] };
    expect(exported(question, sql)).toEqual([questions, questions]);
  });

  it('is exported as it was asked, whatever the characters', () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1 }).map((each) => `x${each}`);
    fc.assert(
      fc.property(text, text, (question, sql) => {
        const questions = { eval_questions: [{ question, sql: `${sql.trim()}\n` }] };
        expect(exported(question, sql)).toMatchObject([questions, questions]);
      }),
      { numRuns: 300 },
    );
  });

  it('keeps the names of two questions apart where only other letters distinguish their files', () => {
    const text = answerFileText({ ...answer, question: 'How many?', sql: 'SELECT 1' });
    const paths = ['доход.query.yml', '収入.query.yml', '---.query.yml', 'a b.query.yml', 'a_b.query.yml'];
    const { text: written } = evaluationQuestions(new Map(paths.map((path) => [path, text])), new Set(['a_b']));
    const names = namesOfQuestions(written);
    expect(new Set(names).size).toBe(5);
    expect(names.every((name) => /^\w+$/.test(name))).toBe(true);
  });
});
