import { describe, expect, it } from 'vitest';
import { linkChoices, topNames } from '#features/folders/link-choices.ts';

const pathsOf = (names: readonly string[], named?: string): readonly string[] =>
  linkChoices({ names, named }).map(({ modelPath }) => modelPath);

describe('what a project can be linked as', () => {
  it.each([
    [['model', 'README.md'], ['model']],
    [[], ['model']],
    [['schema', 'package.json'], ['schema']],
    [
      ['model', 'schema', 'cube.js'],
      ['model', '.'],
    ],
    [
      ['schema', 'cube.py'],
      ['schema', '.'],
    ],
    [
      ['model', 'agents'],
      ['model', '.'],
    ],
  ])('is for %j one of %j', (names, expected) => {
    expect(pathsOf(names)).toEqual(expected);
  });

  it('is the folder that the configuration names', () => {
    expect(pathsOf(['cube.js', 'model', 'semantic'], 'semantic')).toEqual(['semantic', '.']);
  });

  it('is each model that was found where none has a usual place, and the whole folder', () => {
    const among = (names: readonly string[], ...models: readonly string[]): readonly string[] =>
      linkChoices({ names, models }).map(({ modelPath }) => modelPath);
    expect(among(['layer', 'web'], 'layer/core', 'layer/sales')).toEqual(['layer/core', 'layer/sales', '.']);
    expect(among(['model', 'layer'], 'layer')).toEqual(['model']);
    expect(among(['cubes'], '')).toEqual(['.']);
    // A link cannot name these.
    expect(among(['apps'], 'apps/what?', 'apps/con/model', '.hidden/model')).toEqual(['model', '.']);
  });

  it('says what is synchronised', () => {
    const [model, whole] = linkChoices({
      names: topNames(['cube.py', 'agents/rules.yml', 'model/a.yml', 'model/b.yml']),
    });
    expect(model).toEqual({ modelPath: 'model', label: 'Data Model Only', description: 'model/' });
    expect(whole).toEqual({
      modelPath: '.',
      label: 'Whole Project',
      description: 'model/, cube.py, agents/, and everything else',
    });
  });
});
