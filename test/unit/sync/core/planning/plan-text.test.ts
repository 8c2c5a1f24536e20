import { expect, it } from 'vitest';
import { planJson, planText, verifiedText } from '#sync/core/planning/plan-text.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { planInput } from '#support/sync/plan-input.ts';

const plan = makePlan(
  planInput({
    base: {
      'model/a.yml': '1',
      'model/b.yml': '2',
      'model/c.yml': '3',
      'model/d.yml': '4',
      'model/same.yml': 's',
      'model/old.yml': 'moved',
    },
    local: {
      'model/a.yml': '1x',
      'model/c.yml': '3',
      'model/d.yml': '4x',
      'model/new.yml': 'fresh',
      'model/same.yml': 's',
      'model/moved.yml': 'moved',
    },
    remote: {
      'model/a.yml': '1',
      'model/b.yml': '2',
      'model/d.yml': '4y',
      'model/theirs.yml': 't',
      'model/same.yml': 's',
      'model/secret.yml': 'i',
      'model/old.yml': 'moved',
    },
    ignored: ['model/secret.yml'],
  }),
);

it('says in words what would happen', () => {
  expect(planText(plan)).toBe(`To the platform: 4
  change model/a.yml (2 B)
  delete model/b.yml (1 B)
  rename model/old.yml → model/moved.yml
  add model/new.yml (5 B)

To this computer: 2
  delete model/c.yml (1 B) (goes to the trash)
  add model/theirs.yml (1 B)

Conflicts (nothing is written until you choose): 1
  model/d.yml: changed on both sides

Ignored by a rule: 1
  model/secret.yml

1 file is the same on both sides.
`);
});

it('says when there is nothing to do, and puts warnings first', () => {
  expect(planText(makePlan(planInput({})))).toBe('Nothing to do.\n\n0 files are the same on both sides.\n');
  const gone = planInput({ base: { 'model/a.yml': '1' }, local: {}, remote: { 'model/a.yml': '1' }, root: undefined });
  expect(planText(makePlan(gone))).toMatch(/^! The linked folder is missing/);
});

it('writes the plan as JSON with a version', () => {
  expect(JSON.parse(planJson(plan))).toMatchObject({
    version: 1,
    target: ['account', '1', 'dev-a'],
    unchanged: 1,
    guards: [],
    entries: plan.entries.map(({ kind, path }) => ({ kind, path })),
  });
});

it('says what a verification found', () => {
  const same = planInput({
    base: { 'model/a.yml': '1' },
    local: { 'model/a.yml': '1' },
    remote: { 'model/a.yml': '1' },
  });
  expect(verifiedText(makePlan(same))).toContain('Every file is the same on both sides.');
  expect(verifiedText(plan)).toContain('Some files need your attention:\n\nTo the platform: 4');
  expect(verifiedText(undefined)).toContain('have not been compared');
});
