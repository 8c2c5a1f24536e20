import { copyFileSync, existsSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inject } from 'vitest';
import { bundleOptions } from '../../esbuild.mjs';

/** Puts bundles as they ship into a folder, by their names in `esbuild.mjs`. */
export type PutBundles = (folder: string, names: readonly string[]) => Promise<void>;

/** Builds each bundle. */
export const buildBundles: PutBundles = async (folder, names) => {
  for (const name of names)
    await build({ ...bundleOptions(name, { production: true }), outdir: folder, logLevel: 'error' });
};

/**
 * Copies each bundle with those that it loads from beside it. Each is built only once for all tests of a run: the engine and the
 * command line take three seconds of processor time.
 */
export const copyBundles: PutBundles = async (folder, names) => {
  const all = new Set(names);
  for (const name of all) {
    const built = await builtOnce(name);
    copyFileSync(built, join(folder, `${name}.js`));
    for (const [, beside = ''] of readFileSync(built, 'utf8').matchAll(/\brequire\("\.\/([\w-]+)\.js"\)/g))
      all.add(beside);
  }
};

async function builtOnce(name: string): Promise<string> {
  const shared = inject('shared');
  const path = join(shared, `${name}.js`);
  if (existsSync(path)) return path;
  // Another worker may build the same at the same moment: either result is right, and a half-written one is never copied.
  const making = mkdtempSync(join(shared, 'making-'));
  await buildBundles(making, [name]);
  try {
    renameSync(join(making, `${name}.js`), path);
  } catch (error) {
    if (!existsSync(path)) throw error;
  }
  return path;
}
