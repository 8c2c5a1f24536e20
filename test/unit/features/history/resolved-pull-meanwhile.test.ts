import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EndingPlatform } from '#support/ending-platform.ts';
import { MemoryState } from '#support/memory-state.ts';
import { memoryTrash } from '#support/memory-trash.ts';
import { sha1 } from '#support/sync/tiny-platform.ts';

const file = 'model/cubes/orders.yml';
const other = 'model/cubes/customers.yml';
const location = { accountId: 'a', deploymentId: '1', branchName: 'dev-ada-1', folderId: 'file:///work/shop' };

function keep(files: Map<string, string>, path: string, text: string | undefined): void {
  if (text === undefined) files.delete(path);
  else files.set(path, text);
}

const hashOf = (text: string | undefined): string => (text === undefined ? '' : sha1(text));

/** What happens while a pull runs: someone changes a file of a branch, and another view of the window reads it again. */
interface Meanwhile {
  readonly branch: 'dev' | 'parent';
  readonly path: string;
  readonly text: string | undefined;
  /** Before this request, or before this text is stored. */
  readonly step: number;
}

describe('a file that someone changes while a pull lends its place', () => {
  const version = fc.constantFrom('mine', 'both', undefined);
  const theirs = fc.constantFrom('theirs', 'both', undefined);
  const meanwhile: fc.Arbitrary<Meanwhile> = fc.record({
    branch: fc.constantFrom('dev', 'parent'),
    path: fc.constantFrom(file, other),
    text: fc.constantFrom('a third', undefined),
    step: fc.integer({ min: 1, max: 40 }),
  });

  it('keeps that change, and the resolved version is on the branch or stored', async () => {
    const outcomes = new Map<string, number>();
    await fc.assert(
      fc.asyncProperty(version, version, theirs, theirs, meanwhile, async (one, two, first, second, change) => {
        const [platform, memory, trash] = [new EndingPlatform([file, other]), new MemoryState(), memoryTrash()];
        for (const [path, own, upstream] of [
          [file, one, first],
          [other, two, second],
        ] as const) {
          keep(platform.dev, path, own);
          keep(platform.parent, path, upstream);
        }
        const { pulls, files } = platform.openWindow(memory, trash);
        const changed = { ...location, branchName: change.branch === 'dev' ? location.branchName : 'main' };
        let steps = 0;
        const before = async (): Promise<void> => {
          steps += 1;
          if (steps !== change.step) return;
          platform.before = async () => Promise.resolve();
          keep(platform[change.branch], change.path, change.text);
          await files.refresh(changed);
        };
        platform.before = before;
        const against = new Map([
          [file, hashOf(first)],
          [other, hashOf(second)],
        ]);
        const outcome = await pulls.pull(location, { parent: 'main', against }).then(
          ({ ok }) => (ok ? 'pulled' : 'in conflict'),
          () => 'stopped',
        );
        const isTried = steps >= change.step;
        platform.before = async () => Promise.resolve();
        const moved = await pulls.recover(location);
        const lost = (
          [
            [file, one, first],
            [other, two, second],
          ] as const
        ).filter(([path, own, lent]) => {
          const now = platform.dev.get(path);
          const isChanged = isTried && change.branch === 'dev' && change.path === path;
          // Where someone writes what is lent, nothing shows that it was someone else.
          if (isChanged) return change.text !== lent && now !== change.text;
          return now !== own && !moved.some((each) => each.path === path);
        });
        expect(lost).toEqual([]);
        const name = isTried ? `${outcome}, changed on ${change.branch}` : outcome;
        outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
      }),
      { numRuns: 1500, seed: 5 },
    );
    expect([...outcomes.keys()].sort()).toEqual([
      'pulled',
      'pulled, changed on dev',
      'pulled, changed on parent',
      'stopped, changed on dev',
      'stopped, changed on parent',
    ]);
  });

  it('pulls nothing where the parent has another version than the one that was resolved against', async () => {
    const [platform, memory] = [new EndingPlatform([file]), new MemoryState()];
    platform.dev.set(file, 'mine');
    platform.parent.set(file, 'theirs, once more');
    const pulls = platform.open(memory);
    const against = new Map([[file, sha1('theirs')]]);
    await expect(pulls.pull(location, { parent: 'main', against })).rejects.toThrow('“main” changed');
    expect([platform.isPulled, platform.dev.get(file)]).toEqual([false, 'mine']);
    expect(memory.values.size).toBe(0);
  });
});

describe('a resolved version that is stored because someone changed the file', () => {
  /** A pull that ended before it could put the file back, and a colleague's version there. */
  async function stored(): Promise<{ readonly platform: EndingPlatform; readonly memory: MemoryState }> {
    const [platform, memory] = [new EndingPlatform([file]), new MemoryState()];
    platform.dev.set(file, 'mine');
    platform.parent.set(file, 'theirs');
    platform.before = async () => {
      if (platform.isPulled) throw new Error('the window has ended');
      return Promise.resolve();
    };
    const against = new Map([[file, sha1('theirs')]]);
    await expect(platform.open(memory).pull(location, { parent: 'main', against })).rejects.toThrow('has ended');
    platform.before = async () => Promise.resolve();
    platform.dev.set(file, 'a third');
    return { platform, memory };
  }

  it('is not replaced by another pull of the file', async () => {
    const { platform, memory } = await stored();
    const pulls = platform.open(memory);
    platform.parent.set(file, 'theirs, later');
    const against = new Map([[file, sha1('theirs, later')]]);
    await expect(pulls.pull(location, { parent: 'main', against })).rejects.toThrow('could be put back');
    const moved = await pulls.recover(location);
    expect(moved.map(({ path }) => path)).toEqual([file]);
    expect(await pulls.insist(location, moved)).toEqual([]);
    expect([platform.dev.get(file), memory.values.size]).toEqual(['mine', 0]);
  });

  it('is put back over the version that was shown only', async () => {
    const { platform, memory } = await stored();
    const pulls = platform.open(memory);
    const moved = await pulls.recover(location);
    platform.dev.set(file, 'a fourth');
    const again = await pulls.insist(location, moved);
    expect([again, platform.dev.get(file)]).toEqual([[{ path: file, hash: sha1('a fourth') }], 'a fourth']);
    expect(await pulls.insist(location, again)).toEqual([]);
    expect([platform.dev.get(file), memory.values.size]).toEqual(['mine', 0]);
  });

  it('is dropped with no other file', async () => {
    const { platform, memory } = await stored();
    const pulls = platform.open(memory);
    await pulls.forget(location, [{ path: other, hash: undefined }]);
    expect(pulls.waiting(location)).toEqual([file]);
    await pulls.forget(location, await pulls.recover(location));
    expect([platform.dev.get(file), memory.values.size]).toEqual(['a third', 0]);
  });

  it('stays stored where a put-back that began before another pull ends during it', async () => {
    const { platform, memory } = await stored();
    platform.dev.set(file, 'theirs');
    const pulls = platform.open(memory);
    const against = new Map([[file, sha1('theirs')]]);
    const storedDuringPull: (readonly string[])[] = [];
    const recovering = pulls.recover(location);
    const pulling = pulls.pull(location, { parent: 'main', against }, async () => {
      await recovering;
      storedDuringPull.push([...memory.values.values()]);
      return { ok: true, value: { lastHash: undefined, message: undefined } };
    });
    await pulling;
    expect(storedDuringPull).toEqual([[JSON.stringify({ [file]: { mine: 'mine', lent: 'theirs' } })]]);
    expect([platform.dev.get(file), memory.values.size]).toEqual(['mine', 0]);
  });
});
