import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '#support/manual-clock.ts';
import type { Effect } from '#sync/core/transfer/effects.ts';
import type { RemoteListing } from '#sync/core/ports.ts';
import { proveEffects } from '#sync/core/transfer/proven-effects.ts';
import { A, agreed, B, C, push } from '#support/sync/rules/rule-desk.ts';
import { FOLDER } from '#support/sync/simulated-ports.ts';
import type { FaultDesk } from '#support/sync/fault-desk.ts';

/** Returns the open entries of a fresh comparison, as texts. */
async function open({ sync }: FaultDesk): Promise<readonly string[]> {
  return (await sync.plan()).entries.map(({ kind, path }) => `${kind} ${path}`);
}

describe.each([true, false])('a platform that confirms writes without effect (with conditions: %s)', (honours) => {
  it('has no pushed file, and the push says which files it did not keep', async () => {
    const desk = await agreed({ honours });
    desk.write(A, 'mine');
    desk.disk.remove(`${FOLDER}/${B}`);
    desk.disk.rename(`${FOLDER}/${C}`, `${FOLDER}/model/moved.yml`);
    desk.write('model/odd name – ü.yml', 'new');
    const before = await open(desk);
    desk.platform.ignoresWrites = true;
    const outcome = await push(desk.sync);
    expect(outcome).toMatchObject({ status: 'partial', applied: [], changed: [] });
    expect(outcome.failed.map(({ path }) => path).sort()).toEqual(
      [A, B, 'model/moved.yml', 'model/odd name – ü.yml'].sort(),
    );
    expect(outcome.message).toMatch(/^Pushed 0 files\. 4 files failed: .*: The platform confirmed the change, but /);
    // Everything is still to push, and nothing counts as a change of the platform.
    desk.platform.ignoresWrites = false;
    expect(await open(desk)).toEqual(before);
    expect(await push(desk.sync)).toMatchObject({ status: 'done' });
    expect(await open(desk)).toEqual([]);
  });

  it('keeps the local version of a conflict, which stays open', async () => {
    const desk = await agreed({ honours });
    desk.write(A, 'mine');
    desk.platform.files.set(A, 'theirs');
    await desk.sync.plan();
    desk.platform.ignoresWrites = true;
    expect(await desk.sync.resolve(A, 'mine')).toMatchObject({ status: 'partial', applied: [] });
    expect(await open(desk)).toEqual([`conflict ${A}`]);
  });
});

describe('a platform that stores other bytes than it was sent', () => {
  it('is reported, and the file becomes a conflict instead of a change to pull', async () => {
    const desk = await agreed();
    desk.write(A, 'mine\r\n');
    desk.platform.stores = (text) => text.replaceAll('\r\n', '\n');
    const { status, failed } = await push(desk.sync);
    expect(status).toBe('partial');
    expect(failed[0]?.message).toContain('lists another version');
    expect(await open(desk)).toEqual([`conflict ${A}`]);
    expect(desk.files()[A]).toBe('mine\r\n');
  });
});

describe('a platform that lists late', () => {
  it.each([1, 5])('has everything that was pushed (%i lists late)', async (lists) => {
    const desk = await agreed({ honours: false });
    desk.platform.listsLate = lists;
    desk.write(A, 'mine');
    desk.write('model/new.yml', 'new');
    expect(await push(desk.sync)).toMatchObject({ status: 'done' });
  });

  it('makes no conflict where it lists later than a push waits', async () => {
    const desk = await agreed({ honours: false });
    desk.platform.listsLate = 7;
    desk.write(A, 'mine');
    const plan = await desk.sync.plan();
    const { status, failed } = await desk.sync.push(plan, 'all');
    expect(status).toBe('partial');
    expect(failed[0]?.message).toContain('may be late');
    // The user keeps editing; the list has caught up.
    desk.platform.listsLate = 0;
    await desk.sync.plan();
    desk.write(A, 'mine, edited');
    expect(await open(desk)).toEqual([`upload ${A}`]);
    expect(await push(desk.sync)).toMatchObject({ status: 'done' });
    expect(desk.platform.files.get(A)).toBe('mine, edited');
  });
});

describe('undoing a push', () => {
  it('is not done where the platform confirms it without effect', async () => {
    const desk = await agreed();
    desk.write(A, 'mine');
    await push(desk.sync);
    desk.platform.ignoresWrites = true;
    expect(await desk.sync.maintenance.undoLast('push')).toMatchObject({ status: 'partial', applied: [] });
    expect(await open(desk)).toEqual([]);
  });
});

describe('proveEffects', () => {
  const facet = fc.record({
    path: fc.constantFrom('a', 'b', 'c', '__proto__'),
    before: fc.constantFrom(undefined, '1', '2'),
    after: fc.constantFrom(undefined, '3', '4'),
  });
  const listing = fc.dictionary(fc.constantFrom('a', 'b', 'c', '__proto__'), fc.constantFrom('1', '2', '3', '4', '5'));

  it('calls proven exactly what the last of the lists shows', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(facet), fc.array(listing, { minLength: 1, maxLength: 8 }), async (facets, lists) => {
        const effects = facets.map((each) => ({ entry: { path: each.path }, facets: [each] }) as unknown as Effect);
        let at = 0;
        const shown: ReadonlyMap<string, string>[] = [];
        const list = async (): Promise<RemoteListing> => {
          const now = new Map(Object.entries(lists[Math.min(at++, lists.length - 1)] ?? {}));
          shown.push(now);
          const files = new Map([...now].map(([path, hash]) => [path, { hash }]));
          return { files, frozen: new Map(), others: new Map(), complete: true };
        };
        const clock = new ManualClock();
        const { proven, missing } = await clock.run(
          proveEffects(effects, { remote: { list }, clock, signal: undefined }),
        );
        expect(proven.length + missing.length).toBe(effects.length);
        for (const {
          facets: [own],
        } of proven)
          expect(shown.some((now) => now.get(own?.path ?? '') === own?.after)).toBe(true);
        const last = shown.at(-1);
        const late = missing.filter(({ why }) => why === 'late').flatMap(({ effect }) => effect.facets);
        expect(late.filter(({ path, before }) => last?.get(path) !== before)).toEqual([]);
        expect(shown.length).toBeLessThanOrEqual(6);
      }),
    );
  });

  it('believes a confirmation about what an incomplete list lacks', async () => {
    const effects = [
      { entry: { path: 'a' }, facets: [{ path: 'a', before: '1', after: undefined }] },
    ] as unknown as Effect[];
    const list = async (): Promise<RemoteListing> => ({
      ...{ files: new Map(), frozen: new Map(), others: new Map(), complete: false },
    });
    expect(
      await proveEffects(effects, { remote: { list }, clock: new ManualClock(), signal: undefined }),
    ).toMatchObject({
      proven: effects,
    });
  });
});
