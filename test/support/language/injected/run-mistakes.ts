import { fileProblems } from '#model/checks/file-problems.ts';
import { indexOf } from '#support/language/problems.ts';
import { renderTemplates } from '#support/language/rendered.ts';
import type { MatrixEngine } from '../matrix/engine.ts';
import { mistakesIn } from './mistakes.ts';

/** A model by the paths of its files. */
export type ModelTexts = Readonly<Record<string, string>>;

/** A mistake on which our verdict differs from the engine's. */
export interface MistakenVerdict {
  /** The file, the line and the mistake. */
  readonly name: string;
  readonly engine: readonly string[];
  readonly ours: readonly string[];
}

export interface JudgedMistakes {
  /** Whether the engine accepts the model without a mistake; otherwise no mistake is judged. */
  readonly isAccepted: boolean;
  judged: number;
  refused: number;
  readonly falseErrors: readonly MistakenVerdict[];
  readonly missedErrors: readonly MistakenVerdict[];
}

/** The mistakes to judge: those whose number modulo `share` is `rest`. */
export interface Sample {
  readonly share: number;
  readonly rest: number;
}

/** Injects mistakes into a model, one at a time, and compares the engine's verdict with ours. */
export async function runMistakes(
  engine: MatrixEngine,
  model: ModelTexts,
  { share, rest }: Sample,
): Promise<JudgedMistakes> {
  const falseErrors: MistakenVerdict[] = [];
  const missedErrors: MistakenVerdict[] = [];
  const isAccepted = (await refusals(engine, model)).length === 0;
  const judged = { isAccepted, judged: 0, refused: 0, falseErrors, missedErrors };
  if (!isAccepted) return judged;
  let number = 0;
  for (const [path, text] of Object.entries(model)) {
    for (const { line, what, content } of mistakesIn(path, text)) {
      if (number++ % share !== rest) continue;
      const { refused, ours } = await verdictsOn(engine, { ...model, [path]: content });
      judged.judged++;
      if (refused.length > 0) judged.refused++;
      if (refused.length > 0 === ours.length > 0) continue;
      const list = ours.length > 0 ? falseErrors : missedErrors;
      list.push({ name: `${path}:${line} ${what}`, engine: refused, ours });
    }
  }
  return judged;
}

/** Resolves to the errors of the engine and of our checks in a model; both are empty if it is right. */
export async function verdictsOn(
  engine: MatrixEngine,
  model: ModelTexts,
): Promise<{ readonly refused: readonly string[]; readonly ours: readonly string[] }> {
  return { refused: await refusals(engine, model), ours: errorsIn(model) };
}

/** What the engine said of a model: several tests ask about the same one without a mistake. */
const known = new WeakMap<ModelTexts, Promise<readonly string[]>>();

function refusals(engine: MatrixEngine, model: ModelTexts): Promise<readonly string[]> {
  const answer = known.get(model) ?? compiled(engine, model);
  known.set(model, answer);
  return answer;
}

async function compiled(engine: MatrixEngine, model: ModelTexts): Promise<readonly string[]> {
  const files = Object.entries(model).map(([fileName, content]) => ({ fileName, content }));
  return (await engine.compile(files)).map(({ message }) => message);
}

/** Returns the messages of our errors in a model with its templates rendered. */
function errorsIn(model: ModelTexts): readonly string[] {
  const index = indexOf(model);
  renderTemplates(index);
  return [...index.files()].flatMap((file) =>
    fileProblems(file, index)
      .filter(({ severity }) => severity === 'error')
      .map(({ problem }) => problem.message),
  );
}
