import { readFileSync } from 'node:fs';
import { BaseSequencer, type TestSequencerConstructor, type TestSpecification } from 'vitest/node';

/**
 * Returns vitest's option `sequence` for test files of which those with the given path endings take longest. Vitest does not
 * shuffle where a configuration has a sequencer, so there is none where the command line asks for a random order.
 */
export function longestFirst(paths: readonly string[]): { readonly sequencer?: TestSequencerConstructor } {
  const isShuffled = process.argv.some((option) => option.startsWith('--sequence.shuffle'));
  return isShuffled ? {} : { sequencer: longestFirstSequencer(paths) };
}

/**
 * Returns a sequencer for test files that runs those with the given path endings first, in that order, so that no long one runs
 * alone on one core at the end. Vitest itself goes by previous durations, which a fresh clone does not have.
 */
function longestFirstSequencer(paths: readonly string[]): TestSequencerConstructor {
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      const ranks = new Map(files.map((file) => [file, rankOf(file.moduleId, paths)]));
      return (await super.sort(files)).toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
    }
  };
}

/**
 * Returns a number by which test files are sorted: the longest come first, then all others. Those that load the modules of their
 * worker again (`vi.resetModules`) come after them, because what is loaded again costs time for each file that follows, and memory:
 * the more of that a worker has, the longer it takes to start a process. Last come those that name an environment, one after the
 * other: a worker cannot change its environment, so each of them between others would cost two new workers.
 */
export function rankOf(file: string, longest: readonly string[]): number {
  const at = longest.findIndex((path) => file.endsWith(`/${path}`));
  if (at >= 0) return at;
  const text = readFileSync(file, 'utf8');
  if (/@vitest-environment\s/.test(text)) return longest.length + 2;
  return longest.length + (/^ *vi\.resetModules\(\)|=> vi\.resetModules\(\)/m.test(text) ? 1 : 0);
}
