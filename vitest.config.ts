import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/tools/longest-first.ts';

/** Most of the work first; `npm test` names the slowest files at its end. */
const longest = [
  'sync/core/simulator',
  'sync/core/kill',
  'sync/core/nasty-schedules',
  'language-server/escapes',
  'sync/core/disk-simulator',
  'language-server/engine',
  'sync/core/large-push',
  'platform/survival',
  'sync/core/case-renames',
  'platform/modes/every-operation',
  'sync/core/working-day',
];

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/demo-seed.ts'],
    // Files share a worker and what it has loaded, which saves a third of the time; what a file puts in the place of
    // globals is put back after it. `--sequence.shuffle.files` shows that they do not need each other's order.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    sequence: { sequencer: longestFirst(longest.map((name) => `unit/${name}.test.ts`)) },
    // By default vitest leaves one core idle: half of the machines this runs on.
    maxWorkers: '100%',
    // Real parts (git, the engine, DuckDB) share two cores: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
