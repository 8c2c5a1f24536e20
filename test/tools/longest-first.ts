import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Returns a sequencer for test files that runs those with the given path endings first, in that order, so that no long one runs
 * alone on one core at the end. Vitest itself goes by previous durations, which a fresh clone does not have.
 */
export function longestFirst(paths: readonly string[]): TestSequencerConstructor {
  const rank = ({ moduleId }: TestSpecification): number => {
    const at = paths.findIndex((path) => moduleId.endsWith(`/${path}`));
    return at < 0 ? paths.length : at;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
    }
  };
}
