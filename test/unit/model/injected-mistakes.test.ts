import { describe, expect, it } from 'vitest';
import { runMistakes, verdictsOn } from '#support/language/injected/run-mistakes.ts';
import { mistakesIn } from '#support/language/injected/mistakes.ts';
import { ownModels } from '#support/language/injected/models.ts';
import { inEachStyle, STYLES } from '#support/language/injected/styles.ts';
import { BASE_MODELS } from '#support/language/matrix/base-models.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { yaml } from '#support/language/raw.ts';

/** Every mistake of so many is judged here; `npm run test:mistakes` judges all of them. */
const SHARE = 600;

describe('the mistakes that are injected', () => {
  it('are made in every line that is not a comment, one at a time', () => {
    const text = yaml`
      cubes:
        # The shop.
        - name: orders
          sql: "SELECT {CUBE}.id"
    `;
    const made = [...mistakesIn('a.yml', text)];
    expect([...new Set(made.map(({ line }) => line))]).toEqual([1, 3, 4]);
    expect(made.map(({ what }) => what)).toMatchInlineSnapshot(`
      [
        "deeper: cubes:",
        "no colon: cubes",
        "a comma: cubes:,",
        "key: ucbes:",
        "key: CUBES:",
        "key: Cubes:",
        "key: cubess:",
        "value: cubes: abc",
        "value: cubes:",
        "value: cubes: 5",
        "value: cubes: true",
        "value: cubes: []",
        "value: cubes: {}",
        "value: cubes: "{nothing}"",
        "value: cubes: "{CUBE.nothing}"",
        "value: cubes: "{CUBE}.id"",
        "value: cubes: "{"",
        "value: cubes: "}"",
        "without: cubes:",
        "twice: cubes:",
        "deeper: - name: orders",
        "a tab: - name: orders",
        "no dash: name: orders",
        "no colon: - name orders",
        "no space: -name: orders",
        "a comma: - name: orders,",
        "less deep: - name: orders",
        "key: - anme: orders",
        "key: - NAME: orders",
        "key: - Name: orders",
        "key: - names: orders",
        "value: - name: abc",
        "value: - name:",
        "value: - name: 5",
        "value: - name: true",
        "value: - name: []",
        "value: - name: {}",
        "value: - name: "{nothing}"",
        "value: - name: "{CUBE.nothing}"",
        "value: - name: "{CUBE}.id"",
        "value: - name: "{"",
        "value: - name: "}"",
        "value: - name: "roders"",
        "value: - name: "{orders}"",
        "value: - name: "{orders"",
        "value: - name: "orders}"",
        "value: - name: "{orders} day"",
        "value: - name: "orders day"",
        "value: - name: "CUBE.orders"",
        "value: - name: "{CUBE}.orders"",
        "value: - name: "orders.nothing"",
        "value: - name: "nothing.orders"",
        "value: - name: "orders."",
        "value: - name: "1"",
        "value: - name: "true"",
        "without: - name: orders",
        "twice: - name: orders",
        "deeper: sql: "SELECT {CUBE}.id"",
        "a tab: sql: "SELECT {CUBE}.id"",
        "no colon: sql "SELECT {CUBE}.id"",
        "no space: sql:"SELECT {CUBE}.id"",
        "one quote less: sql: "SELECT {CUBE}.id",
        "a comma: sql: "SELECT {CUBE}.id",",
        "less deep: sql: "SELECT {CUBE}.id"",
        "key: qsl: "SELECT {CUBE}.id"",
        "key: SQL: "SELECT {CUBE}.id"",
        "key: Sql: "SELECT {CUBE}.id"",
        "key: sqls: "SELECT {CUBE}.id"",
        "value: sql: abc",
        "value: sql:",
        "value: sql: 5",
        "value: sql: true",
        "value: sql: []",
        "value: sql: {}",
        "value: sql: "{nothing}"",
        "value: sql: "{CUBE.nothing}"",
        "value: sql: "{CUBE}.id"",
        "value: sql: "{"",
        "value: sql: "}"",
        "reference: sql: "SELECT {UCBE}.id"",
        "no end: sql: "SELECT {CUBE.id"",
        "no beginning: sql: "SELECT CUBE}.id"",
        "doubled: sql: "SELECT {{CUBE}}.id"",
        "empty: sql: "SELECT {}.id"",
        "member behind it: sql: "SELECT {CUBE.nothing}.id"",
        "dot at the end: sql: "SELECT {CUBE.}.id"",
        "space inside: sql: "SELECT {CUBE x}.id"",
        "without: sql: "SELECT {CUBE}.id"",
        "twice: sql: "SELECT {CUBE}.id"",
      ]
    `);
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
      const judged = await runMistakes(engine, model, { share: SHARE, rest: 11 });
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
      const judged = await runMistakes(engine, model, { share: 900, rest: 5 });
      refused += judged.refused;
      differences.push(...[...judged.falseErrors, ...judged.missedErrors].map((each) => `${name} ${each.name}`));
    }
    expect(differences).toEqual([]);
    expect(refused).toBeGreaterThan(30);
  });
});
