import type { Code } from '../codes.ts';
import type { Found } from './check.ts';

/** What follows from a problem earlier in the same line: names after a brace that is never closed, and a section after a tab. */
const following: Readonly<Partial<Record<Code, Code>>> = {
  'unknown-reference': 'bad-expression',
  'unknown-section': 'tab-indent',
};

/** Returns the problems of a text without those that only follow from another one in their line. */
export function withoutFollowingProblems(found: readonly Found[], text: string): readonly Found[] {
  const causes = new Set(Object.values(following));
  const broken = found.filter(({ problem }) => causes.has(problem.code));
  if (broken.length === 0) return found;
  return found.filter(({ problem, start }) => {
    const cause = following[problem.code];
    return !broken.some(
      (other) => other.problem.code === cause && other.start <= start && !text.slice(other.start, start).includes('\n'),
    );
  });
}
