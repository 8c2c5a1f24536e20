import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isModelPath } from '#model/project/model-path.ts';
import { problemsOf } from '#support/language/problems.ts';
import { scriptsOfFixtures } from '#support/language/yaml-cases.ts';

interface Case {
  readonly name: string;
  readonly files: Readonly<Record<string, string>>;
  readonly accepted: boolean;
  /** What the engine reports and we do not: packages, which the platform may have, and what only running shows. */
  readonly unseen?: string;
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(`test/fixtures/language/${name}.json`, 'utf8'));
}

const { cases } = read('scripts') as { readonly cases: readonly Case[] };

function errorsOf(files: Readonly<Record<string, string>>): unknown[] {
  const model = Object.fromEntries(Object.entries(files).filter(([path]) => isModelPath(path)));
  return problemsOf(model).filter(({ severity }) => severity === 'error');
}

describe('scripts with the verdict of the engine', () => {
  it.each(cases.filter(({ accepted }) => accepted))('accepted: $name', ({ files }) => {
    expect(errorsOf(files)).toEqual([]);
  });

  it.each(cases.filter(({ accepted, unseen }) => !accepted && unseen === undefined))('refused: $name', ({ files }) => {
    expect(errorsOf(files)).not.toEqual([]);
  });

  it('leave little to the engine alone', () => {
    expect(cases.filter(({ unseen }) => unseen !== undefined).length).toBeLessThan(cases.length / 10);
  });
});

/** The YAML models of all fixtures, written as scripts; by name what the engine refuses, and of that what we do not see. */
describe('models that were written in YAML', () => {
  const { refused, unseen, accepted } = read('yaml-as-scripts') as Readonly<
    Record<'refused' | 'unseen' | 'accepted', readonly string[]>
  >;
  const scripts = scriptsOfFixtures();
  const errors = (names: readonly string[]): (readonly [string, boolean])[] =>
    names.flatMap((name) => {
      const text = scripts.get(name);
      return text === undefined ? [] : [[name, errorsOf({ 'm.js': text }).length > 0] as const];
    });

  it('have no error in a script that the engine accepts', () => {
    const found = errors(accepted);
    expect(found.filter(([, isWrong]) => isWrong)).toEqual([]);
    expect(found.length).toBeGreaterThan(800);
  });

  it('have an error in a script that the engine refuses', () => {
    const found = errors(refused);
    expect(found.filter(([, isWrong]) => !isWrong)).toEqual([]);
    expect(found.length).toBeGreaterThan(500);
    expect(unseen.length).toBeLessThan(refused.length / 20);
  });
});
