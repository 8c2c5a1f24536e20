import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPlatform } from '#platform/app.ts';
import type { TestProject } from 'vitest/node';
import { quickEngine } from './quick-engine.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The data folder of a platform with the demo seed, as a template to copy. */
    readonly demoSeed: string;
  }
}

/** Runs before all unit tests: creates the demo seed once instead of once per file. */
export async function setup(project: TestProject): Promise<() => void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'platform-seed-'));
  const platform = await createPlatform({ engine: quickEngine(), dataDir });
  await platform.close();
  project.provide('demoSeed', dataDir);
  return () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 3 });
}
