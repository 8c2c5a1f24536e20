import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { bundleOptions } from '../../esbuild.mjs';
import { packCommandLine } from '../tools/cli-package.ts';

/** Builds the command line as it ships and packs it; resolves to the path of the archive in `folder`. */
export async function packedCommandLine(folder: string): Promise<string> {
  return packCommandLine(folder, await builtCommandLine(folder));
}

/** Builds the command line as it ships, or only some of its bundles; resolves to their folder, in `folder`. */
export async function builtCommandLine(
  folder: string,
  bundles: readonly (typeof commandLineBundles)[number][] = commandLineBundles,
): Promise<string> {
  const dist = join(folder, 'built');
  mkdirSync(dist);
  for (const name of bundles)
    await build({ ...bundleOptions(name, { production: true }), outdir: dist, logLevel: 'error' });
  const library = createRequire(import.meta.url).resolve(`minijinja-js/dist/web/${engineTemplates}`);
  copyFileSync(library, join(dist, engineTemplates));
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  writeFileSync(join(dist, 'third-party-notices.txt'), '');
  return dist;
}
