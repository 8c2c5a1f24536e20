import { describe, expect, it } from 'vitest';
import { type Impact, PlanImpact } from '#features/folders/plan-impact.ts';
import type { OpenPlan } from '#features/folders/plan-view.ts';
import { plan } from '#support/plan.ts';

const open = { direction: 'push', plan, ticked: new Set(['a']) } as unknown as OpenPlan;

describe('the impact of a plan', () => {
  it('is found out when the user asks, and shown in detail then', async () => {
    const shown: string[] = [];
    let answer: (impact: Impact) => void = () => undefined;
    const impact = new PlanImpact(() => new Promise((resolve) => (answer = resolve)));
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
    const impact = new PlanImpact(() => Promise.resolve({ summary: 'x', show: () => Promise.resolve() }));
    await impact.run('check impact', open);
    expect(impact.section({ ...open, ticked: new Set() })).toMatchObject({ state: 'unknown' });
    expect(impact.section({ ...open, plan: { ...plan } })).toMatchObject({ state: 'unknown' });
    expect(impact.section({ ...open, direction: 'pull' })).toBeUndefined();
  });

  it('says why it could not be found out, and offers to check again', async () => {
    const impact = new PlanImpact(() => Promise.reject(new Error('The platform cannot be reached.')));
    await impact.run('check impact', open);
    expect(impact.section(open)).toMatchObject({
      state: 'error',
      summary: 'The platform cannot be reached.',
      link: { label: 'Check Impact' },
    });
  });
});
