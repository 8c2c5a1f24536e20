import { build } from 'esbuild';
import { bundleOptions } from '../../esbuild.mjs';

/** Bundles the language server into a folder, with the parser of scripts that it loads from beside it. */
export async function bundleServer(folder: string): Promise<void> {
  for (const name of ['language-server', 'acorn'])
    await build({ ...bundleOptions(name), outdir: folder, sourcemap: false });
}
