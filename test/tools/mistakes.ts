import { parseArgs } from 'node:util';
import { DIALECTS, generatedModel } from '../support/language/generated/generate.ts';
import { type ModelTexts, runMistakes } from '../support/language/injected/run-mistakes.ts';
import { modelsIn, ownModels, templatedModels } from '../support/language/injected/models.ts';
import { inEachStyle } from '../support/language/injected/styles.ts';
import { matrixEngine } from '../support/language/matrix/engine.ts';

/**
 * Injects mistakes into real models and compares our checks with the engine (docs/testing.md): into those of the repository, or
 * those in the folders passed as arguments. `--share 20` judges every twentieth mistake, `--rest` selects which. `--styles` writes
 * each model in every style first, `--templated` takes only those with templates. Prints the recall: of the refused mistakes, the
 * share that we find. `--seeds 100` takes generated models instead, a hundred in each dialect. Exit code 1 if anything differs.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    share: { type: 'string', default: '1' },
    rest: { type: 'string', default: '0' },
    styles: { type: 'boolean', default: false },
    templated: { type: 'boolean', default: false },
    seeds: { type: 'string' },
  },
});
const sample = { share: Number(values.share), rest: Number(values.rest) };
const engine = await matrixEngine();
const sum = { models: 0, judged: 0, refused: 0, falseErrors: 0, missedErrors: 0 };
const own = values.templated ? templatedModels() : ownModels();
const written = values.seeds === undefined ? chosen() : generated(Number(values.seeds));
for (const [root, model] of values.styles ? inEachStyle(written) : written) {
  const { isAccepted, judged, refused, falseErrors, missedErrors } = await runMistakes(engine, model, sample);
  if (!isAccepted) continue;
  sum.models++;
  sum.judged += judged;
  sum.refused += refused;
  sum.falseErrors += falseErrors.length;
  sum.missedErrors += missedErrors.length;
  for (const { name, engine: refusals, ours } of [...falseErrors, ...missedErrors])
    console.log(
      `${root} ${name}\n  engine: ${refusals.join(' | ') || 'accepts it'}\n  ours:   ${ours.join(' | ') || 'no error'}`,
    );
}
const recall = sum.refused === 0 ? 1 : 1 - sum.missedErrors / sum.refused;
console.table({ ...sum, recall: `${(recall * 100).toFixed(2)} %` });
process.exitCode = sum.falseErrors + sum.missedErrors === 0 ? 0 : 1;

function chosen(): ReadonlyMap<string, ModelTexts> {
  return positionals.length > 0 ? modelsIn(positionals) : own;
}

function generated(seeds: number): ReadonlyMap<string, ModelTexts> {
  const named = DIALECTS.flatMap((dialect) =>
    Array.from({ length: seeds }, (_, at) => [`${dialect} ${at + 1}`, generatedModel(at + 1, dialect)] as const),
  );
  return new Map(named);
}
