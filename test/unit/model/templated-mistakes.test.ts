import { describe, expect, it } from 'vitest';
import { fileProblems } from '#model/checks/file-problems.ts';
import { parseFile } from '#model/file.ts';
import { ModelIndex } from '#model/index.ts';
import { filesIn } from '#support/language/raw.ts';
import { renderTemplates } from '#support/language/rendered.ts';
import { mistakesIn, TEMPLATED_MODELS, UNKNOWN_PIECES } from '#support/language/templated-models.ts';

/** The messages of our errors in a model, its templates rendered. */
function errorsIn(model: string): readonly string[] {
  const index = new ModelIndex('');
  index.templateGlobals = { names: [], isPython: false };
  for (const [path, text] of filesIn(model)) index.set(parseFile(path, text));
  renderTemplates(index);
  return [...index.files()].flatMap((file) =>
    fileProblems(file, index)
      .filter(({ severity }) => severity === 'error')
      .map(({ problem }) => problem.message),
  );
}

describe.each(Object.entries(TEMPLATED_MODELS))('a model with %s', (name, model) => {
  it('has no error', () => {
    expect(errorsIn(model)).toEqual([]);
  });

  it('has no error where a value that names do not depend on is unknown', () => {
    const replaced = UNKNOWN_PIECES[name]?.reduce((text, [from, to]) => text.replace(from, to), model) ?? model;
    expect(replaced).not.toBe(model);
    expect(errorsIn(replaced)).toEqual([]);
  });

  // @shows templates
  it('has an error for each mistake that the engine refuses, and none for those that it accepts', () => {
    const mistakes = mistakesIn(name);
    expect(mistakes.filter(({ accepted }) => accepted === undefined)).toEqual([]);
    const disagreed = mistakes.filter(({ text, accepted }) => (errorsIn(text).length === 0) !== accepted);
    expect(disagreed.map(({ line }) => line)).toEqual([]);
    expect(mistakes.length).toBeGreaterThan(35);
  });
});
