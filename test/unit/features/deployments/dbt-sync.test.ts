import { describe, expect, it } from 'vitest';
import { isCancelled } from '#base/async.ts';
import type { Branch } from '#features/platform/branches.ts';
import { followDbtSync, jobId, jobText } from '#features/deployments/dbt-sync.ts';
import { ManualClock } from '#support/manual-clock.ts';

const branch = (name: string, lastHash: string): Branch => ({ name, lastHash, parentBranch: 'main', staging: false });

function follow(before: readonly Branch[], looks: (look: number) => readonly Branch[], ended = new AbortController()) {
  const clock = new ManualClock();
  let look = 0;
  const read = (): Promise<readonly Branch[]> => Promise.resolve(looks((look += 1)));
  const following = followDbtSync({ branchName: 'dbt', before, read, clock, signal: ended.signal });
  return { answer: clock.run(following), looked: () => look };
}

describe('a dbt sync that is followed', () => {
  it('is done when its branch appears', async () => {
    const { answer, looked } = follow([], (look) => (look < 4 ? [] : [branch('dbt', 'a')]));
    expect(await answer).toEqual(branch('dbt', 'a'));
    expect(looked()).toBe(4);
  });

  it('is done when a branch that was there has moved', async () => {
    const { answer } = follow([branch('dbt', 'a')], (look) => [branch('dbt', look < 3 ? 'a' : 'b')]);
    expect(await answer).toMatchObject({ lastHash: 'b' });
  });

  it('is given up after a quarter of an hour, and when the user cancels', async () => {
    const { answer, looked } = follow([branch('dbt', 'a')], () => [branch('dbt', 'a')]);
    expect(await answer).toBeUndefined();
    expect(looked()).toBe(300);
    const ended = new AbortController();
    const cancelled = follow(
      [],
      (look) => {
        if (look === 2) ended.abort();
        return [];
      },
      ended,
    );
    await expect(cancelled.answer).rejects.toSatisfy(isCancelled);
  });
});

describe('the job of a dbt sync', () => {
  it.each([
    [{ syncJobId: '12', workflowId: 'sync-7' }, ' (job 12, workflow sync-7)', '12'],
    [{ workflowId: 'sync-7' }, ' (workflow sync-7)', 'sync-7'],
    [{}, '', ''],
  ])('%j', (job, words, id) => {
    expect(jobText(job)).toBe(words);
    expect(jobId(job)).toBe(id);
  });
});
