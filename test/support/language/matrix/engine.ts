import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { inRealm } from '../../../../esbuild.mjs';
import { oncePerWorker } from '../../once-per-worker.ts';

/** The platform's compiler in this process, without a sandbox: it compiles thousands of models that tests generate. */
export interface MatrixEngine {
  /** Resolves to the engine's errors; empty if it accepts the model. */
  compile(
    files: readonly { readonly fileName: string; readonly content: string }[],
  ): Promise<readonly { readonly message: string }[]>;
  describeSchemas(): readonly unknown[];
}

/** Bundles the engine and loads it, once for all test files of a worker. */
export function matrixEngine(): Promise<MatrixEngine> {
  return oncePerWorker('matrix engine', load);
}

async function load(): Promise<MatrixEngine> {
  const folder = mkdtempSync(join(tmpdir(), 'matrix-'));
  const outfile = join(folder, 'engine.cjs');
  const alias = Object.fromEntries(
    Object.entries(inRealm.alias).filter(
      ([name, path]) => path.endsWith('absent.ts') || /^(?:workerpool|lru-cache|moment)/.test(name),
    ),
  );
  try {
    const { outputFiles } = await build({
      entryPoints: ['test/support/language/matrix/engine-entry.ts'],
      write: false,
      bundle: true,
      platform: 'node',
      // A test runner would transform an imported module, but not a required one.
      format: 'cjs',
      keepNames: true,
      mainFields: ['main'],
      alias,
      logLevel: 'error',
    });
    for (const { text } of outputFiles) writeFileSync(outfile, withCheapNames(text));
    const required = createRequire(import.meta.url);
    // The engine takes the WebAssembly of the template library as a text.
    const templates = readFileSync(required.resolve('minijinja-js/dist/web/minijinja_js_bg.wasm'));
    Object.assign(globalThis, { modelbenchTemplates: templates.toString('base64') });
    return required(outfile) as MatrixEngine;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * Returns a bundle that gives a function its name only where bundling has changed it. The engine makes functions all the time, and
 * defining a property of each costs a twentieth of its time.
 */
function withCheapNames(bundle: string): string {
  const naming = 'var __name = (target, value) => ';
  if (!bundle.includes(naming)) throw new Error('The bundler keeps the names of functions in another way.');
  return bundle.replace(naming, `${naming}target.name === value ? target : `);
}
