import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['test/e2e/**/*.test.{ts,tsx}'],
    globalSetup: ['test/e2e/install-extension.ts'],
    // A journey waits about half of its time: two windows keep two cores busy, more would only make them wait.
    maxWorkers: 2,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
