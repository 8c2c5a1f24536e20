import { describe, expect, it } from 'vitest';
import { judgeMistakes } from '#support/language/injected/judge.ts';
import { mistakesIn } from '#support/language/injected/mistakes.ts';
import { ownModels } from '#support/language/injected/models.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';

/** Every mistake of so many is judged here; `npm run test:mistakes` judges all of them. */
const SHARE = 600;

describe('the mistakes that are injected', () => {
  it('are made in every line that is not a comment, one at a time', () => {
    const text = 'cubes:\n  # The shop.\n  - name: orders\n    sql: "SELECT {CUBE}.id"\n';
    const made = [...mistakesIn('a.yml', text)];
    expect([...new Set(made.map(({ line }) => line))]).toEqual([1, 3, 4]);
    expect(made.map(({ what }) => what)).toEqual(
      expect.arrayContaining(['key: ucbes:', 'without: - name: orders', 'no end: sql: "SELECT {CUBE.id"']),
    );
    expect(made.filter(({ content }) => content === text)).toEqual([]);
  });
});

describe('a sample of mistakes in the sample and in models of other people', () => {
  // @shows no-false-errors, errors-of-the-engine
  it('is refused by the engine where we report an error, and nowhere else', async () => {
    const engine = await matrixEngine();
    const differences: string[] = [];
    let models = 0;
    let refused = 0;
    let accepted = 0;
    for (const model of ownModels().values()) {
      const judged = await judgeMistakes(engine, model, { share: SHARE, rest: 11 });
      if (!judged.isAccepted) continue;
      models++;
      refused += judged.refused;
      accepted += judged.judged - judged.refused;
      differences.push(...[...judged.falseErrors, ...judged.missedErrors].map(({ name }) => name));
    }
    expect(differences).toEqual([]);
    expect(models).toBeGreaterThan(35);
    expect(refused).toBeGreaterThan(25);
    expect(accepted).toBeGreaterThan(5);
  });
});
