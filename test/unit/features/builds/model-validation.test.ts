import { describe, expect, it } from 'vitest';
import { parseBuildErrors } from '#model/engine/build-errors.ts';
import { validateModel, verdictText } from '#features/builds/model-validation.ts';
import { openDesk } from '#support/features.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'main' };

/** What a platform with these errors says. */
async function verdict(answer: object) {
  const { client } = await openDesk({ through: () => Promise.resolve(Response.json(answer)) });
  return validateModel({ data: { client: () => client } }, target);
}

describe('the platform’s verdict of a model', () => {
  it('is read as the errors of a build are, each with its file', async () => {
    const errors = [
      { fileName: 'model/cubes/b.yml', message: 'b is wrong' },
      { message: 'no file is to blame' },
      { fileName: 'model/cubes/a.yml', message: 'a is wrong\nin two lines' },
    ];
    const { valid, errorText } = await verdict({ valid: false, errors });
    expect(valid).toBe(false);
    expect(parseBuildErrors(errorText).map(({ fileName, message }) => [fileName, message])).toEqual([
      [undefined, 'no file is to blame'],
      ['model/cubes/a.yml', 'a is wrong\n  in two lines'],
      ['model/cubes/b.yml', 'b is wrong'],
    ]);
  });

  it.each([
    [{ valid: true, cubesCount: 3 }, 'The data model of “main” is valid: 3 cubes'],
    [{ valid: true }, 'The data model of “main” is valid'],
    [{ valid: false, errors: [{ message: 'x' }] }, 'The data model of “main” has 1 error'],
    [{ valid: false }, 'The data model of “main” has errors that the platform did not name'],
  ])('%j', async (answer, words) => {
    expect(verdictText(await verdict(answer), 'main')).toBe(words);
  });

  it('comes from the platform', async () => {
    const { client } = await openDesk();
    expect(await validateModel({ data: { client: () => client } }, target)).toMatchObject({
      valid: true,
      errors: 0,
      errorText: '',
    });
  });
});
