import type { Code, Problem } from '../codes.ts';
import { isError } from '#model/engine/is-error.ts';
import type { ScalarNode } from '../syntax/tree.ts';

/** Problems of a key that end with its removal, those that explain it best first. */
const REFUSALS: readonly Code[] = ['misplaced-key', 'exclusive-keys', 'null-value'];

/** The keys of an entity that the engine refuses where they are, so that one problem is enough for each. */
export class RefusedKeys {
  /** Their offsets. */
  readonly #starts = new Set<number>();

  has({ start }: ScalarNode): boolean {
    return this.#starts.has(start);
  }

  /** Notes the keys that problems refuse; returns the problems with one refusal for each key that was not refused before. */
  note(problems: Problem[]): Problem[] {
    const refusals = problems.filter((problem) => REFUSALS.includes(problem.code) && isError(problem));
    if (refusals.length === 0) return problems;
    const known = new Set(this.#starts);
    for (const { start } of refusals) this.#starts.add(start);
    return problems.filter(
      (problem) =>
        !refusals.includes(problem) || (!known.has(problem.start) && problem === bestOf(refusals, problem.start)),
    );
  }
}

function bestOf(refusals: readonly Problem[], start: number): Problem | undefined {
  const rank = ({ code }: Problem): number => REFUSALS.indexOf(code);
  return refusals.filter((each) => each.start === start).toSorted((a, b) => rank(a) - rank(b))[0];
}
