import { describe, expect, it } from 'vitest';
import { AskedImpact, type Impact } from '#features/review/asked-impact.ts';

type Step = ReadonlySet<string>;
const open: Step = new Set(['a']);
const asked = (find: () => Promise<Impact>): AskedImpact<Step> =>
  new AskedImpact({ isSame: (one, other) => one === other, find });

describe('the impact of a step', () => {
  it('is found out when the user asks, and shown in detail then', async () => {
    const shown: string[] = [];
    let answer: (impact: Impact) => void = () => undefined;
    const impact = asked(() => new Promise((resolve) => (answer = resolve)));
    expect(impact.section(open)).toMatchObject({ state: 'unknown', link: { label: 'Check Impact' } });
    const checking = impact.run('check impact', open);
    expect(impact.section(open)).toMatchObject({ state: 'loading' });
    answer({ summary: 'No name is lost.', show: () => Promise.resolve(void shown.push('details')) });
    await checking;
    expect(impact.section(open)).toMatchObject({ state: 'ok', summary: 'No name is lost.' });
    await impact.run('show impact', open);
    expect(shown).toEqual(['details']);
  });

  it('holds for the files that were ticked', async () => {
    const impact = asked(() => Promise.resolve({ summary: 'x', show: () => Promise.resolve() }));
    await impact.run('check impact', open);
    expect(impact.section(open)).toMatchObject({ state: 'ok' });
    expect(impact.section(new Set())).toMatchObject({ state: 'unknown' });
  });

  it('says why it could not be found out, and offers to check again', async () => {
    const impact = asked(() => Promise.reject(new Error('The platform cannot be reached.')));
    await impact.run('check impact', open);
    expect(impact.section(open)).toMatchObject({
      state: 'error',
      summary: 'The platform cannot be reached.',
      link: { label: 'Check Impact' },
    });
  });
});
