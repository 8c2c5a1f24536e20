import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf } from '#support/language/problems.ts';
import { modelWith, type Slots } from '#support/language/slots.ts';

/** One odd thing in an accepted model, or a small model; `accepted` is what the engine says. */
interface Case {
  readonly name: string;
  readonly slots?: Slots;
  readonly text?: string;
  readonly file?: string;
  readonly accepted: boolean;
}
const { cases } = JSON.parse(readFileSync('test/fixtures/language/single-mistakes.json', 'utf8')) as {
  readonly cases: readonly Case[];
};

const errorsOf = ({ slots = {}, text = modelWith(slots), file = 'm.yml' }: Case): unknown[] =>
  problemsOf({ [file]: text }).filter(({ severity }) => severity === 'error');

describe('one odd thing in an accepted model, with the verdict of the engine', () => {
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $name', (each) => {
    expect(errorsOf(each)).toEqual([]);
  });

  // @shows errors-of-the-engine
  it.each(cases.filter(({ accepted }) => !accepted))('refused: $name', (each) => {
    expect(errorsOf(each)).not.toEqual([]);
  });
});
