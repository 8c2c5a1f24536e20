import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { attemptKey, lentKey } from '#features/folders/begun-keys.ts';
import { BegunMerges } from '#features/folders/begun-merges.ts';
import { BegunRecords, takingUp } from '#features/folders/begun-records.ts';
import { type RecordBegun, recordedState } from '#features/folders/begun-work.ts';
import { GitAttempts } from '#features/history/git-attempt.ts';
import { MemoryState } from '#support/memory-state.ts';
import { BegunFile } from '#sync/disk/begun-file.ts';
import { Disk } from '#sync/disk/disk.ts';
import type { WriterLock } from '#sync/core/ports.ts';

const target = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada', folderId: 'file:///work/shop' };
const file = { folderId: target.folderId, path: 'model/orders.yml' };
const merge = { accountId: 'a', mine: 'mine', remote: 'hash', start: 'half' };
const stopped = { message: 'Conflict', paths: [file.path] };

let folder: string;
beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'begun-'))));
afterEach(() => rmSync(folder, { recursive: true }));

const record = (): BegunFile => new BegunFile(new Disk(), path.join(folder, 'begun.json'));

interface Profile {
  readonly user: MemoryState;
  readonly window: MemoryState;
}
const newProfile = (): Profile => ({ user: new MemoryState(), window: new MemoryState() });

/** A window that has the folder open. */
function opened(profile: Profile, of = target): BegunWindow {
  const records = new BegunRecords(record(), profile, of);
  const all = new Set<RecordBegun>([records.record]);
  const window = recordedState(profile.window, all);
  return {
    records,
    merges: new BegunMerges(window),
    attempts: new GitAttempts(window),
    user: recordedState(profile.user, all),
  };
}
interface BegunWindow {
  readonly records: BegunRecords;
  readonly merges: BegunMerges;
  readonly attempts: GitAttempts;
  readonly user: ReturnType<typeof recordedState>;
}

async function writing(profile: Profile, of = target): Promise<BegunWindow> {
  const window = opened(profile, of);
  await window.records.takeUp();
  return window;
}

describe('begun work of a folder', () => {
  it('is known to a window that has lost its profile', async () => {
    const first = await writing(newProfile());
    await first.merges.keep(file, merge);
    await first.attempts.stopped(target, stopped, { step: 'commit', from: 'main', typed: 'fix' });
    await first.user.set(lentKey(target), { [file.path]: { mine: 'mine', lent: 'theirs' } });
    const later = await writing(newProfile());
    expect(later.merges.of(file)).toEqual(merge);
    expect(later.merges.isLeftOver(file)).toBe(true);
    expect(later.attempts.of(target)).toMatchObject({ step: 'commit', typed: 'fix', files: [{ path: file.path }] });
    expect(later.user.get(lentKey(target))).toEqual({ [file.path]: { mine: 'mine', lent: 'theirs' } });
  });

  it('is recorded before the state has it, and not at all where it cannot be recorded', async () => {
    const profile = newProfile();
    const { merges } = await writing(profile);
    rmSync(folder, { recursive: true });
    writeFileSync(folder, 'a file stands in the way');
    await expect(merges.keep(file, merge)).rejects.toThrow(/something else of that name is in the way/);
    expect(profile.window.keys()).toEqual([]);
  });

  it('is not recorded by a window that only reads the folder, nor for another folder or deployment', async () => {
    const reader = opened(newProfile());
    await reader.merges.keep(file, merge);
    const writer = await writing(newProfile());
    const elsewhere = { ...target, deploymentId: '2' };
    await writer.merges.keep({ ...file, folderId: 'file:///work/shop-2' }, merge);
    await writer.attempts.stopped(elsewhere, stopped, { step: 'pull', from: 'main' });
    await writer.user.set(lentKey(elsewhere), { [file.path]: { mine: null, lent: '' } });
    await writer.user.set('favourites', []);
    expect(await record().load()).toEqual({});
  });

  it('that another window has ended or continued is no longer what this window remembers', async () => {
    const [mine, theirs] = [newProfile(), newProfile()];
    const first = await writing(mine);
    const [ended, continued] = [file, { ...file, path: 'model/users.yml' }];
    for (const each of [ended, continued]) await first.merges.keep(each, merge);
    const second = await writing(theirs);
    await second.merges.end(ended);
    await second.merges.keep(continued, { ...merge, remote: 'newer' });
    const again = await writing(mine);
    expect([again.merges.of(ended), again.merges.of(continued)?.remote]).toEqual([undefined, 'newer']);
  });

  it('keeps what a window has begun before anything was recorded', async () => {
    const profile = newProfile();
    const { accountId: _, ...earlier } = merge;
    await new BegunMerges(profile.window).keep(file, earlier);
    await profile.user.set(lentKey(target), { [file.path]: { mine: 'mine', lent: 'theirs' } });
    const { merges, user } = await writing(profile);
    expect([merges.of(file), user.get(lentKey(target))]).toEqual([
      earlier,
      { [file.path]: { mine: 'mine', lent: 'theirs' } },
    ]);
  });

  it('has no step of a branch that the folder has left', async () => {
    const { attempts } = await writing(newProfile());
    await attempts.stopped(target, stopped, { step: 'pull', from: 'main' });
    await writing(newProfile(), { ...target, branchName: 'dev-ada-2' });
    const back = await writing(newProfile());
    expect(back.attempts.of(target)).toBeUndefined();
    expect(await record().load()).toEqual({});
  });

  it.each(['', '[', '[]', '{"merge'])('counts a damaged record as empty: %j', async (text) => {
    writeFileSync(path.join(folder, 'begun.json'), text);
    const { merges } = await writing(newProfile());
    await merges.keep(file, merge);
    expect((await writing(newProfile())).merges.of(file)).toEqual(merge);
  });

  it('is the same after any order of changes, with or without the profile', async () => {
    const paths = ['model/a.yml', 'model/b c.yml', 'model/d.yml'];
    const change = fc.record({
      path: fc.constantFrom(...paths),
      mine: fc.option(fc.string({ unit: 'binary' }), { nil: undefined }),
      isLost: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (changes) => {
        await record().save({});
        const known = new Map<string, string>();
        let profile = newProfile();
        for (const { path: name, mine, isLost } of changes) {
          if (isLost) profile = newProfile();
          const { merges } = await writing(profile);
          const at = { ...file, path: name };
          if (mine === undefined) await merges.end(at);
          else await merges.keep(at, { ...merge, mine });
          if (mine === undefined) known.delete(name);
          else known.set(name, mine);
          const all = merges.paths(file.folderId).map((each) => [each, merges.of({ ...file, path: each })?.mine]);
          expect(new Map(all as [string, string][])).toEqual(known);
        }
        const { merges } = await writing(newProfile());
        expect([...merges.paths(file.folderId)].sort()).toEqual([...known.keys()].sort());
      }),
      { numRuns: 15 },
    );
  });
});

describe('the lock of a folder', () => {
  const lock = (isFree: boolean): { readonly port: WriterLock; readonly done: string[] } => {
    const done: string[] = [];
    const port: WriterLock = {
      acquire: () => Promise.resolve(isFree),
      isHeld: () => Promise.resolve(isFree),
      release: () => Promise.resolve(void done.push('released')),
    };
    return { port, done };
  };

  it.each([true, false])('has begun work taken up by the window that gets it: %s', async (isFree) => {
    const { port, done } = lock(isFree);
    const taking = takingUp(port, { takeUp: () => Promise.resolve(void done.push('taken up')) });
    expect(await taking.acquire()).toBe(isFree);
    expect(done).toEqual(isFree ? ['taken up'] : []);
  });

  it('stays free where begun work cannot be read', async () => {
    const { port, done } = lock(true);
    const taking = takingUp(port, { takeUp: () => Promise.reject(new Error('The disk does not answer.')) });
    await expect(taking.acquire()).rejects.toThrow('The disk does not answer.');
    expect(done).toEqual(['released']);
  });
});

describe('the keys of begun work', () => {
  it('name one branch each', () => {
    const branches = [target, { ...target, branchName: 'dev-ada-2' }, { ...target, deploymentId: '11' }];
    expect(new Set(branches.flatMap((each) => [attemptKey(each), lentKey(each)])).size).toBe(6);
  });
});
