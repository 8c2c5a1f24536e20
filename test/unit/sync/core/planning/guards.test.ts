import { describe, expect, it } from 'vitest';
import { blockingGuard } from '#sync/core/planning/guards.ts';
import type { GuardKind } from '#sync/core/planning/plan.ts';
import { makePlan } from '#support/sync/make-plan.ts';
import { type PlanSides, planInput } from '#support/sync/plan-input.ts';

const files = (count: number, content = 'x'): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`model/${at}.yml`, `${content}${at}`]));
const kinds = (sides: PlanSides): GuardKind[] => makePlan(planInput(sides)).guards.map(({ kind }) => kind);
const all = files(20);

describe('guards of a run', () => {
  it.each<[string, PlanSides, GuardKind[]]>([
    ['nothing changed', { base: all, local: all, remote: all }, []],
    ['the folder is gone', { base: all, local: {}, remote: all, root: undefined }, ['rootMissing']],
    ['the folder is not there yet', { remote: all, root: undefined }, []],
    [
      'another folder',
      { base: all, local: files(20, 'y'), remote: all, baseRoot: '2', root: '3' },
      ['rootChanged', 'allChangedLocally'],
    ],
    [
      'a folder numbered anew with the same files',
      { base: all, local: files(19), remote: all, baseRoot: '2', root: '3' },
      [],
    ],
    ['an emptied folder', { base: all, local: {}, remote: all }, ['localEmptied', 'manyDeletesRemote']],
    ['an emptied branch', { base: all, local: all, remote: {} }, ['remoteEmptied', 'manyDeletesLocal']],
    [
      'an emptied branch that was not listed whole',
      { base: all, local: all, remote: {}, remoteComplete: false },
      ['remoteListingIncomplete'],
    ],
    ['all files changed here', { base: all, local: files(20, 'y'), remote: all }, ['allChangedLocally']],
    ['all files changed there', { base: all, local: all, remote: files(20, 'y') }, ['allChangedRemotely']],
    ['a quarter deleted', { base: all, local: files(15), remote: all }, []],
    ['more than a quarter deleted', { base: all, local: files(14), remote: all }, ['manyDeletesRemote']],
    ['a hundred of many deleted', { base: files(1000), local: files(900), remote: files(1000) }, []],
    [
      'more than a hundred of many deleted',
      { base: files(1000), local: files(1000), remote: files(899) },
      ['manyDeletesLocal'],
    ],
    ['the only file deleted', { base: files(1), local: {}, remote: files(1) }, []],
    [
      'a local folder that could not be read',
      { base: all, local: files(10), remote: all, localComplete: false },
      ['localListingIncomplete'],
    ],
    [
      'a folder of which nothing could be read',
      { base: all, local: {}, remote: all, localComplete: false },
      ['localListingIncomplete'],
    ],
    ['a folder whose files cannot be read', { base: all, local: {}, remote: all, frozen: Object.keys(all) }, []],
  ])('%s', (_, sides, expected) => {
    expect(kinds(sides)).toEqual(expected);
  });

  it('does not count renames as deletions', () => {
    const renamed = Object.fromEntries(
      Object.entries(all).map(([path, content]) => [path.replace('model/', 'model/new/'), content]),
    );
    const plan = makePlan(planInput({ base: all, local: renamed, remote: all }));
    expect(plan.guards).toEqual([]);
    expect(new Set(plan.entries.map(({ kind }) => kind))).toEqual(new Set(['renameRemote']));
  });

  it('plans no deletion at all from a listing that is not whole', () => {
    for (const sides of [{ localComplete: false }, { remoteComplete: false }]) {
      const { entries } = makePlan(planInput({ base: all, local: files(3), remote: files(5), ...sides }));
      const wrong = sides.localComplete === false ? 'deleteRemote' : 'deleteLocal';
      expect(entries.map(({ kind }) => kind)).not.toContain(wrong);
    }
  });

  it('holds only what it is about, and lets go when it was confirmed', () => {
    const plan = makePlan(planInput({ base: all, local: files(10), remote: { ...all, 'model/new.yml': '1' } }));
    const [upload] = plan.entries.filter(({ kind }) => kind === 'download');
    const deletions = plan.entries.filter(({ kind }) => kind === 'deleteRemote');
    expect(blockingGuard(plan.guards, 'push', deletions, [])?.kind).toBe('manyDeletesRemote');
    expect(blockingGuard(plan.guards, 'push', deletions, ['manyDeletesRemote'])).toBeUndefined();
    expect(blockingGuard(plan.guards, 'pull', upload ? [upload] : [], [])).toBeUndefined();
    const missing = makePlan(planInput({ base: all, local: {}, remote: all, root: undefined }));
    expect(blockingGuard(missing.guards, 'push', [], ['rootMissing'])?.kind).toBe('rootMissing');
  });
});
