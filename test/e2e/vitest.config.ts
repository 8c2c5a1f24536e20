import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { longestFirst } from '../tools/longest-first.ts';
import { longestTest, longestWait } from '../tools/limits.ts';

const longest = [
  'side-bar',
  'data',
  'chat',
  'branches',
  'faults',
  'main-job',
  'one-device',
  'start',
  'language',
  'webview/chat',
  'development',
];

export default defineConfig({
  root: `${import.meta.dirname}/../..`,
  test: {
    include: ['test/e2e/**/*.test.{ts,tsx}'],
    globalSetup: ['test/e2e/install-extension.ts'],
    runner: 'test/e2e/runner.ts',
    // Journeys share a worker and the platform it has loaded, and nothing else: each has a platform and a window of its own.
    isolate: false,
    // A window for each core: with one more the whole takes as long, and clicks get lost where three draw at once.
    maxWorkers: Math.min(availableParallelism(), 4),
    sequence: longestFirst(longest.map((name) => `e2e/${name}.test.ts`)),
    // Slow is not wrong: these stop only what hangs.
    // Looking at a window is work for it: one that is asked 20 times a second, as by default, is slower with what it is asked for.
    expect: { poll: { timeout: longestWait, interval: 250 } },
    testTimeout: longestTest,
    hookTimeout: longestTest,
  },
});
