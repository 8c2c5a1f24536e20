import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { longestFirst } from './test/tools/longest-first.ts';
import { longestTest, longestWait } from './test/tools/limits.ts';
import { machineTag } from './test/tools/slowest-files.ts';

/** Most processor time first, also that of their processes: with the first, 28 core-seconds, to the last, 5. */
const longest = [
  'language-server/engine/engine',
  'language-server/engine/escapes',
  'sync/core/simulated/kill',
  'model/injected-mistakes',
  'tools/skeletons',
  'sync/core/simulated/disk-simulator',
  'sync/core/simulated/disk-faults',
  'sync/core/simulated/simulator',
  'cli/skills-elsewhere',
  'sync/core/simulated/nasty-schedules',
  'sync/core/simulated/moving-world',
  'platform/modes/every-operation',
  'language-server/engine-requests/engine-queries',
  'cli/github-action',
  'cli/closed-streams',
  'model/matrix',
  'api/resources/variants',
  'sync/core/simulated/rules',
  'model/incremental',
  'model/script-values',
  'language-server/formatted-meaning',
  'language-server/ide/actions/safe-fixes',
  'model/proposed/hunts',
  'platform-data/chat-stream',
];

export default defineConfig({
  // Only VS Code has this module. A file that mocks it instead loads every module again, before its tests and after them.
  resolve: { alias: { vscode: fileURLToPath(new URL('test/support/vscode.ts', import.meta.url)) } },
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    tags: [{ name: machineTag, description: 'Needs what not every machine has, and is left out elsewhere.' }],
    globalSetup: ['test/support/demo-seed.ts', 'test/support/shared-folder.ts'],
    setupFiles: ['test/support/put-back-vscode.ts', 'test/support/property-seed.ts'],
    // Files share a worker and what it has loaded, which saves a third of the time; what a file puts in the place of
    // globals is put back after it. `--sequence.shuffle.files` shows that they do not need each other's order.
    isolate: false,
    // Answers of the language server are drawn as text.
    // A snapshot that is missing or different is a failure; `vitest run FILE --update` writes it.
    update: 'none',
    snapshotSerializers: ['test/support/language/drawn.ts'],
    restoreMocks: true,
    unstubGlobals: true,
    sequence: longestFirst(longest.map((name) => `unit/${name}.test.ts`)),
    // By default vitest leaves one core idle: half of the machines this runs on.
    maxWorkers: '100%',
    // Simulators make little that lives long: with room for it, garbage is collected less often.
    execArgv: ['--max-semi-space-size=32'],
    // Slow is not wrong: these stop only what hangs.
    expect: { poll: { timeout: longestWait } },
    testTimeout: longestTest,
    hookTimeout: longestTest,
  },
});
