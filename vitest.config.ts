import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Started before all others: they take longest, and nothing would run beside one that comes last. */
const longest = ['sync/kill.test.ts', 'sync/simulator.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isLong = ({ moduleId }: TestSpecification): boolean => longest.some((path) => moduleId.endsWith(path));
    const sorted = await super.sort(files);
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

export default defineConfig({
  test: {
    include: ['test/unit/**/*.test.{ts,tsx}'],
    globalSetup: ['test/support/demo-seed.ts'],
    // Files share a worker and what it has loaded, which saves a third of the time; what a file puts in the place of
    // globals is put back after it. `--sequence.shuffle.files` shows that they do not need each other's order.
    isolate: false,
    restoreMocks: true,
    unstubGlobals: true,
    sequence: { sequencer: LongestFirst },
    // By default vitest leaves one core idle: half of the machines this runs on.
    maxWorkers: '100%',
    // Real parts (git, the engine, DuckDB) share two cores: slow is not wrong.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
