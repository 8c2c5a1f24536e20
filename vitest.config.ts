import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/demo-seed.ts'],
    // By default vitest leaves one core idle: half of the machines this runs on.
    maxWorkers: '100%',
    // Real parts (git, the engine, DuckDB) share two cores: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
