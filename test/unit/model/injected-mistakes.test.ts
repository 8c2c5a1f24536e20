import { describe, expect, it } from 'vitest';
import { judgeMistakes, verdictsOn } from '#support/language/injected/judge.ts';
import { mistakesIn } from '#support/language/injected/mistakes.ts';
import { ownModels } from '#support/language/injected/models.ts';
import { inEachStyle, STYLES } from '#support/language/injected/styles.ts';
import { BASE_MODELS } from '#support/language/matrix/base-models.ts';
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

describe('models in another style', () => {
  const bases = new Map(Object.entries(BASE_MODELS).map(([name, text]) => [name, { 'm.yml': text }]));
  const styled = [...inEachStyle(bases)];

  it('are written in each style', () => {
    const names = styled.map(([name]) => name);
    const missing = Object.keys(STYLES).filter((style) => !names.some((name) => name.endsWith(`${style}:`)));
    expect(missing).toEqual([]);
  });

  // @shows no-false-errors
  it('have an error where the engine refuses them, and nowhere else', async () => {
    const engine = await matrixEngine();
    const verdicts = await Promise.all(
      styled.map(async ([name, model]) => ({ name, ...(await verdictsOn(engine, model)) })),
    );
    expect(verdicts.filter(({ refused, ours }) => refused.length > 0 !== ours.length > 0)).toEqual([]);
    expect(verdicts.filter(({ refused }) => refused.length > 0).length).toBeLessThan(styled.length / 10);
  });

  // @shows errors-of-the-engine
  it('have an error for a sample of mistakes that the engine refuses, and only for them', async () => {
    const engine = await matrixEngine();
    const differences: string[] = [];
    let refused = 0;
    for (const [name, model] of styled) {
      const judged = await judgeMistakes(engine, model, { share: 900, rest: 5 });
      refused += judged.refused;
      differences.push(...[...judged.falseErrors, ...judged.missedErrors].map((each) => `${name} ${each.name}`));
    }
    expect(differences).toEqual([]);
    expect(refused).toBeGreaterThan(30);
  });
});
