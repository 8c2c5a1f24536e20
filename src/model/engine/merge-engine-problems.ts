import { wordsOnly } from '#base/words.ts';
import type { Chunk, ModelFile } from '#model/file.ts';
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
 * position, or that one of them reports twice, become one. If the platform compiled the model as well, each problem names who found
 * it and who did not.
 */
export function mergeEngineProblems(
  local: Verdict | undefined,
  deployed: DeployedVerdict | undefined,
): readonly EngineProblem[] {
  if (!deployed) return distinct(local?.problems ?? []);
  // Each file of a model asks for the same list.
  const known = merged.get(deployed);
  if (known && known.local === local) return known.problems;
  const problems = mergedWith(local, deployed);
  merged.set(deployed, { local, problems });
  return problems;
}

const merged = new WeakMap<
  DeployedVerdict,
  { readonly local: Verdict | undefined; readonly problems: readonly EngineProblem[] }
>();

function mergedWith(local: Verdict | undefined, deployed: DeployedVerdict): readonly EngineProblem[] {
  const here = distinct(local?.problems ?? []);
  const there = distinct(deployed.problems);
  const found = {
    here: `engine ${engineVersion}`,
    there: deployed.version === undefined ? '' : ` (engine ${deployed.version})`,
  };
  const isThere = inList(there);
  const own = here.map((problem): EngineProblem => {
    if (isThere(problem))
      return withFinders(problem, `Found on this machine (${found.here}) and by the platform${found.there}.`);
    if (!deployed.isCurrent) return problem;
    if (!deployed.isWhole) return withFinders(problem, `Found on this machine (${found.here}).`);
    return withFinders(problem, `Found on this machine (${found.here}). The platform${found.there} accepts it.`);
  });
  const isHere = inList(here);
  const theirs = there
    .filter((problem) => !isHere(problem))
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

/** What is the same in messages of one meaning: versions of the engine differ in quotes and punctuation. */
function meaningOf({ start, message }: EngineProblem): string {
  return `${start} ${wordsOnly(message)}`;
}

/** Returns the text to which the offsets of a problem belong. */
function textOf({ chunk, file }: EngineProblem): Chunk | ModelFile {
  return file ?? chunk;
}

/** Returns the first of the problems that are at one position and mean the same. */
function distinct(problems: readonly EngineProblem[]): readonly EngineProblem[] {
  const seen = new Map<Chunk | ModelFile, Set<string>>();
  return problems.filter((problem) => {
    const known = seen.get(textOf(problem)) ?? new Set();
    seen.set(textOf(problem), known);
    const { size } = known;
    return known.add(meaningOf(problem)).size > size;
  });
}

const REASONS = '\nPossible reasons (one of):\n';

/**
 * Returns whether a list has a problem, at its position and of its meaning. A problem that lists possible reasons stands for each of
 * them; a reason has the path of its subject.
 */
function inList(problems: readonly EngineProblem[]): (problem: EngineProblem) => boolean {
  const byText = new Map<
    Chunk | ModelFile,
    { readonly meanings: Set<string>; readonly words: Set<string>; readonly reasons: Set<string> }
  >();
  for (const problem of problems) {
    const known = byText.get(textOf(problem)) ?? { meanings: new Set(), words: new Set(), reasons: new Set() };
    byText.set(textOf(problem), known);
    known.meanings.add(meaningOf(problem));
    known.words.add(wordsOnly(problem.message));
    for (const reason of reasonsIn(problem)) known.reasons.add(reason);
  }
  return (problem) => {
    const known = byText.get(textOf(problem));
    if (!known) return false;
    return (
      known.meanings.has(meaningOf(problem)) ||
      known.reasons.has(wordsOnly(problem.message)) ||
      reasonsIn(problem).some((reason) => known.words.has(reason))
    );
  };
}

/** Returns the possible reasons that an error lists. */
function reasonsIn({ message }: EngineProblem): readonly string[] {
  const [, reasons] = message.split(REASONS);
  return (reasons ?? '').split('\n').flatMap((line) => wordsOnly(line.replace(/(\([\w.[\]-]+) = .*?\)/, '$1)')) || []);
}
