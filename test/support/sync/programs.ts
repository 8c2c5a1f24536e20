import path from 'node:path';
import { build } from 'esbuild';

/** A child and the scan's worker as programs of their own, by their paths. */
export interface Programs {
  readonly child: string;
  readonly worker: string;
}

/** Builds both into `folder`; `child` is a path from the repository's root. */
export async function buildPrograms(child: string, folder: string): Promise<Programs> {
  const root = path.join(import.meta.dirname, '../../..');
  await build({
    entryPoints: { child: path.join(root, child), worker: path.join(root, 'src/sync/disk/hash-worker.ts') },
    outdir: folder,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    platform: 'node',
    format: 'cjs',
    logLevel: 'error',
  });
  return { child: path.join(folder, 'child.cjs'), worker: path.join(folder, 'worker.cjs') };
}
