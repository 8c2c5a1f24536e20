import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { undocumented } from '../../tools/docstrings.ts';
import { root } from '../../tools/run.ts';

/** All but what stands in for modules of others, which have the documentation. */
const modules = globSync('src/**/*.{ts,tsx}', { cwd: root, exclude: ['src/language-server/engine/realm/shims/**'] });
const found = modules.flatMap((path) =>
  undocumented(path, readFileSync(join(root, path), 'utf8')).map((name) => `${path}: ${name}`),
);

describe('the modules of the product', () => {
  it('say of each function and class that they export what it does', () => {
    expect(modules.length).toBeGreaterThan(1000);
    expect(found).toEqual([]);
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
