// node test/tools/action-package.ts FOLDER, after npm run package: writes the action for pull requests with its program, in the
// form that the tag of a release has.
import { cpSync, mkdirSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { commandLineBundles, engineTemplates } from '#features/folders/command-line-files.ts';
import { root } from './run.ts';

/** Writes the action and everything it runs into a folder, which may be new. The bundles of the command line are in `dist`. */
export function packAction(folder: string, dist = join(root, 'dist')): void {
  mkdirSync(join(folder, 'dist'), { recursive: true });
  const source = join(root, '.github/actions/check');
  for (const name of readdirSync(source)) cpSync(join(source, name), join(folder, name));
  for (const name of commandLineBundles) cpSync(join(dist, `${name}.js`), join(folder, 'dist', `${name}.js`));
  for (const name of [engineTemplates, 'package.json']) cpSync(join(dist, name), join(folder, 'dist', name));
  cpSync(join(dist, 'third-party-notices.txt'), join(folder, 'third-party-notices.txt'));
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
}

if (import.meta.main) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder: node test/tools/action-package.ts FOLDER');
  packAction(resolve(folder));
}
