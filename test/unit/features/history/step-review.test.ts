import { describe, expect, it } from 'vitest';
import { type StepAnswers, type StepForm, type StepImpact, stepReview } from '#features/history/step-review.ts';
import { differencesOf } from '#features/platform/gated-branch.ts';
import type { GatedSituation } from '#features/platform/production-gate.ts';
import { type GateQuestion, throughGate } from '#features/platform/production-pass.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const content = JSON.stringify([
  ['model/a.yml', null, '1'],
  ['model/b.yml', '2', '3'],
  ['model/c.yml', '4', null],
  ['model/d.yml', null, '4'],
  ['model/e.yml', '5', null],
]);
const red: GatedSituation = {
  step: 'commit',
  from: 'dev-ada-1',
  to: 'main',
  isDeploy: true,
  isProtected: false,
  deployment: 'Shop',
  build: 'failed',
  buildError: 'orders.yml: no such column',
  content,
};

/** The question of the gate about a situation. */
async function questionOf(situation: GatedSituation): Promise<GateQuestion> {
  let asked: GateQuestion | undefined;
  const ask = async (question: GateQuestion): Promise<undefined> => {
    asked = question;
    return Promise.resolve(undefined);
  };
  await throughGate(target, { read: async () => situation, ask, say: () => undefined }, async () => undefined);
  if (!asked) throw new Error('Nothing was asked.');
  return asked;
}

const noAnswers: StepAnswers = { count: async () => 0, compare: async () => Promise.reject(new Error('not asked')) };

async function review(
  situation: GatedSituation,
  form: StepForm = {},
  impact?: StepImpact,
  answers: StepAnswers = noAnswers,
) {
  const made = stepReview(
    'key',
    await questionOf(situation),
    { differences: differencesOf(situation.content), form },
    {
      texts: async () => ({ before: 'a', after: 'b' }),
      diff: async () => undefined,
      diffAll: async () => undefined,
      impact: async () => impact,
      answers,
    },
  );
  // The impact comes after the page is there.
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
  return made;
}

const message = { value: 'Why', placeholder: 'What changed and why', isRequired: true };
const input = { message: 'Why', options: [], typed: 'Shop' };

describe('the page of a commit that reaches production', () => {
  it('lists what differs, with renames', async () => {
    const { source } = await review(red);
    const rows = source.document.value?.groups.flatMap((group) => group.rows) ?? [];
    expect(rows.map(({ path, kind, from }) => [path, kind, from])).toEqual([
      ['model/a.yml', 'add', undefined],
      ['model/b.yml', 'change', undefined],
      ['model/d.yml', 'rename', 'model/c.yml'],
      ['model/e.yml', 'delete', undefined],
    ]);
  });

  it('names its destination, and has the deployment’s name typed after a failed build', async () => {
    const { source } = await review(red, { message });
    expect(source.document.value).toMatchObject({
      title: 'Commit to main (production)',
      from: 'dev-ada-1',
      to: 'main',
      isProduction: true,
      warnings: [{ id: 'failed', severity: 'error' }],
      sections: [
        { summary: 'The build of dev-ada-1 failed.', state: 'error' },
        { title: 'What changes' },
        { title: 'Impact' },
      ],
      message: { value: 'Why' },
      confirmation: { expected: 'Shop' },
      action: { label: 'Commit to main (production)', whyNot: '' },
    });
  });

  it('shows what it means once that is known', async () => {
    const line = { severity: 'warning', text: 'dashboard “Sales” uses orders.total' } as const;
    const model = {
      summary: '1 member removed',
      lines: [{ severity: 'warning', text: 'removed orders.total' }],
    } as const;
    const impact = { summary: 'One name is gone.', lines: [line], model, show: async () => undefined };
    const { source } = await review({ ...red, build: 'built' }, {}, impact);
    expect(source.document.value?.sections).toMatchObject([
      { state: 'ok' },
      { title: 'What changes', state: 'warning', ...model },
      { state: 'warning', summary: 'One name is gone.', lines: [line] },
    ]);
    expect(source.document.value?.confirmation).toBeUndefined();
  });

  it('does not call an impact harmless where a name is gone that no item of the workspace uses', async () => {
    const model = {
      summary: '1 cube removed',
      lines: [{ severity: 'warning', text: 'removed cube returns' }],
    } as const;
    const impact = { summary: '1 name changed or gone.', lines: [], model, show: async () => undefined };
    const { source } = await review({ ...red, build: 'built' }, {}, impact);
    expect(source.document.value?.sections.at(-1)).toMatchObject({ state: 'warning', lines: [] });
  });

  it('does not call an impact harmless while the build fails', async () => {
    const model = { summary: 'No change', lines: [] };
    const impact = { summary: 'No name is lost.', lines: [], model, show: async () => undefined };
    const shown = async (build: GatedSituation['build']): Promise<unknown> => {
      const { source } = await review({ ...red, build }, {}, impact);
      return source.document.value?.sections.find(({ id }) => id === 'impact');
    };
    expect(await shown('built')).toMatchObject({ state: 'ok', summary: 'No name is lost.' });
    expect(await shown('failed')).toMatchObject({
      state: 'warning',
      summary: 'No name is lost. Not certain while the build of dev-ada-1 fails.',
    });
  });

  it('says where its impact is not known, and can be confirmed all the same', async () => {
    const { source, answer } = await review(red);
    expect(source.document.value?.sections.at(-1)?.state).toBe('unknown');
    expect(await source.apply(input)).toBe(true);
    expect((await answer)?.input).toEqual(input);
  });

  it('needs a message, which is kept while it is typed', async () => {
    const kept: string[] = [];
    const { source } = await review(red, { message: { ...message, keep: (text) => void kept.push(text) } });
    source.input?.({ ...input, message: 'Wh' });
    expect(kept).toEqual(['Wh']);
    await expect(source.apply({ ...input, message: ' ' })).rejects.toThrow('A commit needs a message.');
  });

  it('opens where no file differs, and is confirmed only with something that it does', async () => {
    const options = [{ id: 'removeBranch', label: 'Remove the dev branch after the merge' }];
    const merge = { ...red, step: 'mergeToDefault', build: 'built', content: '', endsBranch: true } as const;
    const { source, answer } = await review(merge, { options });
    expect(source.document.value).toMatchObject({ groups: [], empty: 'No file differs.', options });
    await expect(source.apply(input)).rejects.toThrow('No file differs, so there is nothing to merge.');
    const ticked = { ...input, options: ['removeBranch'] };
    expect(await source.apply(ticked)).toBe(true);
    expect((await answer)?.input).toEqual(ticked);
  });

  const many = Array.from({ length: 2000 }, (_, at) => [`model/${at}.yml`, null, `hash ${at}`]);
  it.each([
    ['one file', [['model/a.yml', '1', '2']], ['change model/a.yml']],
    [
      'deletions only',
      [
        ['a.yml', '1', null],
        ['b.yml', '1', null],
      ],
      ['delete a.yml', 'delete b.yml'],
    ],
    [
      'another letter case',
      [
        ['A.yml', '1', null],
        ['a.yml', null, '1'],
      ],
      ['rename a.yml'],
    ],
    [
      'another letter case and content',
      [
        ['A.yml', '1', null],
        ['a.yml', null, '2'],
      ],
      ['delete A.yml', 'add a.yml'],
    ],
    [
      'names that turn or break the line',
      [
        ['a\n\u202eb', null, '1'],
        ['a b', null, '2'],
      ],
      ['add a\n\u202eb', 'add a b'],
    ],
    [
      'a name of an object’s own',
      [
        ['__proto__', null, '1'],
        ['constructor', '1', '2'],
      ],
      ['add __proto__', 'change constructor'],
    ],
    ['two thousand files', many, many.map(([path]) => `add ${path}`)],
  ])('lists %s', async (_name, rows, listed) => {
    const { source } = await review({ ...red, content: JSON.stringify(rows) });
    const shown = source.document.value?.groups.flatMap(({ rows: all }) => all) ?? [];
    expect(shown.map(({ kind, path }) => `${kind} ${path}`)).toEqual(listed);
    expect(new Set(shown.map(({ id }) => id)).size).toBe(shown.length);
  });

  it('is not confirmed where it is closed', async () => {
    const { source, answer } = await review(red);
    source.close();
    expect(await answer).toBeUndefined();
  });
});

describe('saved questions on the page of a step', () => {
  it('are compared when the user asks, and what changed is listed', async () => {
    const shown: string[] = [];
    const { source } = await review(red, {}, undefined, {
      count: async () => 2,
      compare: async () => ({
        summary: '1 answer changed, 1 the same',
        lines: [{ severity: 'warning', text: 'How much? 1 row changed.' }],
        show: async () => void shown.push('report'),
      }),
    });
    const section = () => source.document.value?.sections.find(({ id }) => id === 'answers');
    await expect.poll(section).toEqual({
      id: 'answers',
      title: 'Answers',
      summary: '2 saved questions, not compared yet',
      state: 'unknown',
      lines: [],
      link: { id: 'check answers', label: 'Compare Answers' },
    });
    await source.run?.('check answers');
    expect(section()).toMatchObject({
      summary: '1 answer changed, 1 the same',
      state: 'warning',
      lines: [{ text: 'How much? 1 row changed.' }],
    });
    await source.run?.('show answers');
    expect(shown).toEqual(['report']);
    expect(source.document.value?.sections.map(({ id }) => id)).toEqual(['build', 'model', 'impact', 'answers']);
  });

  it('say why they could not be compared', async () => {
    const reason = '“dev-ada-1” has no environment: start dev mode on it.';
    const { source } = await review(red, {}, undefined, {
      count: async () => 1,
      compare: async () => Promise.reject(new Error(reason)),
    });
    const section = () => source.document.value?.sections.find(({ id }) => id === 'answers');
    await expect.poll(section).toMatchObject({ summary: '1 saved question, not compared yet' });
    await source.run?.('check answers');
    expect(section()).toMatchObject({ summary: reason, state: 'error', link: { label: 'Compare Answers' } });
  });

  it('are left out where there are none', async () => {
    const { source } = await review(red);
    expect(source.document.value?.sections.map(({ id }) => id)).toEqual(['build', 'model', 'impact']);
  });
});
