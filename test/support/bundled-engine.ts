import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { EngineOptions } from '#language-server/engine/engine-process.ts';
import { bundleOptions } from '../../esbuild.mjs';

export interface BundledEngine {
  readonly folder: string;
  readonly options: EngineOptions;
  readonly remove: () => void;
}

/** Builds the engine's bundles as they are in the package, in their own folder. */
export async function bundledEngine(): Promise<BundledEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  for (const name of ['engine', 'engine-process'])
    await build({ ...bundleOptions(name, { production: true }), outdir: folder });
  const templates = join(folder, 'minijinja_js_bg.wasm');
  const library = createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm');
  cpSync(library, templates);
  const options = { program: join(folder, 'engine-process.js'), bundle: join(folder, 'engine.js'), templates };
  return { folder, options, remove: () => rmSync(folder, { recursive: true }) };
}
