import type { Code } from '../codes.ts';
import type { Found } from './check.ts';

/** What follows from a problem earlier in the same line: names after a brace that is never closed, and a section after a tab. */
const following: Readonly<Partial<Record<Code, Code>>> = {
  'unknown-reference': 'bad-expression',
  'unknown-section': 'tab-indent',
};

/** Problems of a value that explain why it leads nowhere. */
const WRONG_VALUES: ReadonlySet<Code> = new Set(['wrong-type', 'bad-name', 'bad-value', 'bad-format']);

/** Returns the problems of a text without those that only follow from another one in their line, or of the same value. */
export function withoutFollowingProblems(found: readonly Found[], text: string): readonly Found[] {
  return withoutLost(withoutRest(found, text));
}

/** Leaves out that a value leads nowhere which is wrong in itself, such as a number in place of a name. */
function withoutLost(found: readonly Found[]): readonly Found[] {
  const wrong = found.filter(({ problem, severity }) => WRONG_VALUES.has(problem.code) && severity === 'error');
  if (wrong.length === 0) return found;
  const places = new Set(wrong.map(({ start, end }) => `${start} ${end}`));
  return found.filter(
    ({ problem, start, end }) => problem.code !== 'unknown-reference' || !places.has(`${start} ${end}`),
  );
}

function withoutRest(found: readonly Found[], text: string): readonly Found[] {
  const causes = new Set(Object.values(following));
  // What the engine accepts hides nothing.
  const broken = found.filter(({ problem, severity }) => severity === 'error' && causes.has(problem.code));
  if (broken.length === 0) return found;
  return found.filter(({ problem, start }) => {
    const cause = following[problem.code];
    return !broken.some(
      (other) => other.problem.code === cause && other.start <= start && !text.slice(other.start, start).includes('\n'),
    );
  });
}
