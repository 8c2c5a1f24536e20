import { describe, expect, it } from 'vitest';
import {
  destinationOf,
  isSwitchChoice,
  startChoices,
  startsAtOnce,
  type SwitchFacts,
} from '#features/branches/start-choices.ts';

const branch = (name: string, parentBranch?: string) => ({ name, parentBranch, lastHash: 'a', staging: false });
const branches = [
  branch('main'),
  branch('returns', 'main'),
  branch('dev-ada-1', 'main'),
  branch('dev-ada-2', 'returns'),
];

describe('the choices of Start Dev Mode', () => {
  it('begin with a new shared branch and end with production', () => {
    expect(startChoices(branches).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      'New Shared Branch… | production changes only with Merge to Default Branch',
      'returns | commits go to returns',
      'main | production: every commit goes to main',
    ]);
  });

  it('have every branch last that production may be built from', () => {
    const several = [branch('legacy'), branch('main'), branch('returns', 'main'), branch('dev-ada-1', 'legacy')];
    expect(startChoices(several).map(({ label, description }) => `${label} | ${description}`)).toEqual([
      'New Shared Branch… | production changes only with Merge to Default Branch',
      'returns | commits go to returns',
      'legacy | may be production: every commit goes to legacy',
      'main | may be production: every commit goes to main',
    ]);
    expect(['legacy', 'main', 'returns'].filter((name) => startsAtOnce(name, several))).toEqual(['returns']);
    expect(destinationOf('dev-ada-1', several)).toBe('; each commit goes to “legacy” (may be production)');
  });

  it('are a new branch alone where nothing is listed', () => {
    expect(startChoices([]).map(({ branchName }) => branchName)).toEqual([undefined]);
  });
});

describe('the row of a branch', () => {
  it('starts dev mode at once, except for production, whose row offers the safer choices first', () => {
    expect(['main', 'returns', 'dev-ada-1', 'unlisted'].filter((name) => !startsAtOnce(name, branches))).toEqual([
      'main',
    ]);
  });
});

describe('the destination of commits', () => {
  it.each([
    ['dev-ada-1', '; each commit goes to “main” (production)'],
    ['dev-ada-2', '; commits go to “returns”, and Merge to Default Branch brings them to production'],
    ['dev-gone', ''],
  ])('of %s is named when dev mode starts', (name, expected) => {
    expect(destinationOf(name, branches)).toBe(expected);
  });
});

describe('the choices of Switch Dev Branch', () => {
  const mine = new Set(['dev-ada-1', 'dev-ada-2']);
  const list = [...branches, branch('dev-ben-1', 'main'), branch('dev-ada-9', 'main')];
  const offered = (of: Omit<SwitchFacts, 'mine'>) =>
    list.map(({ name }) => name).filter((name) => isSwitchChoice(name, { mine, ...of }));

  it('are the user’s own other dev branches', () => {
    expect(offered({ active: 'dev-ada-1', keyBranch: 'dev-ada-1' })).toEqual(['dev-ada-2']);
    expect(offered({ active: 'dev-ada-1', keyBranch: undefined })).toEqual(['dev-ada-2']);
    expect(offered({ active: undefined, keyBranch: '' })).toEqual(['dev-ada-1', 'dev-ada-2']);
  });

  it('have the branch that the platform says the key is on, which was started on another machine', () => {
    expect(offered({ active: undefined, keyBranch: 'dev-ada-9' })).toEqual(['dev-ada-1', 'dev-ada-2', 'dev-ada-9']);
    expect(offered({ active: undefined, keyBranch: 'main' })).toEqual(['dev-ada-1', 'dev-ada-2']);
  });

  it('have the active branch again where the key is on another one', () => {
    expect(offered({ active: 'dev-ada-1', keyBranch: 'dev-ada-2' })).toEqual(['dev-ada-1', 'dev-ada-2']);
    expect(offered({ active: 'dev-ada-1', keyBranch: '' })).toEqual(['dev-ada-1', 'dev-ada-2']);
  });
});
