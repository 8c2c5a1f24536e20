import { describe, expect, it } from 'vitest';
import { commitStep } from '#features/history/commit.ts';
import { mergeStep, mergeToDefaultStep } from '#features/history/merge.ts';
import { changedFile, type Intercept, openStepDesk, press, type StepDesk } from '#support/step-desk.ts';

const shared = 'returns-model';

/** The steps to production, with a branch that has something to send. */
const steps = {
  commit: async (desk: StepDesk) => Promise.resolve(async () => commitStep(desk.ports, desk.dev, {})),
  merge: async (desk: StepDesk) => {
    await desk.platform.control.colleagueCommit(1, shared, { [changedFile]: 'cubes: []\n' });
    return async () => mergeStep(desk.ports, { ...desk.dev, branchName: shared });
  },
  mergeToDefault: async (desk: StepDesk) => {
    await desk.platform.control.colleagueCommit(1, shared, { [changedFile]: 'cubes: []\n' });
    return async () => mergeToDefaultStep(desk.ports, { ...desk.dev, branchName: shared });
  },
} as const;

const ids = Object.keys(steps) as readonly (keyof typeof steps)[];

/** How the reply to the step is lost: before the platform has done it, or after. */
const losses = ['before it was done', 'after it was done'] as const;

/** A desk that loses the reply to its first step; `done`: the steps that the platform has got. */
async function losing(loss: (typeof losses)[number]): Promise<{ readonly desk: StepDesk; readonly done: string[] }> {
  const done: string[] = [];
  let isLost = false;
  const intercept: Intercept = async (request, send) => {
    if (!/\/(commit|merge|merge-to-default)$/.test(request.url)) return send(request);
    const isFirst = !isLost;
    isLost = true;
    if (!isFirst || loss === 'after it was done') done.push(request.url);
    const answer = isFirst && loss === 'before it was done' ? undefined : await send(request);
    if (isFirst || !answer) throw new TypeError('fetch failed');
    return answer;
  };
  // The user presses the button of each page, however often one is shown.
  return { desk: await openStepDesk([press, press, press], { intercept }), done };
}

describe('a step to production whose reply is lost', () => {
  it.each(ids.flatMap((id) => losses.map((loss) => ({ id, loss }))))(
    '$id is done once where it is lost $loss, also if the user tries it again',
    async ({ id, loss }) => {
      const { desk, done } = await losing(loss);
      const run = await steps[id](desk);
      // It goes through, or the user reads that it is not known and tries it again.
      await run().catch(() => undefined);
      const again = await run().then(
        () => '',
        (error: unknown) => String(error),
      );
      expect(done).toHaveLength(1);
      expect(await desk.platform.control.readFile(1, 'main', changedFile)).toBe('cubes: []\n');
      expect(again).toMatch(/^$|nothing to merge/);
    },
  );
});
