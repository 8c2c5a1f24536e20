import { describe, expect, it } from 'vitest';
import { saysSame } from '#features/builds/build-staleness.ts';
import { parseBuildErrors } from '#model/engine/build-errors.ts';
import { withoutFollowing } from '#model/engine/following-errors.ts';
import { matrixEngine } from '#support/language/matrix/engine.ts';
import { mutants } from '#support/language/matrix/mutants.ts';
import { indexOf, problemsOf } from '#support/language/problems.ts';

/** Values that the engine does not refuse as such: it judges other keys of the item, and says so there. */
const judgedElsewhere = ['.indexes..type', '.dimensions..time_shift..type'];

/**
 * Returns the models in which one key has a value that does not exist, where only listed values are allowed; one for each key of each
 * kind of item, unless the key is not allowed there at all. `errors` and `refusals`: those that a wrong value has, and a harmless
 * change of the same model does not.
 */
async function wrongValues() {
  const engine = await matrixEngine();
  const changed = [...mutants(engine.describeSchemas())].filter(
    ({ name, kind }) => kind === 'valid or mistyped' && name.endsWith(': "abc"'),
  );
  const errorsOf = (path: string, content: string) =>
    problemsOf({ [path]: content }).filter(({ severity }) => severity === 'error');
  const refusalsOf = async (path: string, content: string): Promise<readonly string[]> =>
    (await engine.compile([{ fileName: path, content }])).map(({ message }) => message);
  const modelOf = (name: string): string => name.slice(0, name.indexOf(':'));
  const harmless = new Map<string, ReadonlySet<string>>();
  for (const { name, path, text } of changed) {
    if (!/cubes\.0\.title/.test(name)) continue;
    const errors = errorsOf(path, text()).map(({ message }) => message);
    harmless.set(modelOf(name), new Set([...errors, ...(await refusalsOf(path, text()))]));
  }
  const byKey = new Map(changed.map((mutant) => [mutant.name.replaceAll(/\d+/g, ''), mutant]));
  const found = [];
  for (const [key, { name, path, text }] of byKey) {
    const content = text();
    const before = harmless.get(modelOf(name));
    const errors = errorsOf(path, content).filter(({ message }) => before?.has(message) !== true);
    const isWrongValue = errors.some(({ message }) => message.startsWith('`abc` is not allowed here. Use one of'));
    const isMisplaced = errors.some(({ message }) => /` is not allowed in this/.test(message));
    if (!isWrongValue || isMisplaced) continue;
    const refusals = (await refusalsOf(path, content)).filter((message) => before?.has(message) !== true);
    const isElsewhere = judgedElsewhere.some((end) => key.endsWith(`${end}: "abc"`));
    found.push({ name, path, content, errors, refusals, isElsewhere });
  }
  return found;
}

describe('a value that does not exist', () => {
  it('has one message, whichever key has it: ours, which the build repeats, with what only follows', async () => {
    const cases = await wrongValues();
    expect(cases.length).toBeGreaterThan(20);
    const several = cases.filter(({ errors }) => errors.length !== 1);
    expect(several.map(({ name, errors }) => [name, ...errors.map(({ message }) => message)])).toEqual([]);
    const at = { start: { line: 3, character: 4 }, end: { line: 3, character: 7 } };
    const further = cases.flatMap(({ name, path, content, errors, refusals, isElsewhere }) => {
      const index = indexOf({ [path]: content });
      const built = withoutFollowing(
        parseBuildErrors(refusals.join('\n')),
        (entity) => index.entity(entity) !== undefined,
      );
      const own = errors.map(({ code, message }) => ({ source: 'modelbench', code, message, range: at, severity: 0 }));
      const left = built.filter(({ message }) => !own.some((each) => saysSame(each, { message, range: at })));
      return left.length === (isElsewhere ? 1 : 0) ? [] : [[name, ...left.map(({ message }) => message)]];
    });
    expect(further).toEqual([]);
  });
});
