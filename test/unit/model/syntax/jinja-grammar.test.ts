import { readFileSync } from 'node:fs';
import { assert, constantFrom, array, property, string, oneof } from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskJinja } from '#model/syntax/jinja/jinja.ts';

interface Case {
  readonly text: string;
  readonly accepted: boolean;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/language/template-grammar-cases.json', 'utf8')) as {
  readonly cases: readonly Case[];
};

const problemsOf = (text: string): readonly string[] =>
  maskJinja(text).problems.map(({ start, end, message }) => `${text.slice(start, end)}: ${message}`);

describe('parts of templates with the verdict of the template engine', () => {
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $text', ({ text }) => {
    expect(problemsOf(text)).toEqual([]);
  });

  it.each(cases.filter(({ accepted }) => !accepted))('refused: $text', ({ text }) => {
    expect(problemsOf(text)).not.toEqual([]);
  });
});

describe('what is said of a part that cannot be read', () => {
  it.each([
    ['title: {{ a b }}', 'b: Nothing more is allowed at `b`.'],
    ['title: {{ a + }}', '{{ a + }}: A value is missing at the end of this template tag.'],
    ['{% for a of b %}{% endfor %}', 'of: `in` is missing at `of`.'],
    ['{{ f(a=1, b) }}', 'b: Positional arguments must come first at `b`.'],
    ['{{ f(a }}', '(: This `(` has no matching bracket in this template tag.'],
  ])('%s', (text, said) => {
    expect(problemsOf(text)).toEqual([said]);
  });
});

it('never throws and marks what is there, whatever stands in a template part', () => {
  const piece = oneof(
    constantFrom(
      'a',
      '1',
      '"s"',
      "'",
      '|',
      'is',
      'not',
      'in',
      'if',
      'else',
      '(',
      ')',
      '[',
      ']',
      '{',
      '}',
      '.',
      ',',
      '=',
    ),
    constantFrom('-', '**', ':', 'for', 'set', '%}', '{%', '{{', '}}', '{#', '#}', '\\', '\n', ' '),
    string({ maxLength: 3 }),
  );
  assert(
    property(
      constantFrom('{{', '{%', '{% if', '{% for a in', '{% set a ='),
      array(piece, { maxLength: 12 }),
      (open, inner) => {
        const text = `${open} ${inner.join(' ')} ${open === '{{' ? '}}' : '%}'}`;
        const { text: masked, problems } = maskJinja(text);
        expect(masked).toHaveLength(text.length);
        for (const { start, end } of problems) expect(0 <= start && start <= end && end <= text.length).toBe(true);
      },
    ),
    { numRuns: 500, seed: 22 },
  );
});
