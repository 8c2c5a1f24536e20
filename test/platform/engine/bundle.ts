import { createHash } from 'node:crypto';
import { existsSync, globSync } from 'node:fs';
import { copyFile, mkdir, readFile, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The files that a sandbox of the engine is started with. */
export interface EngineBundle {
  readonly program: string;
  readonly bundle: string;
  readonly templates: string;
}

const root = fileURLToPath(new URL('../../..', import.meta.url));
let made: Promise<EngineBundle> | undefined;

/** The engine as one text without imports, which is what a realm can evaluate; made once for each state of the sources. */
export function engineBundle(): Promise<EngineBundle> {
  made ??= make();
  return made;
}

async function make(): Promise<EngineBundle> {
  const library = createRequire(import.meta.url).resolve('minijinja-js/dist/web/minijinja_js_bg.wasm');
  const cache = join(dirname(library).replace(/node_modules[\\/]minijinja-js.*$/, 'node_modules'), '.cache/modelbench');
  const folder = join(cache, `engine-${await stateOfSources()}`);
  if (!existsSync(folder)) await buildInto(folder, library);
  return {
    program: join(folder, 'engine-process.js'),
    bundle: join(folder, 'realm.js'),
    templates: join(folder, 'templates.wasm'),
  };
}

async function stateOfSources(): Promise<string> {
  const sources = [
    'src/language-server/engine/**/*.ts',
    'test/platform/engine/*.ts',
    'src/base/*.ts',
    'esbuild.mjs',
    'package-lock.json',
  ];
  const hash = createHash('sha256');
  for (const path of globSync(sources, { cwd: root }).sort())
    hash.update(path).update(await readFile(join(root, path)));
  return hash.digest('hex').slice(0, 20);
}

/** Another process may make the same at the same moment: the first one counts. */
async function buildInto(folder: string, library: string): Promise<void> {
  const { build } = await import('esbuild');
  const { bundleOptions, inRealm } = await import('../../../esbuild.mjs');
  const making = `${folder}.${process.pid}`;
  await mkdir(making, { recursive: true });
  // Queries reach further back than the ten years that checking a model needs.
  const { 'moment-timezone': _, ...alias } = inRealm.alias;
  await build({
    ...inRealm,
    alias,
    absWorkingDir: root,
    entryPoints: ['test/platform/engine/realm.ts'],
    outdir: making,
    bundle: true,
    logLevel: 'error',
  });
  await build({ ...bundleOptions('engine-process'), outdir: making, sourcemap: false, logLevel: 'error' });
  await copyFile(library, join(making, 'templates.wasm'));
  await rename(making, folder).catch(async (error: unknown) => {
    await rm(making, { recursive: true, force: true, maxRetries: 3 });
    if (!existsSync(folder)) throw error;
  });
}
