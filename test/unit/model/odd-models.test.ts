import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type CreateNodeOptions, parse, stringify, type ToStringOptions } from 'yaml';
import { problemsOf } from '#support/language/problems.ts';

interface Verdict {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly accepted: boolean;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/language/odd-models.json', 'utf8')) as {
  readonly cases: readonly Verdict[];
};

const errorsOf = ({ files }: Verdict): unknown[] => problemsOf(files).filter(({ severity }) => severity === 'error');

/** Templates, anchors, documents, line ends, views of every kind, scripts: unusual, and checked with the engine. */
describe('unusual models with the verdict of the engine', () => {
  // @shows no-false-errors
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $name', (verdict) => {
    expect(errorsOf(verdict)).toEqual([]);
  });

  it.each(cases.filter(({ accepted }) => !accepted))('refused: $name', (verdict) => {
    expect(errorsOf(verdict)).not.toEqual([]);
  });
});

/** The same data in other clothes: the engine, which reads data, thinks of it what it thought before. */
const STYLES: readonly (readonly [string, ToStringOptions & CreateNodeOptions])[] = [
  ['lists at the indentation of their keys', { indentSeq: false }],
  ['four spaces', { indent: 4 }],
  ['flow', { collectionStyle: 'flow', lineWidth: 0 }],
  ['single quotes', { defaultStringType: 'QUOTE_SINGLE' }],
  ['double quotes', { defaultStringType: 'QUOTE_DOUBLE', lineWidth: 0 }],
  ['folded blocks', { defaultStringType: 'BLOCK_FOLDED', defaultKeyType: 'PLAIN' }],
  ['literal blocks', { defaultStringType: 'BLOCK_LITERAL', defaultKeyType: 'PLAIN', lineWidth: 0 }],
];

describe('accepted models written in another style', () => {
  const plain = cases.filter(
    ({ accepted, files }) =>
      accepted &&
      Object.keys(files).every((path) => path.endsWith('.yml')) &&
      // Templates are not YAML, and the library drops the quotes that keep a date a text.
      !Object.values(files).some((text) => /\{[{%]|[}%]\}|\d-\d/.test(text)),
  );

  it.each(STYLES)('%s', (_, style) => {
    let written = 0;
    for (const { name, files } of plain) {
      const restyled = Object.fromEntries(
        Object.entries(files).map(([path, text]) => {
          const own = stringify(parse(text, { merge: true }), { aliasDuplicateObjects: false, ...style });
          // Two braces in a row would be a template.
          return [path, own.replaceAll('}}', '} }').replaceAll('{{', '{ {')];
        }),
      );
      const errors = problemsOf(restyled).filter(({ severity }) => severity === 'error');
      expect({ name, errors }).toEqual({ name, errors: [] });
      written++;
    }
    expect(written).toBeGreaterThan(25);
  });
});
