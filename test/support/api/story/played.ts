import { beforeAll } from 'vitest';
import type { Step } from './step.ts';
import { story } from './world.ts';

/**
 * Plays the whole story in its order before the tests of a file, so that each of them stands alone. Returns what `play` resolved to
 * for a step, or rejects with what it threw. A world that `play` needs is opened in an earlier `beforeAll`.
 */
export function playedStory<T>(play: (step: Step) => Promise<T>): (step: Step) => Promise<T> {
  const outcomes = new Map<Step, Promise<T>>();
  beforeAll(async () => {
    for (const step of story) {
      const outcome = play(step);
      outcomes.set(step, outcome);
      // The test of the step reports it.
      await outcome.catch(() => undefined);
    }
  });
  return async (step) => {
    const outcome = outcomes.get(step);
    if (outcome === undefined) throw new Error(`${step.op.id} was not played.`);
    return outcome;
  };
}
