import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../../tools/run.ts';

type Names = Readonly<Record<string, string>>;

/** The names of imports as `paths` of `src/tsconfig.base.json`, which are relative to `src`. */
function pathsOf(imports: Names): Readonly<Record<string, readonly string[]>> {
  const target = (path: string): string =>
    path.startsWith('./src/') ? path.replace('./src/', './') : path.replace('./', '../');
  return Object.fromEntries(Object.entries(imports).map(([name, path]) => [name, [target(path)]]));
}

const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));
const { imports } = read('package.json') as { readonly imports: Names };
const config = read('src/tsconfig.base.json') as { readonly compilerOptions: { readonly paths?: unknown } };

describe('the names of imports', () => {
  it('mean the same to Node and to tools that read paths', () => {
    expect(config.compilerOptions.paths).toEqual(pathsOf(imports));
  });

  it('would be found different with a name more, less or elsewhere', () => {
    expect(config.compilerOptions.paths).not.toEqual(pathsOf({ ...imports, '#more/*': './src/more/*' }));
    expect(config.compilerOptions.paths).not.toEqual(pathsOf({ '#base/*': './src/base/*' }));
    expect(config.compilerOptions.paths).not.toEqual(pathsOf({ ...imports, '#base/*': './src/bases/*' }));
  });
});
