import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/tools/longest-first.ts';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/demo-seed.ts'],
    // Files share a worker and what it has loaded, which saves a third of the time; what a file puts in the place of
    // globals is put back after it. `--sequence.shuffle.files` shows that they do not need each other's order.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    sequence: { sequencer: longestFirst(['sync/core/kill.test.ts', 'sync/core/simulator.test.ts', 'sync/core/working-day.test.ts']) },
    // By default vitest leaves one core idle: half of the machines this runs on.
    maxWorkers: '100%',
    // Real parts (git, the engine, DuckDB) share two cores: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
