import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    // Real parts (git, the engine, DuckDB) share two cores: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
