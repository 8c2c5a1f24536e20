import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { saidToReturn, undocumented } from '../../tools/docstrings.ts';
import { root } from '../../tools/run.ts';

/** All but what stands in for modules of others, which have the documentation. */
const modules = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['src/language-server/engine/realm/shims/**'] });
const named = (find: typeof undocumented): readonly string[] =>
  modules.flatMap((path) => find(path, readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`));

describe('the modules of the product', () => {
  it('say of each function and class that they export what it does', () => {
    expect(modules.length).toBeGreaterThan(1000);
    expect(named(undocumented)).toEqual([]);
  });

  it('say of asynchronous functions what they resolve to', () => {
    expect(named(saidToReturn)).toEqual([]);
  });
});

describe('undocumented', () => {
  it('finds functions and classes without a docstring', () => {
    const source = `
      /** Doubles. */
      export function documented(): void {}
      export function bare(): void {}
      // Not a docstring.
      export class Commented {}
      function own(): void {}
      /** Two forms. */
      export function overloaded(a: 1): void;
      export function overloaded(a: 2): void;
      export function overloaded(): void {}
    `;
    expect(undocumented('src/base/a.ts', source)).toEqual(['bare', 'Commented']);
  });
});

describe('saidToReturn', () => {
  it('finds functions and methods that resolve to what they are said to return', () => {
    const source = `
      /** Returns the sum. */
      export async function wrong(): Promise<number> {}
      /** Resolves to the sum. */
      export async function right(): Promise<number> {}
      /** Returns the sum. */
      export function direct(): number {}
      /** Returns a promise for the sum. */
      function called(): Promise<number> {}
      class Sums {
        /**
         * Adds the numbers.
         * Returns the sum.
         */
        async #own(): Promise<number> {}
      }
      interface Port {
        /** Returns the sum. */
        sum(): Promise<number>;
      }
    `;
    expect(saidToReturn('src/base/a.ts', source)).toEqual(['wrong', '#own', 'sum']);
  });
});
