import { describe, expect, it } from 'vitest';
import { continueStep, type Steps } from '#features/history/continue-step.ts';
import { type GitAttempt, GitAttempts } from '#features/history/git-attempt.ts';
import { MemoryState } from '#support/memory-state.ts';

const dev = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const options = { squashCommits: true, switchToParentBranch: false, deleteBranch: false };

/** Steps that note what is done; `ends` says which of them do not go through. */
function noted(ends: Partial<Record<'pull' | 'commit', boolean | Error>> = {}) {
  const done: unknown[] = [];
  const answer = async (name: 'pull' | 'commit', what: unknown): Promise<boolean> => {
    done.push(what);
    const end = ends[name] ?? true;
    if (typeof end !== 'boolean') throw end;
    return end;
  };
  const steps: Steps = {
    pull: () => answer('pull', 'pull'),
    commit: (message) => answer('commit', message),
    merge: async (given) => void done.push({ merge: given }),
    mergeToDefault: async (given) => void done.push({ mergeToDefault: given }),
  };
  return { done, steps };
}

type Step = GitAttempt['step'];

/** A step that stopped at one file, which is resolved, or where the parent had moved. */
async function stopped(step: Step, asked: Partial<GitAttempt> = {}, paths = ['a.yml']): Promise<GitAttempt> {
  const attempts = new GitAttempts(new MemoryState());
  await attempts.stopped(dev, { message: '', paths }, { step, from: 'main', options, ...asked });
  await attempts.resolve(dev, 'a.yml', 'x');
  const attempt = attempts.of(dev);
  if (!attempt) throw new Error('The step did not stop.');
  return attempt;
}

const commit = { suggested: 'Merge main into dev-ada-1' };

describe('a step that stopped at conflicts', () => {
  it.each([
    ['pull', ['pull']],
    ['commit', ['pull', commit]],
    ['merge', ['pull', commit, { merge: options }]],
    ['mergeToDefault', ['pull', commit, { mergeToDefault: {} }]],
  ] as const)('continues a %s with what is left of it', async (step, expected) => {
    const { done, steps } = noted();
    await continueStep(await stopped(step), dev, steps);
    expect(done).toEqual(expected);
  });

  it.each([
    ['pull', ['pull']],
    ['commit', ['pull', commit]],
  ] as const)('ends where its %s does not go through', async (step, expected) => {
    const { done, steps } = noted({ [step]: false });
    await continueStep(await stopped('merge'), dev, steps);
    expect(done).toEqual(expected);
  });

  it('commits with the message that was typed, after a pull where the parent had moved', async () => {
    const { done, steps } = noted();
    await continueStep(await stopped('commit', { typed: 'Why' }, []), dev, steps);
    expect(done).toEqual(['pull', { typed: 'Why', to: 'main' }]);
  });

  it('merges to the default branch as it was asked for', async () => {
    const { done, steps } = noted();
    const asked = { typed: 'Why', removesBranch: true };
    await continueStep(await stopped('mergeToDefault', asked), dev, steps);
    expect(done).toEqual(['pull', commit, { mergeToDefault: asked }]);
  });

  it('waits for files that are still in conflict', async () => {
    const { done, steps } = noted();
    const open = { ...(await stopped('merge')), files: [{ path: 'a.yml' }] };
    await expect(continueStep(open, dev, steps)).rejects.toThrow(/1 file must be resolved/);
    expect(done).toEqual([]);
  });
});
