import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf } from './problems.ts';

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
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $name', (verdict) => {
    expect(errorsOf(verdict)).toEqual([]);
  });

  it.each(cases.filter(({ accepted }) => !accepted))('refused: $name', (verdict) => {
    expect(errorsOf(verdict)).not.toEqual([]);
  });
});
