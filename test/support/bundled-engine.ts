import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EngineOptions } from '#language-server/engine/engine-process.ts';
import { longestWait } from '../tools/limits.ts';
import { copyBundles } from './bundles.ts';

export interface BundledEngine {
  readonly folder: string;
  readonly options: EngineOptions;
  readonly remove: () => void;
}

/** Puts the engine's bundles as they are in the package into their own folder. */
export async function bundledEngine(putBundles = copyBundles): Promise<BundledEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'engine-'));
  await putBundles(folder, ['engine', 'engine-process']);
  const templates = join(folder, 'minijinja_js_bg.wasm');
  const library = createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm');
  cpSync(library, templates);
  const options = {
    program: join(folder, 'engine-process.js'),
    bundle: join(folder, 'engine.js'),
    templates,
    // A minute, as in the product, passes on a busy machine before the process has even started.
    limitMs: longestWait,
  };
  return { folder, options, remove: () => rmSync(folder, { recursive: true }) };
}
