import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * An order of test files: those named by the ends of their paths come first, in that order, so that nothing long is left
 * for one core alone at the end. Vitest itself goes by how long each took the last time, which a fresh clone cannot know.
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
