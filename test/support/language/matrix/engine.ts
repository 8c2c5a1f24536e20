import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRealm } from '../../../../esbuild.mjs';

/** The platform's compiler in this process, without a sandbox: for models that a test made, of which thousands are compiled. */
export interface MatrixEngine {
  /** What the engine refuses; empty: it accepts the model. */
  compile(
    files: readonly { readonly fileName: string; readonly content: string }[],
  ): Promise<readonly { readonly message: string }[]>;
  describeSchemas(): readonly unknown[];
}

/** Bundles the engine and loads it. */
export async function matrixEngine(): Promise<MatrixEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
  const outfile = join(folder, 'engine.cjs');
  const alias = Object.fromEntries(
    Object.entries(inRealm.alias).filter(
      ([name, path]) => path.endsWith('absent.ts') || /^(?:workerpool|moment)/.test(name),
    ),
  );
  try {
    await build({
      entryPoints: ['test/support/language/matrix/engine-entry.ts'],
      outfile,
      bundle: true,
      platform: 'node',
      // A runner of tests would transform what it imports, and leaves alone what is required.
      format: 'cjs',
      keepNames: true,
      mainFields: ['main'],
      alias,
      logLevel: 'error',
    });
    const required = createRequire(import.meta.url);
    // The engine takes the machine code of the template library as a text.
    const templates = readFileSync(required.resolve('minijinja-js/dist/web/minijinja_js_bg.wasm'));
    Object.assign(globalThis, { modelbenchTemplates: templates.toString('base64') });
    return required(outfile) as MatrixEngine;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
