import { defineConfig } from 'vitest/config';

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['test/e2e/**/*.test.{ts,tsx}'],
    globalSetup: ['test/e2e/install-extension.ts'],
    // One browser and one VS Code at a time: two cores carry no more.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 120_000,
  },
});
