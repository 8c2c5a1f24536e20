import { copyBundles } from './bundles.ts';

/** Puts the language server into a folder, with the bundles that it loads from beside it. */
export async function bundleServer(folder: string): Promise<void> {
  await copyBundles(folder, ['language-server']);
}
