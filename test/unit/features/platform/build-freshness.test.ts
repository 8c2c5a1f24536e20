import { describe, expect, it } from 'vitest';
import { BuildFreshness, buildText } from '#features/platform/build-freshness.ts';
import type { BuildState } from '#features/platform/build-state.ts';
import { branchKey } from '#features/platform/build-watch.ts';

const target = { accountId: 'a', deploymentId: '1' };
const built: BuildState = { phase: 'built', errorText: undefined, at: 0 };
const known = new Map([[branchKey({ ...target, branchName: 'main' }), built]]);
const list = (main: string, other: string) =>
  [
    { name: 'main', lastHash: main, parentBranch: undefined, staging: false },
    { name: 'dev-ada-1', lastHash: other, parentBranch: 'main', staging: false },
  ] as const;

describe('a build that is shown', () => {
  it('is asked for again when its branch has moved, once, and only where a build is known', () => {
    const freshness = new BuildFreshness();
    const moved = (main: string, other: string): readonly string[] =>
      freshness.moved(target, list(main, other), known).map(({ branchName }) => branchName);
    expect(moved('a', 'x')).toEqual([]);
    expect(moved('a', 'y')).toEqual([]);
    expect(moved('b', 'y')).toEqual(['main']);
    expect(moved('b', 'z')).toEqual([]);
    expect(freshness.moved(target, list('c', 'c'), new Map())).toEqual([]);
  });

  it('names its commit where it is done', () => {
    expect(buildText(built, 'a32b361')).toBe('built at a32b361');
    expect(buildText(built, undefined)).toBe('built');
    expect(buildText({ ...built, phase: 'failed' }, 'a32b361')).toBe('build failed');
  });
});
