import { wordsOnly } from '#base/words.ts';
import type { EngineProblem } from './engine-refusals.ts';
import { engineVersion } from './engine-version.ts';

/** A compiler's errors in a saved version of a model. */
export interface Verdict {
  readonly problems: readonly EngineProblem[];
  /** False while a newer version of the model is being compiled, in which missing items may exist by now. */
  readonly isCurrent: boolean;
}

/** The platform's verdict on the branch of a model. */
export interface DeployedVerdict extends Verdict {
  readonly version?: string | undefined;
  /** Whether the problems are all of its errors: some name nothing that this machine has. */
  readonly isWhole: boolean;
}

/**
 * Merges the problems that the local engine and the deployment's own engine found into one list. Problems that both report at one
 * position become one. If the platform compiled the model as well, each problem names who found it and who did not.
 */
export function mergeEngineProblems(
  local: Verdict | undefined,
  deployed: DeployedVerdict | undefined,
): EngineProblem[] {
  const here = local?.problems ?? [];
  if (!deployed) return [...here];
  const found = {
    here: `engine ${engineVersion}`,
    there: deployed.version === undefined ? '' : ` (engine ${deployed.version})`,
  };
  const own = here.map((problem): EngineProblem => {
    if (deployed.problems.some((other) => saysSame(problem, other)))
      return withFinders(problem, `Found on this machine (${found.here}) and by the platform${found.there}.`);
    if (!deployed.isCurrent) return problem;
    if (!deployed.isWhole) return withFinders(problem, `Found on this machine (${found.here}).`);
    return withFinders(problem, `Found on this machine (${found.here}). The platform${found.there} accepts it.`);
  });
  const theirs = deployed.problems
    .filter((problem) => !here.some((other) => saysSame(problem, other)))
    .map((problem) =>
      withFinders(
        problem,
        local?.isCurrent === true
          ? `Found by the platform${found.there}. This machine (${found.here}) accepts it.`
          : `Found by the platform${found.there}.`,
      ),
    );
  return [...own, ...theirs];
}

function withFinders(problem: EngineProblem, finders: string): EngineProblem {
  return { ...problem, message: `${problem.message}\n${finders}` };
}

/** Checks whether two errors are at one position and mean the same: versions of the engine differ in quotes and punctuation. */
function saysSame(a: EngineProblem, b: EngineProblem): boolean {
  if (a.chunk !== b.chunk) return false;
  if (a.start === b.start && wordsOnly(a.message) === wordsOnly(b.message)) return true;
  return isReason(a, b) || isReason(b, a);
}

/** Checks whether an error is one of the possible reasons that another one lists; a reason has the path of its subject. */
function isReason({ message }: EngineProblem, { message: listing }: EngineProblem): boolean {
  const [, reasons] = listing.split('\nPossible reasons (one of):\n');
  if (reasons === undefined) return false;
  const plain = wordsOnly(message);
  return reasons.split('\n').some((line) => wordsOnly(line.replace(/(\([\w.[\]-]+) = .*?\)/, '$1')) === plain);
}
