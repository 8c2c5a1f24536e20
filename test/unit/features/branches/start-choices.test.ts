import { describe, expect, it } from 'vitest';
import { destinationOf, startChoices, startsAtOnce } from '#features/branches/start-choices.ts';

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
