import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';

interface Verdict {
  readonly name: string;
  readonly file: string;
  readonly text: string;
  readonly accepted: boolean;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/language/verdicts.json', 'utf8')) as {
  readonly cases: readonly Verdict[];
};

/** Refused by the engine for reasons that we do not see (yet). */
const UNSEEN = new Set(['js arrows', "title {''}"]);

const errorsOf = ({ file, text }: Verdict): unknown[] =>
  problemsOf({ [file]: text }).filter(({ severity }) => severity === 'error');

describe('small models with the verdict of the engine', () => {
  // @shows no-false-errors
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $name', (verdict) => {
    expect(errorsOf(verdict)).toEqual([]);
  });

  // @shows errors-of-the-engine
  it.each(cases.filter(({ accepted, name }) => !accepted && !UNSEEN.has(name)))('refused: $name', (verdict) => {
    expect(errorsOf(verdict)).not.toEqual([]);
  });
});
