import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { packCommandLine } from '../tools/cli-package.ts';
import { copyBundles } from './bundles.ts';

/** Packs the command line as it ships; resolves to the path of the archive in `folder`. */
export async function packedCommandLine(folder: string): Promise<string> {
  return packCommandLine(folder, await builtCommandLine(folder));
}

/** Puts the command line as it ships, or only some of its bundles, into a folder; resolves to their folder, in `folder`. */
export async function builtCommandLine(
  folder: string,
  bundles: readonly (typeof commandLineBundles)[number][] = commandLineBundles,
): Promise<string> {
  const dist = join(folder, 'built');
  mkdirSync(dist);
  await copyBundles(dist, bundles);
  const library = createRequire(import.meta.url).resolve(`minijinja-js/dist/web/${engineTemplates}`);
  copyFileSync(library, join(dist, engineTemplates));
  writeFileSync(join(dist, 'package.json'), '{"type":"commonjs"}\n');
  writeFileSync(join(dist, 'third-party-notices.txt'), '');
  return dist;
}
