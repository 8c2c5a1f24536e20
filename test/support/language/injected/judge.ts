import { fileProblems } from '#model/checks/file-problems.ts';
import { indexOf } from '#support/language/problems.ts';
import { renderTemplates } from '#support/language/rendered.ts';
import type { MatrixEngine } from '../matrix/engine.ts';
import { mistakesIn } from './mistakes.ts';

/** A model by the paths of its files. */
export type ModelTexts = Readonly<Record<string, string>>;

/** A mistake of which we say something else than the engine. */
export interface MistakenVerdict {
  /** The file, the line and the mistake. */
  readonly name: string;
  readonly engine: readonly string[];
  readonly ours: readonly string[];
}

export interface JudgedMistakes {
  /** Whether the model without a mistake is one that the engine accepts; no mistake is judged in another. */
  readonly isAccepted: boolean;
  judged: number;
  refused: number;
  readonly falseErrors: readonly MistakenVerdict[];
  readonly missedErrors: readonly MistakenVerdict[];
}

/** Which of the mistakes are judged: those of which the number leaves `rest` when it is divided by `share`. */
export interface Sample {
  readonly share: number;
  readonly rest: number;
}

/** Injects mistakes into a model, one at a time, and compares what the engine and our checks say of each. */
export async function judgeMistakes(
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

/** What the engine and what our checks say against a model; both are empty where it is right. */
export async function verdictsOn(
  engine: MatrixEngine,
  model: ModelTexts,
): Promise<{ readonly refused: readonly string[]; readonly ours: readonly string[] }> {
  return { refused: await refusals(engine, model), ours: errorsIn(model) };
}

async function refusals(engine: MatrixEngine, model: ModelTexts): Promise<readonly string[]> {
  const files = Object.entries(model).map(([fileName, content]) => ({ fileName, content }));
  return (await engine.compile(files)).map(({ message }) => message);
}

/** The messages of our errors in a model, its templates rendered. */
function errorsIn(model: ModelTexts): readonly string[] {
  const index = indexOf(model);
  renderTemplates(index);
  return [...index.files()].flatMap((file) =>
    fileProblems(file, index)
      .filter(({ severity }) => severity === 'error')
      .map(({ problem }) => problem.message),
  );
}
