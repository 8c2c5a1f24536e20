import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type GatedSituation,
  type GateDecision,
  isCovered,
  productionGate,
  sentBuild,
  stepButton,
} from '#features/platform/production-gate.ts';

const base: GatedSituation = {
  step: 'commit',
  from: 'dev-ada-1',
  to: 'main',
  isDeploy: true,
  isProtected: false,
  deployment: 'Shop',
  build: 'built',
  content: '[["a.yml",null,"1"]]',
};
const shared = { to: 'returns', isDeploy: false } as const;

/** A decision in short: what is typed, and the kinds of its warnings. */
function brief(decision: GateDecision): unknown {
  if (decision.kind !== 'review') return decision.kind;
  return [decision.typed, ...decision.warnings.map(({ kind }) => kind)];
}

const situations = fc.record<GatedSituation>({
  step: fc.constantFrom(
    ...(['commit', 'merge', 'mergeToDefault', 'deploy', 'dbtSync', 'connectGithub', 'upload'] as const),
    ...(['writeFiles', 'deleteBranch', 'undocumented'] as const),
  ),
  from: fc.constant('dev-ada-1'),
  to: fc.constantFrom('main', 'returns', undefined),
  isDeploy: fc.constantFrom(true, false, undefined),
  isProtected: fc.boolean(),
  deployment: fc.constantFrom('Shop', '1'),
  build: fc.constantFrom('built', 'unproven', 'building', 'failed', 'unknown'),
  content: fc.constantFrom('', 'a', 'b', undefined),
  endsBranch: fc.boolean(),
});

describe('the production gate', () => {
  it.each<[string, Partial<GatedSituation>, unknown]>([
    ['lets a step to a shared branch pass', shared, 'free'],
    ['lets a red build go to a shared branch', { ...shared, build: 'failed' }, 'free'],
    ['asks before production', {}, [undefined]],
    ['warns of a running build', { build: 'building' }, [undefined, 'building']],
    ['warns of a build that may be one of an earlier commit', { build: 'unproven' }, [undefined, 'unknownBuild']],
    ['warns of a build that nobody knows', { build: 'unknown' }, [undefined, 'unknownBuild']],
    ['has the deployment’s name typed for a red build', { build: 'failed' }, ['Shop', 'failed']],
    ['has the name of a protected branch typed', { isProtected: true }, ['main', 'protected']],
    ['has it typed for a shared one', { ...shared, isProtected: true }, ['returns', 'protected']],
    [
      'has the deployment’s name typed for both',
      { isProtected: true, build: 'failed' },
      ['Shop', 'failed', 'protected'],
    ],
    ['has the deployment’s name typed for a deploy', { step: 'deploy', build: 'unknown' }, ['Shop']],
    ['has it typed before the branch is deleted', { step: 'deleteBranch', build: 'unknown' }, ['Shop']],
    ['knows no build of what does not come from a branch', { step: 'dbtSync', build: 'unknown' }, [undefined]],
    ['treats an unknown branch as production', { to: undefined, isDeploy: undefined }, [undefined, 'unknownBranch']],
    [
      'has a name typed for a red build to an unknown branch',
      { to: undefined, isDeploy: undefined, build: 'failed' },
      ['Shop', 'unknownBranch', 'failed'],
    ],
    ['warns where nothing was compared', { content: undefined }, [undefined, 'notCompared']],
    ['has nothing to do where nothing differs', { content: '' }, 'nothing'],
    ['asks where a merge without a difference ends the branch', { content: '', endsBranch: true }, [undefined]],
  ])('%s', (_name, situation, expected) => {
    expect(brief(productionGate({ ...base, ...situation }))).toEqual(expected);
  });

  it('never lets anything pass that may reach a deploy branch or a protected one', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        if (productionGate(situation).kind !== 'free') return;
        expect([situation.isDeploy, situation.isProtected]).toEqual([false, false]);
      }),
    );
  });

  it('has a red build confirmed with the name of the deployment, always', () => {
    fc.assert(
      fc.property(situations, (situation) => {
        const decision = productionGate({ ...situation, build: 'failed' });
        if (situation.isDeploy === false || decision.kind !== 'review') return;
        expect(decision.typed).toBe(situation.deployment);
      }),
    );
  });

  it('says where there is nothing to do', () => {
    const decision = productionGate({ ...base, content: '' });
    expect(decision).toEqual({ kind: 'nothing', say: 'Nothing to commit: dev-ada-1 and main are the same.' });
  });

  it.each<[Partial<GatedSituation>, string]>([
    [{}, 'Commit to main (production)'],
    [shared, 'Commit to returns'],
    [{ step: 'mergeToDefault' }, 'Merge into main (production)'],
    [{ step: 'deploy' }, 'Deploy to Shop (production)'],
    [{ step: 'dbtSync' }, 'Start dbt Sync on main (production)'],
    [{ step: 'connectGithub' }, 'Connect Shop to GitHub'],
    [
      { step: 'upload', to: undefined, isDeploy: undefined },
      'Finish Upload to the branch that the upload was started for',
    ],
    [{ step: 'writeFiles' }, 'Change Files on main (production)'],
    [{ step: 'writeFiles', to: undefined, isDeploy: undefined }, 'Change Files on the active branch'],
    [{ step: 'deleteBranch' }, 'Delete main (production)'],
    [{ step: 'undocumented', from: 'rollback', to: undefined, isDeploy: undefined }, 'Run rollback'],
    [{ step: 'mergeToDefault', to: undefined }, 'Merge into the deploy branch (production)'],
    [{ to: undefined, isDeploy: undefined }, 'Commit to the parent branch'],
  ])('names the destination on the button of %j', (situation, expected) => {
    expect(stepButton({ ...base, ...situation })).toBe(expected);
  });

  it.each([
    ['warmup', 'building'],
    ['none', 'unknown'],
    ['cancelled', 'unknown'],
    [undefined, 'unknown'],
  ] as const)('reads a build that is %s as %s', (phase, expected) => {
    expect(sentBuild(phase)).toBe(expected);
  });
});

describe('a confirmation', () => {
  it.each<[string, Partial<GatedSituation>, Partial<GatedSituation>, boolean]>([
    ['covers what was shown', {}, {}, true],
    ['covers a build that has succeeded meanwhile', { build: 'building' }, {}, true],
    ['covers a red build that was repaired', { build: 'failed' }, {}, true],
    ['ends with other content', {}, { content: 'other' }, false],
    ['ends with another branch', {}, { to: 'master' }, false],
    ['ends when it is not known any more which commit was built', {}, { build: 'unproven' }, false],
    ['ends when the build fails', { build: 'building' }, { build: 'failed' }, false],
    ['ends when a build starts', {}, { build: 'building' }, false],
    ['ends when the branch is protected', {}, { isProtected: true }, false],
    ['ends when nobody knows the branch any more', {}, { isDeploy: undefined }, false],
  ])('%s', (_name, shown, now, expected) => {
    expect(isCovered({ ...base, ...shown }, { ...base, ...now })).toBe(expected);
  });

  it('never covers a warning or a name that was not shown', () => {
    fc.assert(
      fc.property(situations, situations, (shown, now) => {
        const [before, later] = [productionGate(shown), productionGate(now)];
        if (!isCovered(shown, now) || later.kind !== 'review') return;
        const typed = before.kind === 'review' ? before.typed : 'not asked';
        expect([before.kind, now.content]).toEqual(['review', shown.content]);
        expect([undefined, typed]).toContain(later.typed);
      }),
    );
  });
});
