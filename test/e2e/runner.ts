import { type RunnerTestCase, TestRunner } from 'vitest';
import { unlessGivenUp } from '../tools/given-up.ts';

/** Ends a test as soon as it is known that what it waits for cannot come: `expect.poll` would look for ten minutes. */
export default class extends TestRunner {
  async runTask(test: RunnerTestCase): Promise<void> {
    await unlessGivenUp(async () => {
      await TestRunner.getTestFn(test)();
    });
  }
}
