import { describe, expect, it } from 'vitest';
import { language } from '#model/language/language.ts';
import { NUMBER_FORMATS, TIME_FORMATS } from '#model/checks/formats.ts';
import { booleanWords, formatWords } from '#language-server/ide/value-words.ts';
import { js, yaml } from '#support/language/raw.ts';
import { completionItems, hovered } from '#support/language/show.ts';

const number = (key: string): string => yaml`
  cubes:
    - name: a
      sql_table: t
      dimensions:
        - name: n
          sql: n
          type: number
          ${key}
`;

/** The sentence below the title of a hover. */
const sentence = (model: string): string => hovered(model).drawn.split('\n\n')[1] ?? hovered(model).drawn;

describe('the hover of a value', () => {
  // @shows hover
  it.each([
    ['format: cur$0rency', /^Shows an amount of money/],
    ['format: per$0cent_1', /^Shows a fraction as a percentage: .* At most 1 decimal\.$/],
    ['format: abbr$0_0', /At most 1 significant digit\.$/],
    ['format: "$0,.2f"', /^Shows a number with 2 decimals and separators of thousands\.$/],
    ["format: '.1$0%'", /^Shows a fraction as a percentage with 1 decimal\.$/],
    ['format: i$0d', /^Shows a whole number without separators/],
    ['format: imag$0eUrl', /^Shows the picture/],
    ['public: fal$0se', /^Only the model itself can use it/],
    ['public: TRU$0E', /can query it\.$/],
    ['primary_key: tru$0e', /identify the rows/],
    ['format: some$0thing', /^nothing$/],
    ['title: tru$0e', /^nothing$/],
  ])('says what it does: %s', (key, expected) => {
    expect(sentence(number(key))).toMatch(expected);
  });

  it('is shown in a script', () => {
    const script = (keys: string): string =>
      `// file: m.js\n${js`
        cube('a', { sql_table: 't', measures: { n: { type: 'count', ${keys} } } });
      `}`;
    expect(sentence(script('format: `acc$0ounting`'))).toMatch(/^Shows a negative number in parentheses/);
    expect(sentence(script('public: fal$0se'))).toMatch(/^Only the model itself/);
  });

  it('is shown for a format that a view gives to a member', () => {
    const view = yaml`
      views:
        - name: v
          cubes:
            - join_path: a
              includes: [{name: n, format: per$0cent}]
    `;
    expect(sentence(view)).toMatch(/^Shows a fraction/);
  });
});

describe('the words of values', () => {
  it('exist for each boolean of the language that is offered', () => {
    const keys = Object.values(language).flatMap((shape) =>
      Object.entries(shape.keys).flatMap(([key, { type, hidden }]) => (type.is === 'boolean' && !hidden ? [key] : [])),
    );
    expect(keys.filter((key) => !booleanWords(key, 'true') || !booleanWords(key, 'false'))).toEqual([]);
  });

  it.each([...NUMBER_FORMATS, ...TIME_FORMATS])('exist for an offered format: %s', (format) => {
    expect(formatWords(format)).toMatch(/\.$/);
  });

  it('are in completions, too', () => {
    const items = completionItems(number('format: $0'));
    expect(items.filter(({ documentation }) => documentation === undefined)).toEqual([]);
    expect(completionItems(number('public: $0')).map(({ documentation }) => documentation)).toEqual([
      'Only the model itself can use it; no query can.',
      'Users, APIs and dashboards can query it.',
    ]);
  });
});
