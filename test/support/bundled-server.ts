import { copyBundles } from './bundles.ts';

/** Puts the language server into a folder, with the parser of scripts that it loads from beside it. */
export async function bundleServer(folder: string): Promise<void> {
  await copyBundles(folder, ['language-server', 'scripts']);
}
