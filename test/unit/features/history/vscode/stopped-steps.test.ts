import { describe, expect, it } from 'vitest';
import { GitAttempts, openFiles } from '#features/history/git-attempt.ts';
import type { SyncSession } from '#features/folders/sync-sessions.ts';
import { MemoryState } from '#support/memory-state.ts';
import { attemptOf, gitConflictsOf, resolvedFiles } from '#features/history/stopped-steps.ts';

const dev = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1' };
const [one, two] = ['model/cubes/a.yml', 'model/cubes/b.yml'] as const;

const sessionOf = (folderId: string, conflicts: readonly string[] = []): SyncSession =>
  ({
    folder: { folderId },
    target: dev,
    sync: { status: { value: { conflicts: conflicts.map((path) => ({ path })) } } },
  }) as unknown as SyncSession;

/** A window whose pull from main stopped, with the hashes that main has now. */
async function stopped(sessions: readonly SyncSession[], theirs: Readonly<Record<string, string>> = {}) {
  const attempts = new GitAttempts(new MemoryState());
  await attempts.stopped(dev, { message: '', paths: [one, two] }, { step: 'pull', from: 'main' });
  const tree = new Map(Object.entries(theirs).map(([path, hash]) => [path, { hash }]));
  const services = {
    attempts,
    syncs: { ofBranch: () => sessions },
    remote: { refresh: () => Promise.resolve() },
    branchFiles: { list: () => Promise.resolve(tree) },
  };
  return { attempts, services: services as unknown as Parameters<typeof resolvedFiles>[0] };
}

describe('the conflicts of a stopped step', () => {
  it('are rows of one folder, also where several are on its branch', async () => {
    const [first, second] = [sessionOf('file:///one'), sessionOf('file:///two')];
    const { services } = await stopped([first, second]);
    expect(gitConflictsOf(services, first)).toEqual([one, two]);
    expect([attemptOf(services, second), gitConflictsOf(services, second)]).toEqual([undefined, []]);
  });

  it('wait until the file no longer differs from the platform', async () => {
    const session = sessionOf('file:///one', [one]);
    const { services } = await stopped([session]);
    expect(gitConflictsOf(services, session)).toEqual([two]);
  });
});

describe('what is resolved', () => {
  it('goes into the pull, with the folder that it was resolved in', async () => {
    const { attempts, services } = await stopped([sessionOf('file:///one')], { [one]: 'x' });
    expect(await resolvedFiles(services, dev)).toBeUndefined();
    await attempts.resolve(dev, one, 'x');
    expect(await resolvedFiles(services, dev)).toEqual({
      parent: 'main',
      against: new Map([[one, 'x']]),
      target: { ...dev, folderId: 'file:///one' },
    });
  });

  it('is open again, and said to be, where the other branch has another version by now', async () => {
    const { attempts, services } = await stopped([sessionOf('file:///one')], { [one]: 'newer' });
    await attempts.resolve(dev, one, 'x');
    await attempts.resolve(dev, two, '');
    await expect(resolvedFiles(services, dev)).rejects.toThrow(`“main” changed ${one} again`);
    expect(openFiles(attempts.of(dev))).toEqual([one]);
  });
});
