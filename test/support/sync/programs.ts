import path from 'node:path';
import { build } from 'esbuild';

/** Paths of a child and the scan's worker as separate programs. */
export interface Programs {
  readonly child: string;
  readonly worker: string;
}

/** Builds both into `folder`; `child` is relative to the repository's root. */
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
