import { describe, expect, it } from 'vitest';
import { Store } from '#base/store.ts';
import { PlanModelDiff, type PlanModelDiffPorts } from '#features/folders/plan-model-diff.ts';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import type { ReviewSection } from '#features/review/messages.ts';
import { plan, prune, upload } from '#support/plan.ts';

const session = { target: { branchName: 'dev-ada-1' } } as unknown as OpenPlan['session'];
const open = (...ticked: readonly string[]): OpenPlan =>
  ({ session, direction: 'push', purpose: 'push', plan, ticked: new Set(ticked) }) as unknown as OpenPlan;

/** A plan and its section; comparisons name the paths that they compare. */
function watch(first: OpenPlan | undefined, more: Partial<PlanModelDiffPorts> = {}) {
  const store = new Store<OpenPlan | undefined>(first);
  const read: string[] = [];
  const modelDiff = new PlanModelDiff(store, {
    texts: async (_, { path }) => {
      read.push(path);
      return Promise.resolve({ before: [path, 'old'], after: [path, 'new'] });
    },
    others: () => Promise.resolve(new Map([['model/views/v.yml', 'v']])),
    compare: async (before, _, others) => {
      const kept = [...(await others()).keys()];
      return { summary: `compares ${[...before.keys()].join()} beside ${kept.join()}`, lines: [] };
    },
    ...more,
  });
  const section = (): ReviewSection | undefined => (store.value ? modelDiff.section(store.value) : undefined);
  const summary = async (): Promise<string | undefined> => {
    await expect.poll(() => section()?.state).not.toBe('loading');
    return section()?.summary;
  };
  return { store, read, modelDiff, section, summary };
}

describe('what a plan changes of the model', () => {
  it('is compared for the ticked files, beside what stays as it is', async () => {
    const { section, summary } = watch(open(upload.path));
    expect(section()).toMatchObject({ title: 'What changes', state: 'loading' });
    expect(await summary()).toBe(`compares ${upload.path} beside model/views/v.yml,${prune.path}`);
    expect(section()?.state).toBe('ok');
  });

  it('follows the ticks, and reads each file once', async () => {
    const { store, read, section, summary } = watch(open(upload.path));
    await summary();
    store.set(open(upload.path, prune.path));
    expect(section()?.state).toBe('loading');
    expect(await summary()).toBe(`compares ${prune.path},${upload.path} beside model/views/v.yml`);
    expect(read.toSorted()).toEqual([prune.path, upload.path]);
  });

  it('shows only what holds for the last ticks', async () => {
    const answers: (() => void)[] = [];
    const { store, section } = watch(open(upload.path), {
      compare: async (before) => {
        await new Promise<void>((resolve) => answers.push(resolve));
        return { summary: `compares ${before.size}`, lines: [] };
      },
    });
    await expect.poll(() => answers.length).toBe(1);
    store.set(open());
    answers[0]?.();
    await expect.poll(() => answers.length).toBe(2);
    expect(section()?.state).toBe('loading');
    answers[1]?.();
    await expect.poll(() => section()?.summary).toBe('compares 0');
  });

  it('names a file that cannot be read, and compares the others', async () => {
    const { section, summary } = watch(open(upload.path, prune.path), {
      texts: async (_, { path }) =>
        path === prune.path
          ? Promise.reject(new Error('The platform cannot be reached.'))
          : Promise.resolve({ before: undefined, after: [path, 'new'] }),
      compare: () => Promise.resolve({ summary: '1 cube added', lines: [] }),
    });
    expect(await summary()).toBe('1 cube added (not all files could be read)');
    expect(section()?.lines).toEqual([
      { severity: 'warning', text: `${prune.path} could not be read: The platform cannot be reached.` },
    ]);
  });

  it('says why nothing could be compared, and has no section before there is a plan', async () => {
    const { summary } = watch(open(upload.path), { compare: () => Promise.reject(new Error('Too large.')) });
    expect(await summary()).toBe('Too large.');
    const { section } = watch({ ...open(), plan: undefined });
    expect(section()).toBeUndefined();
  });

  it('compares nothing more once its page is closed', async () => {
    const { store, read, modelDiff, summary } = watch(open(upload.path));
    await summary();
    modelDiff.dispose();
    const before = read.length;
    store.set(open(prune.path));
    expect(read).toHaveLength(before);
  });
});
