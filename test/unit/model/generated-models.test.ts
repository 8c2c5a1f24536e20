import { beforeAll, describe, expect, it } from 'vitest';
import { type Dialect, DIALECTS, generatedModel, mistakesOf } from '#support/language/generated/generate.ts';
import { Random } from '#support/language/generated/random.ts';
import { renamedModels } from '#support/language/generated/rename.ts';
import { verdictsOn } from '#support/language/injected/run-mistakes.ts';
import { type MatrixEngine, matrixEngine } from '#support/language/matrix/engine.ts';

/** Seeds of the models that are judged here; `npm run test:mistakes -- --seeds 500` judges more. */
const SEEDS = [1, 3];
/** The share of refused mistakes that we find at least; in scripts, some mistakes outside of definitions stay unknown. */
const RECALL: Readonly<Record<Dialect, number>> = { yaml: 1, template: 0.95, script: 0.9, mixed: 0.9 };

let engine: MatrixEngine;
beforeAll(async () => {
  engine = await matrixEngine();
});

describe.each(DIALECTS)('generated models in the dialect %s', (dialect) => {
  it('are the same for the same seed, and unlike for others', () => {
    expect(generatedModel(5, dialect)).toEqual(generatedModel(5, dialect));
    expect(generatedModel(5, dialect)).not.toEqual(generatedModel(6, dialect));
  });

  // @shows no-false-errors, errors-of-the-engine
  it('have no error that the engine does not have, and nearly all that it has', async () => {
    const falseErrors: unknown[] = [];
    const missedErrors: unknown[] = [];
    let refused = 0;
    for (const seed of SEEDS) {
      const model = generatedModel(seed, dialect);
      expect(await verdictsOn(engine, model)).toEqual({ refused: [], ours: [] });
      for (const { path, line, what, content } of new Random(seed).some([...mistakesOf(model)], 12)) {
        const found = await verdictsOn(engine, { ...model, [path]: content });
        const isRefused = found.refused.length > 0;
        if (isRefused) refused++;
        if (isRefused === found.ours.length > 0) continue;
        (isRefused ? missedErrors : falseErrors).push({ seed, path, line, what, ...found });
      }
    }
    expect(falseErrors).toEqual([]);
    expect(refused).toBeGreaterThan(8);
    expect(1 - missedErrors.length / refused).toBeGreaterThanOrEqual(RECALL[dialect]);
  });

  // @shows rename
  it('compile after each rename that is not refused with a reason', async () => {
    const results = SEEDS.flatMap((seed) => [...renamedModels(generatedModel(seed, dialect))]);
    const reasons = results.flatMap(([, result]) => ('refusal' in result ? [result.refusal] : []));
    expect(reasons.filter((reason) => !/rename it there|change the/.test(reason))).toEqual([]);
    const renamed = results.flatMap(([name, result]) => ('texts' in result ? [{ name, texts: result.texts }] : []));
    const broken: unknown[] = [];
    for (const { name, texts } of renamed) {
      const { refused } = await verdictsOn(engine, texts);
      if (refused.length > 0) broken.push({ name, refused });
    }
    expect(broken).toEqual([]);
    expect(renamed.length).toBeGreaterThan(8);
  });
});
