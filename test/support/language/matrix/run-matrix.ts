import { problemsOf } from '#support/language/problems.ts';
import type { MatrixEngine } from './engine.ts';
import { scriptMutants } from './expressions.ts';
import { type Mutant, mutants } from './mutants.ts';

/** The verdicts of the engine and our checks on the mutants of one kind. */
export interface MatrixCount {
  judged: number;
  refused: number;
  /** Our errors in models that the engine accepts. */
  falseErrors: number;
  /** Models that the engine refuses and in which we find no error. */
  missedErrors: number;
}

/** A mutant on which our verdict differs from the engine's. */
export interface Difference {
  readonly name: string;
  readonly text: string;
  readonly engine: readonly string[];
  readonly ours: readonly string[];
}

export interface Judged {
  readonly counts: Readonly<Record<Mutant['kind'], MatrixCount>>;
  readonly differences: readonly Difference[];
}

/** Has the engine and our checks judge every mutant (of one kind) whose number modulo `share` is `rest`. */
export async function runMatrix(
  engine: MatrixEngine,
  share: number,
  rest: number,
  only?: Mutant['kind'],
): Promise<Judged> {
  const counts: Record<Mutant['kind'], MatrixCount> = {
    'valid or mistyped': none(),
    missing: none(),
    unknown: none(),
    misplaced: none(),
    respelled: none(),
    reference: none(),
    expression: none(),
  };
  const differences: Difference[] = [];
  let number = 0;
  for (const { name, kind, path, text, mayMiss = false } of [
    ...mutants(engine.describeSchemas()),
    ...scriptMutants(),
  ]) {
    if ((only !== undefined && kind !== only) || number++ % share !== rest) continue;
    const content = text();
    const refusals = await engine.compile([{ fileName: path, content }]);
    const errors = problemsOf({ [path]: content }).filter(({ severity }) => severity === 'error');
    const count = counts[kind];
    count.judged++;
    if (refusals.length > 0) count.refused++;
    if (refusals.length > 0 === errors.length > 0 || (mayMiss && errors.length === 0)) continue;
    if (errors.length > 0) count.falseErrors++;
    else count.missedErrors++;
    const ours = errors.map(({ line, message }) => `${line}: ${message}`);
    differences.push({ name, text: content, engine: refusals.map(({ message }) => message), ours });
  }
  return { counts, differences };
}

function none(): MatrixCount {
  return { judged: 0, refused: 0, falseErrors: 0, missedErrors: 0 };
}
