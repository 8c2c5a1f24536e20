import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import type { EngineOptions } from '#language-server/engine/engine-process.ts';
import { inRealm } from '../../esbuild.mjs';
import type { BundledEngine } from './bundled-engine.ts';

/** Returns options that run the compiler in a process with all rights, to compare the sandbox with it. */
export async function unguardedEngine(
  { folder, options }: BundledEngine,
  environment: NodeJS.ProcessEnv = process.env,
): Promise<EngineOptions> {
  const alias = Object.fromEntries(
    Object.entries(inRealm.alias).filter(
      ([name, path]) => path.endsWith('absent.ts') || /^(?:workerpool|lru-cache|moment)/.test(name),
    ),
  );
  const program = join(folder, 'unguarded.mjs');
  await build({
    entryPoints: ['test/support/escapes/unguarded.ts'],
    outfile: program,
    bundle: true,
    platform: 'node',
    format: 'esm',
    keepNames: true,
    mainFields: ['main'],
    alias,
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); const __dirname = '/'; const __filename = '/x';`,
    },
  });
  const bundle = join(folder, 'nothing.js');
  writeFileSync(bundle, '');
  const launch: EngineOptions['launch'] = (started) =>
    spawn(process.execPath, [started.program], { env: environment, stdio: ['pipe', 'pipe', 'ignore'] });
  return { ...options, program, bundle, launch };
}
