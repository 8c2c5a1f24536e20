import { describe, expect, it } from 'vitest';
import { isMap, isNode, isScalar, parseDocument } from 'yaml';
import { fileProblems } from '#model/checks/file-problems.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { type Mutant, mutants } from '#support/language/matrix/mutants.ts';
import { indexOf } from '#support/language/problems.ts';

/** Values of every kind that contain no other value. */
const WRONG = ['"abc"', '""', '5', 'true', 'null', '[]', '{}', '"{"', '"{id}"', '"1 day"'];

/** The range of the changed key with its value. */
function changedRange({ name }: Mutant, text: string): readonly [number, number] {
  const path = (name.split(': ')[1] ?? '').split('.').map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const map = parseDocument(text).getIn(path.slice(0, -1), true);
  const pair = isMap(map) ? map.items.find(({ key }) => isScalar(key) && key.value === path.at(-1)) : undefined;
  const [key, value] = [pair?.key, pair?.value].map((node) => (isNode(node) ? node.range : undefined));
  return [key?.[0] ?? 0, value?.[1] ?? key?.[1] ?? 0];
}

/** Returns the errors of a model at a key and its value. */
function errorsAt(text: string, [start, end]: readonly [number, number]): readonly string[] {
  const index = indexOf({ 'm.yml': text });
  return [...index.files()].flatMap((file) =>
    fileProblems(file, index).flatMap((found) =>
      found.severity === 'error' && start <= found.start && found.start <= end ? [found.problem.message] : [],
    ),
  );
}

describe('a value that is wrong', () => {
  it('has one error, whichever key has it and whatever it is', async () => {
    const engine = await matrixEngine();
    const wrong = [...mutants(engine.describeSchemas())].filter(
      ({ name, kind }) => kind === 'valid or mistyped' && WRONG.some((value) => name.endsWith(`: ${value}`)),
    );
    // A prime step, so that every key meets several values, and every value many keys.
    const sample = wrong.filter((_, at) => at % 53 === 0);
    let refused = 0;
    for (const mutant of sample) {
      const text = mutant.text();
      const errors = errorsAt(text, changedRange(mutant, text));
      if (errors.length > 0) refused++;
      expect([mutant.name, ...errors.slice(1)]).toEqual([mutant.name]);
    }
    expect(refused).toBeGreaterThan(30);
  });
});
